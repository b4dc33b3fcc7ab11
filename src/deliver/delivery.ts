import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import { createLoop } from '../base/engine/loop.ts';
import type { Node } from '../base/engine/node.ts';
import { createWorker } from '../base/engine/worker.ts';
import { IdSequence } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import { recordOutcomes, releaseHeld } from '../events/index.ts';
import type { ClaimedMail, PausedLanes } from '../queue/index.ts';
import { attempt, expired, putBack, type AttemptContext, type Tried } from './attempt.ts';
import { createBacklog } from './backlog.ts';
import { createClaimMail } from './claim-mail.ts';
import { Places, type HandOver } from './hand-over.ts';
import { loadBatch, type DueMail } from './load-batch.ts';
import { createConcurrencyLimits } from './concurrency-limits.ts';

interface DeliveryOptions {
  db: Database;
  notifications: Notifications;
  clock: Clock;
  log: Log;
  node: Node;
  attempts: AttemptContext;
  /** Opened while this runs. */
  hand_over: HandOver;
  paused: PausedLanes;
  /** Mails under way at the same time in this process. */
  max_under_way: number;
  /** Longer than any attempt takes: a mail is claimed anew only when its node is gone. */
  lease_seconds: number;
}

export interface Delivery {
  start(): void;
  /** Claims no more and waits for the attempts under way. */
  stop(): Promise<void>;
  /** No longer waits for a database that is out of reach. */
  cut(): void;
}

/** A mail under way. Without what is due its message is gone. */
interface UnderWay {
  mail_id: string;
  mail: ClaimedMail;
  due: DueMail | undefined;
  /** Whether it was handed over, and not claimed. */
  is_handed_over: boolean;
  leave: () => void;
}

/** A mail on its way for this long gives its place up, up to so many of them: it waits for a server that is silent. */
const slow_after_ms = 750;
const max_slow = 2_000;
/** Mails whose outcome is not recorded, for each place. */
const max_unfinished = 8;
const idle_wait_ms = 1_000;
const maintain_every_ms = 5_000;

/** Takes mail from the queue as long as there is room, tries each one, and writes the outcomes back in bulk. */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { db, notifications, clock, log, node, lease_seconds, paused } = options;
  const ids = new IdSequence();
  const backlog = createBacklog();
  const room = createConcurrencyLimits({
    places: options.max_under_way,
    slow_after_ms,
    max_slow,
    onFreeSlot: () => claims.isHungry() && worker.wake(),
  });
  const claims = createClaimMail({ db, clock, node, room, backlog, lease_seconds });
  const isOpen = (): boolean => worker.unfinished() < options.max_under_way * max_unfinished;

  async function claim(): Promise<{ items: UnderWay[]; wait_ms: number }> {
    const claimed = isOpen() ? await claims.claim() : undefined;
    if (!claimed || claimed.length === 0) return { items: [], wait_ms: idle_wait_ms };
    return { items: await load(claimed), wait_ms: 0 };
  }

  async function load(claimed: ClaimedMail[]): Promise<UnderWay[]> {
    const due = new Map((await loadClaimed(claimed)).map((mail) => [mail.mail_id, mail]));
    return claimed.map((mail) => {
      const found = due.get(mail.mail_id);
      const leave = room.enter(mail.destination, found?.message.stream === 'transactional');
      return { mail_id: mail.mail_id, mail, due: found, is_handed_over: false, leave };
    });
  }

  async function loadClaimed(claimed: ClaimedMail[]): Promise<DueMail[]> {
    try {
      return await loadBatch(db, claimed);
    } catch (error) {
      for (const lease of new Set(claimed.map((mail) => mail.lease))) node.abandon(lease);
      throw error;
    }
  }

  async function tryOne({ mail, due, is_handed_over, leave }: UnderWay): Promise<Tried> {
    const tried = await begin(mail, { due, is_handed_over }).finally(leave);
    room.learn(mail.destination, tried.outcome, tried.outcome.at.getTime());
    return tried;
  }

  async function begin(
    mail: ClaimedMail,
    { due, is_handed_over }: Pick<UnderWay, 'due' | 'is_handed_over'>,
  ): Promise<Tried> {
    if (!due) return { outcome: expired(mail, clock.now()) };
    // A pause that was on its way when the place was asked for is known by now; a claim has looked itself.
    if (is_handed_over && paused.has(mail.instance_id, mail.destination))
      return { outcome: putBack(mail, clock.now()) };
    return await attempt(options.attempts, due);
  }

  const worker = createWorker<UnderWay, Tried, boolean>({
    name: 'mail',
    log,
    claim,
    attempt: tryOne,
    max_recorded: 500,
    // Nobody waits for it, and many at once cost little more than one.
    record_every_ms: 40,
    lease_ms: lease_seconds * 1000,
    async record(tried) {
      const outcomes = tried.map(({ outcome }) => outcome);
      const counted = await recordOutcomes(db, ids, outcomes);
      return outcomes.map(({ mail_id }) => counted.has(mail_id));
    },
    async after({ mail_id }, { afterwards }, counts) {
      if (!counts || !afterwards) return;
      await afterwards().catch((error: unknown) =>
        log.error({ err: error, mail_id }, 'what follows a delivery could not be done'),
      );
    },
  });

  const places = new Places({
    clock,
    room,
    backlog,
    paused,
    lease_seconds,
    newLease: () => node.newLease(),
    isOpen,
    start: (due, leave) => worker.run({ mail_id: due.mail_id, mail: due, due, is_handed_over: true, leave }),
  });

  const maintenance = createLoop({
    name: 'releasing held mail',
    log,
    async step() {
      await paused.refresh();
      await releaseHeld(db, ids, clock.now());
      return maintain_every_ms;
    },
  });

  return {
    start() {
      notifications.on('chasqui_queue', () => worker.wake());
      notifications.onGap(() => worker.wake());
      options.hand_over.open((request) => places.reserve(request));
      maintenance.start();
      worker.start();
    },
    async stop() {
      options.hand_over.close();
      // Places that are held for commits become mails under way, or are given up.
      await Promise.all([maintenance.stop(), worker.stop(), places.drain()]);
      await worker.stop();
    },
    cut: () => worker.cut(),
  };
}
