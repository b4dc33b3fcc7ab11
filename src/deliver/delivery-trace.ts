import type { Tracer } from '../base/tracing/tracer.ts';
import type { Outcome } from '../events/index.ts';
import { sendingTime, type DueMail } from './load-batch.ts';
import { providerLabel } from './pace/provider-label.ts';
import { tlsLabel } from './tls-detail.ts';

export interface DeliveryTrace {
  attempted(outcome: Outcome, due: DueMail, duration_ms: number): void;
  recorded(outcome: Outcome, due: DueMail): void;
}

const final: ReadonlySet<string> = new Set<Outcome['verdict']>(['sent', 'bounced', 'dropped']);

/** Spans of the queue, of each attempt, and of the whole way of a mail. No address of a person is in them. */
export function createDeliveryTrace(tracer: Tracer): DeliveryTrace {
  return {
    attempted(outcome, due, duration_ms) {
      const { msg_id, mail_id, attempt } = due;
      const end_ms = outcome.at.getTime();
      const start_ms = end_ms - duration_ms;
      if (attempt === 1) {
        const queued = { start_ms: sendingTime(due).getTime(), end_ms: start_ms, attributes: {} };
        tracer.part(msg_id, mail_id, { name: 'queue', kind: 'internal', ...queued });
      }
      tracer.part(msg_id, mail_id, {
        name: 'attempt',
        kind: 'client',
        start_ms,
        end_ms,
        attributes: attributesOf(outcome),
        error: errorOf(outcome),
      });
    },
    recorded(outcome, due) {
      const { msg_id, mail_id, instance_id, message } = due;
      if (!final.has(outcome.verdict)) return;
      tracer.mail(msg_id, mail_id, {
        name: 'mail',
        kind: 'consumer',
        start_ms: sendingTime(due).getTime(),
        end_ms: outcome.at.getTime(),
        attributes: {
          'chasqui.mail_id': mail_id,
          'chasqui.instance_id': instance_id,
          'chasqui.stream': message.stream,
          'chasqui.outcome': outcome.verdict,
          'chasqui.attempts': outcome.details.attempt,
        },
        error: errorOf(outcome),
      });
    },
  };
}

function attributesOf(outcome: Outcome) {
  const { details, verdict } = outcome;
  return {
    'chasqui.outcome': verdict,
    'chasqui.reason': 'reason' in outcome ? outcome.reason : undefined,
    'chasqui.attempt': details.attempt,
    'chasqui.provider': providerLabel(details.remote_host),
    'chasqui.tls': tlsLabel(details),
    'server.address': details.remote_host,
    'network.peer.address': details.remote_ip,
    'chasqui.smtp_code': details.smtp_code,
    'chasqui.enhanced_code': details.enhanced_code,
  };
}

function errorOf(outcome: Outcome): string | undefined {
  return outcome.verdict === 'deferred' || outcome.verdict === 'bounced' ? outcome.reason : undefined;
}
