import type { WebhookDeliveryDetail } from './delivery-schemas.ts';
import type { DueDelivery } from './load-deliveries.ts';
import { retryAfterSeconds } from './retry-after.ts';
import type { Answer, Delivery } from './webhook-client.ts';

/** The outcome of one attempt, to be recorded. */
export interface AttemptOutcome {
  id: number;
  webhook_id: number;
  lease: string;
  started_at: Date;
  finished_at: Date;
  state: 'pending' | 'delivered' | 'failed';
  due_at: Date | null;
  status_code: number | null;
  error: string | null;
  /** The endpoint answered 410: the webhook is paused. */
  is_gone: boolean;
  /** One line of the delivery's log. */
  logged: WebhookDeliveryDetail['log'][number];
}

interface Exchange {
  request: Delivery;
  answer: Answer;
  started_at: Date;
  finished_at: Date;
  random: number;
}

export function outcomeOf(delivery: DueDelivery, exchange: Exchange): AttemptOutcome {
  const { id, webhook_id, lease, attempt } = delivery;
  const { request, answer, started_at, finished_at, random } = exchange;
  const { status_code, error } = answer;
  const wait = answer.retry_after === undefined ? 0 : retryAfterSeconds(answer.retry_after, finished_at);
  const next = error === null ? undefined : nextAttemptAt(attempt, { failed_at: finished_at, random, wait });
  return {
    id,
    webhook_id,
    lease,
    started_at,
    finished_at,
    state: stateAfter(error, next),
    due_at: next ?? null,
    status_code,
    error,
    is_gone: status_code === 410,
    logged: {
      at: started_at,
      attempt,
      url: request.url,
      request_headers: withoutCredentials(request),
      status_code,
      error,
      duration_ms: answer.latency_ms,
      response_headers: delivery.is_about_person ? {} : answer.headers,
      response_body: delivery.is_about_person ? '' : answer.body,
      next_attempt_at: next ?? null,
    },
  };
}

function stateAfter(error: string | null, next: Date | undefined): AttemptOutcome['state'] {
  if (error === null) return 'delivered';
  return next ? 'pending' : 'failed';
}

const minute = 60;
const hour = 60 * minute;

/** Contract §9: seconds after the attempt before. */
const retryDelays = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** When to retry after attempt n failed, not before the endpoint wants it; undefined after the last one. */
function nextAttemptAt(
  attempt: number,
  { failed_at, random, wait }: { failed_at: Date; random: number; wait: number },
): Date | undefined {
  const seconds = retryDelays[attempt - 1];
  if (seconds === undefined) return undefined;
  // Jitter of a tenth either way.
  const delay = seconds * (0.9 + 0.2 * random);
  return new Date(failed_at.getTime() + Math.round(Math.max(delay, wait) * 1000));
}

/** A password is not kept. Signatures prove one request only. */
function withoutCredentials({ headers, hidden = [] }: Delivery): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (hidden.includes(name)) return [name, '…'];
      return [name, name === 'authorization' ? 'Basic …' : value];
    }),
  );
}
