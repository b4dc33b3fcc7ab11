import type { Tracer } from '../base/tracing/tracer.ts';
import type { DueDelivery } from './load-deliveries.ts';
import type { Answer } from './webhook-client.ts';

interface Delivered {
  delivery: DueDelivery;
  answer: Pick<Answer, 'error' | 'latency_ms' | 'status_code'>;
  finished_at: Date;
}

/** One delivery of an event of the mail. URLs of customers may have secrets in them and are left out. */
export function traceDelivery(tracer: Tracer, { delivery, answer, finished_at }: Delivered): void {
  const { msg_id, mail_id, webhook_id, event_id, attempt } = delivery;
  const end_ms = finished_at.getTime();
  tracer.part(msg_id, mail_id, {
    name: 'webhook',
    kind: 'client',
    start_ms: end_ms - answer.latency_ms,
    end_ms,
    attributes: {
      'chasqui.webhook_id': webhook_id,
      'chasqui.event_id': event_id,
      'chasqui.attempt': attempt,
      'http.response.status_code': answer.status_code ?? undefined,
    },
    error: answer.error ?? undefined,
  });
}
