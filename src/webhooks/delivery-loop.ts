import { setTimeout as delay } from 'node:timers/promises';
import { createBatchLoader } from '../base/db/batch-loader.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import type { Log } from '../base/log.ts';
import type { RootSecret } from '../base/secrets.ts';
import { outcomeOf, type AttemptOutcome } from './attempt-record.ts';
import { createClaim } from './claim-deliveries.ts';
import { requestFor } from './delivery-request.ts';
import { loadDeliveries, type DueDelivery } from './load-deliveries.ts';
import { createPause } from './pause.ts';
import { messageId } from './payload.ts';
import { recordAttempts } from './record-attempts.ts';
import { createRoom } from './room.ts';
import { stopped, type Answer, type WebhookClient } from './webhook-client.ts';
import { createSecretOpener } from './webhook-secret.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

interface DeliveryOptions {
  db: Database;
  notifications: Notifications;
  clock: Clock;
  log: Log;
  root: RootSecret;
  client: WebhookClient;
  metrics: WebhookMetrics;
  /** Longer than any attempt takes: what a dead node held is tried again after it. */
  lease_seconds: number;
}

const most_under_way = 500;
const most_per_claim = 250;
const store_retry_ms = 500;
const idle_wait_ms = 500;

const gone: Answer = { status_code: null, error: 'event_gone', latency_ms: 0, headers: {}, body: '' };

/** Takes deliveries that are due, posts them, and writes the outcomes back in bulk. */
export function createDeliveryLoop(options: DeliveryOptions) {
  const { db, notifications, clock, log, root, client, metrics, lease_seconds } = options;
  const claim = createClaim(db);
  const open = createSecretOpener(root);
  const room = createRoom(most_under_way);
  const underWay = new Set<Promise<void>>();
  const pause = createPause();
  let stopping = false;
  let isCut = false;
  let running: Promise<void> | undefined;

  const record = createBatchLoader<AttemptOutcome, void>(async (outcomes) => {
    for (const id of await recordAttempts(db, outcomes, clock.now())) {
      log.info({ webhook_id: id }, 'a webhook was paused for failing persistently');
    }
    return outcomes.map(() => undefined);
  }, 500);

  /** What was posted cannot be taken back: it is written down as soon as the store is there again. */
  async function insist(outcome: AttemptOutcome): Promise<void> {
    const until = performance.now() + lease_seconds * 1000;
    for (;;) {
      try {
        await record(outcome);
        return;
      } catch (error) {
        if (isCut || performance.now() > until) throw error;
        log.warn({ err: error }, 'the store is out of reach; it is tried again');
        await delay(store_retry_ms);
      }
    }
  }

  async function handle(delivery: DueDelivery): Promise<void> {
    const { webhook, body, webhook_id } = delivery;
    const started_at = clock.now();
    const message = { id: messageId(delivery.event_id), body: body ?? '' };
    try {
      const request = requestFor(webhook, message, { open, now: started_at });
      const answer = body === undefined ? gone : await client.post(request);
      // Its lease runs out, and another node tries it.
      if (answer.error === stopped) return;
      const finished_at = clock.now();
      if (answer !== gone) room.learn(webhook_id, answer.error === null, finished_at.getTime());
      metrics.attempted(delivery, answer, finished_at);
      await insist(outcomeOf(delivery, { request, answer, started_at, finished_at, random: Math.random() }));
    } catch (error) {
      // The lease runs out and it is tried again.
      log.error({ err: error, delivery_id: delivery.id }, 'a delivery could not be recorded');
    }
  }

  function dispatch(deliveries: DueDelivery[]): void {
    for (const delivery of deliveries) {
      room.enter(delivery.webhook_id);
      const task = handle(delivery).finally(() => {
        room.leave(delivery.webhook_id);
        underWay.delete(task);
        pause.end();
      });
      underWay.add(task);
    }
  }

  /** Whether there may be more to take at once. */
  async function step(): Promise<boolean> {
    const now = clock.now();
    const { free, room: shares, others } = room.shares(now.getTime());
    if (free <= 0) return false;
    const { deliveries, is_whole } = await claim({
      count: Math.min(most_per_claim, free),
      per_webhook: others,
      room: shares,
      lease_seconds,
      now,
    });
    if (deliveries.length > 0) dispatch(await loadDeliveries(db, deliveries));
    return !is_whole;
  }

  async function run(): Promise<void> {
    while (!stopping) {
      pause.begin();
      try {
        if (!(await step())) await pause.wait(idle_wait_ms);
      } catch (error) {
        log.warn({ err: error }, 'deliveries of webhooks could not be read');
        await delay(store_retry_ms);
      }
    }
    await Promise.all(underWay);
  }

  return {
    start(): void {
      notifications.on('chasqui_webhooks', pause.end);
      notifications.on('chasqui_changed', (change) => {
        const [, id] = /^webhooks (\d+)$/.exec(change) ?? [];
        if (id === undefined) return;
        room.forget(Number(id));
        pause.end();
      });
      notifications.onGap(pause.end);
      running = run();
    },
    /** Takes no more and waits for what is under way. */
    async stop(): Promise<void> {
      stopping = true;
      pause.end();
      await running;
    },
    /** No longer waits for a database that is out of reach. */
    cut(): void {
      isCut = true;
    },
  };
}
