import type { Clock } from '../base/clock.ts';
import { ContactHashes } from '../base/contact-hash.ts';
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
import { discardWithheld } from './discard-deliveries.ts';
import { requestFor } from './delivery-request.ts';
import { loadDeliveries, type DueDelivery } from './load-deliveries.ts';
import { messageId } from './payload.ts';
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

/** Claims deliveries that are due, posts them, and records the outcomes in batches. */
export function createDeliveryLoop(options: DeliveryOptions): Worker<Attempt> {
  const { db, notifications, clock, log, node, client, metrics, lease_seconds } = options;
  const claimDue = createClaim(db);
  const open = createSecretOpener(options.root);
  const openHeaders = createHeaderOpener(options.root);
  const hashes = new ContactHashes(options.root);
  const limits = createConcurrencyLimits(concurrency);

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
      const { due, withheld } = await loadDeliveries(db, deliveries, hashes);
      if (withheld.length > 0) await discardWithheld(db, withheld);
      const items = due.map((delivery) => ({
        ...delivery,
        releaseSlot: limits.acquire(delivery.webhook_id),
      }));
      return { items, wait_ms };
    });
  }

  /** What fails on our side has its retries and their end too. */
  async function exchange({ id, event_id, webhook, body }: DueDelivery, now: Date): Promise<Exchange> {
    try {
      const request = requestFor(webhook, { id: messageId(event_id), body }, { open, openHeaders, now });
      return { request, answer: await client.post(request) };
    } catch (error) {
      log.error({ err: error, delivery_id: id }, 'could not post a webhook delivery');
      return { request: { url: webhook.url, headers: {}, body }, answer: notPosted };
    }
  }

  async function post(delivery: DueDelivery): Promise<AttemptOutcome | undefined> {
    const { webhook_id } = delivery;
    // The process was suspended: another node may have the delivery by now.
    if (performance.now() - delivery.leased_at > (lease_seconds * 1000) / 3) return undefined;
    const started_at = clock.now();
    const { request, answer } = await exchange(delivery, started_at);
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
