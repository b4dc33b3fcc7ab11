import type { Clock } from '../base/clock.ts';
import type { WatchBatches } from '../base/db/batch-metrics.ts';
import type { Database } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import { createLoop } from '../base/engine/loop.ts';
import type { Node } from '../base/engine/node.ts';
import { createWorker } from '../base/engine/worker.ts';
import { IdSequence } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { recordOutcomes, releaseHeld, type WaitReason } from '../events/index.ts';
import type { ClaimedMail, PausedDestinations } from '../queue/index.ts';
import { attempt, expired, returnToQueue, type AttemptContext, type FinishedAttempt } from './attempt.ts';
import { createBacklog } from './backlog.ts';
import { createClaimMail, type LoadedMail } from './claim-mail.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import type { DeliveryTrace } from './delivery-trace.ts';
import { DeliverySlots, type HandOver, isFresh } from './hand-over.ts';
import { createConcurrencyLimits } from './concurrency-limits.ts';
import type { DueMail } from './load-batch.ts';

interface DeliveryOptions {
  db: Database;
  notifications: Notifications;
  clock: Clock;
  log: Log;
  node: Node;
  attempts: AttemptContext;
  /** Opened while this runs. */
  hand_over: HandOver;
  paused: PausedDestinations;
  metrics: DeliveryMetrics;
  batches: WatchBatches;
  trace?: DeliveryTrace | undefined;
  /** Concurrent attempts in this process. */
  concurrency: number;
  /** Longer than any attempt takes. */
  lease_seconds: number;
}

export interface Delivery {
  start(): void;
  /** Stops claiming and waits for the running attempts. */
  stop(): Promise<void>;
  /** Stops retrying to record outcomes: the database is out of reach. */
  abort(): void;
}

interface Attempt extends LoadedMail {
  mail_id: string;
  /** Handed over by `accept/` instead of claimed. */
  is_handed_over: boolean;
  releaseSlot: () => void;
}

const slow_after_ms = 750;
const max_slow = 2_000;
/** Attempts whose outcome is not recorded yet, per slot. */
const maxUnfinished = 8;
const idleWaitMs = 1_000;
const maintainEveryMs = 5_000;

/** Claims mail while slots are free, attempts each one, and records the outcomes in batches. */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { db, notifications, clock, log, node, lease_seconds, paused, metrics, trace } = options;
  const ids = new IdSequence();
  const backlog = createBacklog();
  const limits = createConcurrencyLimits({
    slots: options.concurrency,
    slow_after_ms,
    max_slow,
    onFreeSlot: () => claims.isLimited() && worker.wake(),
  });
  const claims = createClaimMail({ db, clock, node, limits, backlog, lease_seconds });
  const isOpen = (): boolean => worker.unfinished() < options.concurrency * maxUnfinished;

  async function claim(): Promise<{ items: Attempt[]; wait_ms: number }> {
    const claimed = isOpen() ? await claims.claim() : [];
    const items = claimed.map(({ mail, due }) => {
      const releaseSlot = limits.acquire(mail.destination, due?.message.stream === 'transactional');
      return { mail_id: mail.mail_id, mail, due, is_handed_over: false, releaseSlot };
    });
    return { items, wait_ms: items.length > 0 ? 0 : idleWaitMs };
  }

  async function attemptOne({ mail, due, is_handed_over, releaseSlot }: Attempt): Promise<FinishedAttempt> {
    const began = performance.now();
    const finished = await begin(mail, { due, is_handed_over }).finally(releaseSlot);
    const duration_ms = performance.now() - began;
    metrics.attempted(finished.outcome, duration_ms / 1000);
    if (due) trace?.attempted(finished.outcome, due, duration_ms);
    limits.learn(mail.destination, finished.outcome, performance.now());
    return finished;
  }

  async function begin(
    mail: ClaimedMail,
    { due, is_handed_over }: Pick<Attempt, 'due' | 'is_handed_over'>,
  ): Promise<FinishedAttempt> {
    if (!due) return { outcome: expired(mail, clock.now()) };
    const reason = is_handed_over ? reasonToQueue(due) : undefined;
    if (reason) return { outcome: returnToQueue(mail, reason, clock.now()) };
    return await attempt(options.attempts, due);
  }

  /**
   * Why a mail that was handed over has to be claimed after all, which looks for pauses and suppressions: a pause may have been
   * committed since the slot was reserved, and so may a restriction while a slow database took long to commit the mail.
   */
  function reasonToQueue({ instance_id, destination, received_at }: DueMail): WaitReason | undefined {
    if (paused.has(instance_id, destination)) return 'paused';
    return isFresh(received_at, clock.now()) ? undefined : 'database_unavailable';
  }

  const worker = createWorker<Attempt, FinishedAttempt, boolean>({
    name: 'mail',
    log,
    claim,
    attempt: attemptOne,
    max_recorded: 500,
    // No caller waits for the record, and a large batch costs little more than a single outcome.
    record_every_ms: 40,
    watch: options.batches('delivery outcomes'),
    lease_ms: lease_seconds * 1000,
    async record(finished) {
      const outcomes = finished.map(({ outcome }) => outcome);
      const recorded = await recordOutcomes(db, ids, outcomes);
      return outcomes.map((outcome) => recorded.has(outcome));
    },
    async after({ mail_id, due }, { outcome, onRecorded }, isRecorded) {
      // What is postponed is written without an event.
      if (isRecorded || outcome.verdict === 'postponed') metrics.recorded(outcome, due);
      else metrics.lost();
      if (isRecorded && due) trace?.recorded(outcome, due);
      if (!isRecorded || !onRecorded) return;
      await onRecorded().catch((error: unknown) =>
        log.error({ err: error, mail_id }, 'a sandbox reaction failed'),
      );
    },
  });

  metrics.watch(() => ({
    slots: options.concurrency,
    free: limits.free(),
    unfinished: worker.unfinished(),
  }));

  const slots = new DeliverySlots({
    clock,
    limits,
    backlog,
    paused,
    lease_seconds,
    newLease: () => node.newLease(),
    isOpen,
    start: (due, releaseSlot) =>
      worker.run({ mail_id: due.mail_id, mail: due, due, is_handed_over: true, releaseSlot }),
  });

  const maintenance = createLoop({
    name: 'releasing held mail',
    log,
    async step() {
      await paused.refresh();
      await releaseHeld(db, ids, clock.now());
      return maintainEveryMs;
    },
  });

  return {
    start() {
      notifications.on('chasqui_queue', () => worker.wake());
      notifications.onGap(() => worker.wake());
      options.hand_over.open((request) => slots.reserve(request));
      maintenance.start();
      worker.start();
    },
    async stop() {
      options.hand_over.close();
      // A reserved slot becomes an attempt when its commit succeeds, so the worker is stopped again after the drain.
      await Promise.all([maintenance.stop(), worker.stop(), slots.drain()]);
      await worker.stop();
    },
    abort: () => worker.abort(),
  };
}
