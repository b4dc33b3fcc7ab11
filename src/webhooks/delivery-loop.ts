import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import type { Node } from '../base/engine/node.ts';
import { createWorker, type Worker } from '../base/engine/worker.ts';
import type { Log } from '../base/log.ts';
import type { RootSecret } from '../base/secrets.ts';
import { outcomeOf, type AttemptOutcome } from './attempt-record.ts';
import { createClaim } from './claim-deliveries.ts';
import { requestFor } from './delivery-request.ts';
import { loadDeliveries, type DueDelivery } from './load-deliveries.ts';
import { messageId } from './payload.ts';
import { recordAttempts } from './record-attempts.ts';
import { createConcurrencyLimits } from './concurrency-limits.ts';
import { stopped, type Answer, type WebhookClient } from './webhook-client.ts';
import { createSecretOpener } from './webhook-secret.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

interface DeliveryOptions {
  db: Database;
  notifications: Notifications;
  clock: Clock;
  log: Log;
  node: Node;
  root: RootSecret;
  client: WebhookClient;
  metrics: WebhookMetrics;
  /** Longer than any attempt takes: what a dead node held is tried again after it. */
  lease_seconds: number;
}

const max_under_way = 500;
const max_per_claim = 250;
const idle_wait_ms = 500;

const gone: Answer = { status_code: null, error: 'event_gone', latency_ms: 0, headers: {}, body: '' };

/** Takes deliveries that are due, posts them, and writes the outcomes back in bulk. */
export function createDeliveryLoop(options: DeliveryOptions): Worker<DueDelivery> {
  const { db, notifications, clock, log, node, client, metrics, lease_seconds } = options;
  const claimDue = createClaim(db);
  const open = createSecretOpener(options.root);
  const room = createConcurrencyLimits(max_under_way);

  async function claim(): Promise<{ items: DueDelivery[]; wait_ms: number }> {
    const now = clock.now();
    const { free, room: shares, others } = room.shares(now.getTime());
    if (free <= 0) return { items: [], wait_ms: idle_wait_ms };
    const count = Math.min(max_per_claim, free);
    const lease = node.newLease();
    const request = { lease, count, per_webhook: others, room: shares, lease_seconds, now };
    const { deliveries, is_whole } = await claimDue(request);
    const items = deliveries.length > 0 ? await loadDeliveries(db, deliveries) : [];
    for (const { webhook_id } of items) room.enter(webhook_id);
    return { items, wait_ms: is_whole ? idle_wait_ms : 0 };
  }

  async function post(delivery: DueDelivery): Promise<AttemptOutcome | undefined> {
    const { webhook, body, webhook_id } = delivery;
    // The process was stopped for a while: another node may have it by now. Its lease expires.
    if (performance.now() - delivery.leased_at > (lease_seconds * 1000) / 3) return undefined;
    const started_at = clock.now();
    const message = { id: messageId(delivery.event_id), body: body ?? '' };
    const request = requestFor(webhook, message, { open, now: started_at });
    const answer = body === undefined ? gone : await client.post(request);
    // Its lease expires, and another node tries it.
    if (answer.error === stopped) return undefined;
    const finished_at = clock.now();
    if (answer !== gone) room.learn(webhook_id, answer.error === null, finished_at.getTime());
    metrics.attempted(delivery, answer, finished_at);
    return outcomeOf(delivery, { request, answer, started_at, finished_at, random: Math.random() });
  }

  const worker = createWorker<DueDelivery, AttemptOutcome, void>({
    name: 'webhook deliveries',
    log,
    claim,
    attempt: async (delivery) =>
      await post(delivery).finally(() => {
        room.leave(delivery.webhook_id);
        worker.wake();
      }),
    max_recorded: 500,
    lease_ms: lease_seconds * 1000,
    async record(outcomes) {
      for (const id of await recordAttempts(db, outcomes, clock.now())) {
        log.info({ webhook_id: id }, 'a webhook was paused for failing persistently');
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
        room.forget(Number(id));
        worker.wake();
      });
      notifications.onGap(worker.wake);
      worker.start();
    },
  };
}
