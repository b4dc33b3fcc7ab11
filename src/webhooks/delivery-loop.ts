import type { Clock } from '../base/clock.ts';
import type { WatchBatches } from '../base/db/batch-metrics.ts';
import type { Database } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import type { Node } from '../base/engine/node.ts';
import { createWorker, type Worker } from '../base/engine/worker.ts';
import type { Log } from '../base/log.ts';
import type { Tracer } from '../base/tracing/tracer.ts';
import type { RootSecret } from '../base/secrets.ts';
import { outcomeOf, type AttemptOutcome } from './attempt-record.ts';
import { createClaim } from './claim-deliveries.ts';
import type { ReceivedHead, ReceivedLinks } from '../received/index.ts';
import type { WebhookFormat } from './formats/format.ts';
import { createFairLimiter } from '../base/fair-limiter.ts';
import { discardWithheld } from './discard-deliveries.ts';
import { requestFor } from './delivery-request.ts';
import { loadDeliveries, type DueDelivery } from './load-deliveries.ts';
import { messageId } from './payload.ts';
import { receivedBody } from './received-events.ts';
import { recordAttempts } from './record-attempts.ts';
import { createConcurrencyLimits } from './concurrency-limits.ts';
import { stopped, type Answer, type Delivery, type WebhookClient } from './webhook-client.ts';
import { createHeaderOpener } from './webhook-headers.ts';
import { createSecretOpener } from './webhook-secret.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';
import { traceDelivery } from './webhook-trace.ts';

interface DeliveryOptions {
  db: Database;
  notifications: Notifications;
  clock: Clock;
  log: Log;
  node: Node;
  root: RootSecret;
  client: WebhookClient;
  metrics: WebhookMetrics;
  batches: WatchBatches;
  tracer?: Tracer | undefined;
  received_links: ReceivedLinks;
  /** Longer than any attempt takes. */
  lease_seconds: number;
}

interface Attempt extends DueDelivery {
  releaseSlot: () => void;
}

interface Exchange {
  request: Delivery;
  answer: Answer;
}

const notPosted: Answer = {
  status_code: null,
  error: 'internal_error',
  latency_ms: 0,
  headers: {},
  body: '',
};
const concurrency = 500;
const maxPerClaim = 250;
const idleWaitMs = 500;
/** Bodies of received mail with files are up to 3 MB each. */
const largeBodies = { concurrency: 24, per_owner: 8, max_waiting: concurrency };
/** Of the source: the body of a smaller mail is small too. */
const smallSourceBytes = 128 * 1024;

/** Claims deliveries that are due, posts them, and records the outcomes in batches. */
export function createDeliveryLoop(options: DeliveryOptions): Worker<Attempt> {
  const { db, notifications, clock, log, node, client, metrics, lease_seconds } = options;
  const claimDue = createClaim(db);
  const open = createSecretOpener(options.root);
  const openHeaders = createHeaderOpener(options.root);
  const limits = createConcurrencyLimits(concurrency);
  const large = createFairLimiter(largeBodies);

  async function claim(): Promise<{ items: Attempt[]; wait_ms: number }> {
    const now = clock.now();
    const { free, limits: per_id, default_limit } = limits.shares(now.getTime());
    if (free <= 0) return { items: [], wait_ms: idleWaitMs };
    const count = Math.min(maxPerClaim, free);
    return await node.claim(async (lease) => {
      const request = { lease, count, per_webhook: default_limit, limits: per_id, lease_seconds, now };
      const { deliveries, is_complete } = await claimDue(request);
      const wait_ms = is_complete ? idleWaitMs : 0;
      if (deliveries.length === 0) return { items: [], wait_ms };
      const { due, withheld } = await loadDeliveries(db, deliveries);
      if (withheld.length > 0) await discardWithheld(db, withheld);
      const items = due.map((delivery) => ({
        ...delivery,
        releaseSlot: limits.acquire(delivery.webhook_id),
      }));
      return { items, wait_ms };
    });
  }

  async function readBody(head: ReceivedHead, format: WebhookFormat, now: Date): Promise<string> {
    const body = await receivedBody(db, { ...head, format, links: options.received_links, now });
    if (body === undefined) throw new Error('The received mail is gone.');
    return body;
  }

  /** What fails on our side has its retries and their end too. */
  async function exchange({ id, event_id, webhook, body: made }: DueDelivery, now: Date): Promise<Exchange> {
    let body = '';
    try {
      body = typeof made === 'string' ? made : await readBody(made, webhook.format, now);
      const request = requestFor(webhook, { id: messageId(event_id), body }, { open, openHeaders, now });
      return { request, answer: await client.post(request) };
    } catch (error) {
      log.error({ err: error, delivery_id: id }, 'could not post a webhook delivery');
      return { request: { url: webhook.url, headers: {}, body }, answer: notPosted };
    }
  }

  /** The process was suspended, or others took too long: another node may have the delivery by now. */
  const isTooLate = ({ leased_at }: DueDelivery): boolean =>
    performance.now() - leased_at > (lease_seconds * 1000) / 3;

  /** Few large bodies are in memory at a time. */
  async function exchangeWithin(delivery: DueDelivery, now: Date): Promise<Exchange> {
    const { body, webhook_id } = delivery;
    if (typeof body === 'string' || body.size_bytes <= smallSourceBytes) return await exchange(delivery, now);
    return await large(webhook_id, async () =>
      isTooLate(delivery)
        ? {
            request: { url: delivery.webhook.url, headers: {}, body: '' },
            answer: { ...notPosted, error: stopped },
          }
        : await exchange(delivery, now),
    );
  }

  async function post(delivery: DueDelivery): Promise<AttemptOutcome | undefined> {
    const { webhook_id } = delivery;
    if (isTooLate(delivery)) return undefined;
    const started_at = clock.now();
    const { request, answer } = await exchangeWithin(delivery, started_at);
    // Not the endpoint's fault: the lease expires, and another node retries.
    if (answer.error === stopped) return undefined;
    const finished_at = clock.now();
    limits.learn(webhook_id, answer.error === null, finished_at.getTime());
    metrics.attempted(delivery, answer, finished_at);
    if (options.tracer) traceDelivery(options.tracer, { delivery, answer, finished_at });
    return outcomeOf(delivery, { request, answer, started_at, finished_at, random: Math.random() });
  }

  const worker = createWorker<Attempt, AttemptOutcome, void>({
    name: 'webhook deliveries',
    log,
    claim,
    attempt: async (delivery) =>
      await post(delivery).finally(() => {
        delivery.releaseSlot();
        worker.wake();
      }),
    max_recorded: 500,
    watch: options.batches('webhook outcomes'),
    lease_ms: lease_seconds * 1000,
    async record(outcomes) {
      for (const id of await recordAttempts(db, outcomes, clock.now())) {
        log.info({ webhook_id: id }, 'paused a webhook after persistent failures');
      }
      return outcomes.map(() => undefined);
    },
  });

  return {
    ...worker,
    start() {
      notifications.on('chasqui_webhooks', worker.wake);
      notifications.on('chasqui_changed', (change) => {
        const [, id] = /^webhooks (\d+)$/.exec(change) ?? [];
        if (id === undefined) return;
        limits.reset(Number(id));
        worker.wake();
      });
      notifications.onGap(worker.wake);
      worker.start();
    },
  };
}
