import { randomUUID } from 'node:crypto';
import { createBatchLoader } from '../base/db/batch-loader.ts';
import type { Database } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import type { Clock } from '../base/clock.ts';
import { IdSequence } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Outcome } from '../events/outcome.ts';
import { recordOutcomes } from '../events/record-outcomes.ts';
import { createClaim, type ClaimedMail } from '../queue/claim.ts';
import { attempt, type AttemptContext } from './attempt.ts';
import { releaseHeld } from './holds.ts';
import { loadBatch } from './load-batch.ts';

interface DeliveryOptions {
  db: Database;
  notifications: Notifications;
  clock: Clock;
  log: Log;
  attempts: AttemptContext;
  /** Mails under way at the same time in this process. */
  max_under_way: number;
}

export interface Delivery {
  start(): void;
  /** Claims no more and waits for the attempts under way. */
  stop(): Promise<void>;
}

const most_per_claim = 250;
/** Of one instance to one destination, in one claim and at any moment. */
const most_per_lane = 50;
const most_per_destination = 200;
/** Longer than any attempt takes: a mail is claimed anew only when its node is gone. */
const lease_seconds = 1_800;
const idle_wait_ms = 1_000;
const release_every_ms = 5_000;

/** Takes mail from the queue as long as there is room, tries each one, and writes the outcomes back in bulk. */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { db, notifications, clock, log } = options;
  const claim = createClaim(db);
  const ids = new IdSequence();
  const underWay = new Set<Promise<void>>();
  const perDestination = new Map<string, number>();
  let stopping = false;
  let wake = (): void => undefined;
  let running: Promise<void> | undefined;

  const record = createBatchLoader<Outcome, boolean>(async (outcomes) => {
    const counted = await recordOutcomes(db, ids, outcomes);
    return outcomes.map(({ mail_id }) => counted.has(mail_id));
  }, 500);

  const count = (destination: string, change: 1 | -1): void => {
    const now = (perDestination.get(destination) ?? 0) + change;
    if (now === 0) perDestination.delete(destination);
    else perDestination.set(destination, now);
  };

  async function handle(mail: Parameters<typeof attempt>[1]): Promise<void> {
    try {
      await record(await attempt(options.attempts, mail));
    } catch (error) {
      // The store is out of reach: the lease runs out and the mail is tried again.
      log.error({ err: error, mail_id: mail.mail_id }, 'an outcome could not be recorded');
    }
  }

  async function dispatch(claimed: ClaimedMail[]): Promise<void> {
    for (const mail of await loadBatch(db, claimed)) {
      count(mail.destination, 1);
      const task = handle(mail).finally(() => {
        count(mail.destination, -1);
        underWay.delete(task);
        wake();
      });
      underWay.add(task);
    }
  }

  async function pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, idle_wait_ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    wake = () => undefined;
  }

  async function step(): Promise<boolean> {
    const room = Math.min(options.max_under_way - underWay.size, most_per_claim);
    if (room <= 0) return false;
    const claimed = await claim({
      lease: randomUUID(),
      count: room,
      per_lane: most_per_lane,
      lease_seconds,
      excluded: [...perDestination]
        .filter(([, number]) => number >= most_per_destination)
        .map(([name]) => name),
      now: clock.now(),
    });
    if (claimed.length > 0) await dispatch(claimed);
    return claimed.length > 0;
  }

  async function run(): Promise<void> {
    let released = 0;
    while (!stopping) {
      try {
        const now = performance.now();
        if (now - released > release_every_ms) {
          released = now;
          await releaseHeld(db, ids, clock.now());
        }
        if (!(await step()) && !stopping) await pause();
      } catch (error) {
        log.warn({ err: error }, 'the queue could not be read');
        await pause();
      }
    }
    await Promise.all(underWay);
  }

  return {
    start() {
      notifications.on('chasqui_queue', () => wake());
      notifications.onGap(() => wake());
      running = run();
    },
    async stop() {
      stopping = true;
      wake();
      await running;
    },
  };
}
