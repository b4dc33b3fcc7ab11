import { setTimeout as delay } from 'node:timers/promises';
import { createBatchLoader } from '../base/db/batch-loader.ts';
import type { Database } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import type { Clock } from '../base/clock.ts';
import { IdSequence } from '../base/ids.ts';
import type { Log } from '../base/log.ts';
import type { Outcome } from '../events/outcome.ts';
import { recordOutcomes } from '../events/record-outcomes.ts';
import { createClaim, type ClaimedMail } from '../queue/claim.ts';
import { attempt, expired, putBack, type AttemptContext, type Tried } from './attempt.ts';
import { createLeaseHolder } from '../queue/lease-holder.ts';
import type { PausedLanes } from '../queue/paused-lanes.ts';
import { createBacklog } from './backlog.ts';
import type { HandOver, Place, Wish } from './hand-over.ts';
import { releaseHeld } from './holds.ts';
import { loadBatch, type DueMail } from './load-batch.ts';
import { createRoom } from './room.ts';

interface DeliveryOptions {
  db: Database;
  notifications: Notifications;
  clock: Clock;
  log: Log;
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

const most_per_claim = 250;
/** Of the room that is free, so that what one destination gets is weighed anew while it fills. */
const claim_share = 1 / 4;
/** A mail on its way for this long gives its place up, up to so many of them: it waits for a server that is silent. */
const slow_after_ms = 750;
const most_slow = 2_000;
/**
 * Under load a claim or a record of many costs hardly more than one of a few, and nobody waits for either: a mail that
 * comes alone is still taken at once.
 */
const claim_every_ms = 10;
const large_claim = 50;
const record_every_ms = 40;
/** Content of mails that were handed over, which is not in the database alone. */
const most_handed_bytes = 32 * 1024 * 1024;
/** Mails that are not done with, for each place. */
const most_unfinished = 8;
const store_retry_ms = 500;
const finish_wait_ms = 5;
const idle_wait_ms = 1_000;
const release_every_ms = 5_000;

/** Takes mail from the queue as long as there is room, tries each one, and writes the outcomes back in bulk. */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { db, notifications, clock, log, lease_seconds } = options;
  const claim = createClaim(db);
  const holder = createLeaseHolder(db);
  const ids = new IdSequence();
  /** Mails under way, and those whose outcome waits to be written. */
  let unfinished = 0;
  const backlog = createBacklog();
  let handedBytes = 0;
  let reserved = 0;
  let stopping = false;
  let isCut = false;
  let isWoken = false;
  let endPause = (): void => undefined;
  let running: Promise<void> | undefined;

  const record = createBatchLoader<Outcome, boolean>(
    async (outcomes) => {
      const counted = await recordOutcomes(db, ids, outcomes);
      return outcomes.map(({ mail_id }) => counted.has(mail_id));
    },
    500,
    record_every_ms,
  );

  /** A wake-up that comes while the queue is being read counts too: what it is about may have been missed. */
  const wake = (): void => {
    isWoken = true;
    endPause();
  };

  /** Whether the last look at the queue passed something over for which there was no room. */
  let isHungry = true;
  const room = createRoom({
    places: options.max_under_way,
    slow_after_ms,
    most_slow,
    onRoom: () => isHungry && wake(),
  });

  /** What was said at a remote server cannot be taken back: it is written as soon as the store is there again. */
  async function insist<T>(work: () => Promise<T>): Promise<T> {
    const until = performance.now() + lease_seconds * 1000;
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (isCut || performance.now() > until) throw error;
        log.warn({ err: error }, 'the store is out of reach; it is tried again');
        await delay(store_retry_ms);
      }
    }
  }

  /** The place is free again once the attempt is over; that it is written down is waited for at a stop alone. */
  async function finish(mail: ClaimedMail, trying: Promise<Tried>, leave: () => void): Promise<void> {
    unfinished += 1;
    try {
      const { outcome, afterwards } = await trying.finally(leave);
      room.learn(mail.destination, outcome, outcome.at.getTime());
      const counts = await insist(() => record(outcome));
      if (counts && afterwards) await follow(mail, afterwards);
    } catch (error) {
      // The lease runs out and the mail is tried again.
      log.error({ err: error, mail_id: mail.mail_id }, 'an outcome could not be recorded');
    } finally {
      unfinished -= 1;
    }
  }

  async function follow({ mail_id }: ClaimedMail, afterwards: () => Promise<void>): Promise<void> {
    await afterwards().catch((error: unknown) =>
      log.error({ err: error, mail_id }, 'what follows a delivery could not be done'),
    );
  }

  async function dispatch(claimed: ClaimedMail[]): Promise<void> {
    const loaded = await insist(async () => await loadBatch(db, claimed));
    const due = new Map(loaded.map((mail) => [mail.mail_id, mail]));
    for (const mail of claimed) {
      const found = due.get(mail.mail_id);
      const leave = room.enter(mail.destination, found?.message.stream === 'transactional');
      const trying = found
        ? attempt(options.attempts, found)
        : Promise.resolve({ outcome: expired(mail, clock.now()) });
      void finish(mail, trying, leave);
    }
  }

  /**
   * Only where nothing waits that would be overtaken: as soon as a destination has more mail than it may have under way,
   * all of it goes through the queue, where every instance gets its turn.
   */
  function reserve({ instance_id, destination, urgent, bytes }: Wish): Place | undefined {
    if (options.paused.has(instance_id, destination)) return undefined;
    const now = clock.now();
    const fits = isRoomy() && handedBytes + bytes <= most_handed_bytes;
    if (backlog.has(destination) || !fits || !room.mayEnter(destination, urgent, now.getTime())) {
      backlog.add(destination);
      return undefined;
    }
    handedBytes += bytes;
    reserved += 1;
    const leavePlace = room.enter(destination, urgent);
    const leave = (): void => {
      handedBytes -= bytes;
      leavePlace();
    };
    const lease = holder.newLease();
    return {
      lease,
      leased_until: new Date(now.getTime() + lease_seconds * 1000),
      take(given) {
        reserved -= 1;
        const mail: DueMail = { ...given, attempt: 1, lease };
        // A pause that was on its way when the place was asked for has been heard of by now.
        const isPaused = options.paused.has(instance_id, destination);
        const trying = isPaused
          ? Promise.resolve({ outcome: putBack(mail, clock.now()) })
          : attempt(options.attempts, mail);
        void finish(mail, trying, leave);
      },
      giveUp() {
        reserved -= 1;
        leave();
      },
    };
  }

  /** Outcomes that cannot be written pile up: then nothing more is begun. */
  function isRoomy(): boolean {
    return unfinished < options.max_under_way * most_unfinished;
  }

  async function pause(): Promise<void> {
    if (isWoken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, idle_wait_ms);
      endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    endPause = () => undefined;
  }

  let claimed_at = -Infinity;
  async function step(): Promise<boolean> {
    const wait = claimed_at + claim_every_ms - performance.now();
    if (wait > 0) await delay(wait);
    const free = room.free();
    isHungry = true;
    if (free <= 0 || !isRoomy()) return false;
    const now = clock.now();
    const began = performance.now();
    const count = Math.min(most_per_claim, Math.ceil(free * claim_share));
    const shares = room.shares(now.getTime());
    const claimed = await claim({
      lease: holder.newLease(),
      count,
      broadcast_count: room.freeForBroadcast(),
      lease_seconds,
      ...shares,
      now,
    });
    isHungry = shares.per_lane === 0 || shares.excluded.length + shares.excluded_for_broadcast.length > 0;
    if (claimed.length < count) backlog.look(claimed, shares);
    // Where there is much to take and room for it, the next claim follows at once.
    claimed_at = claimed.length >= large_claim ? -Infinity : began;
    if (claimed.length > 0) await dispatch(claimed);
    return claimed.length > 0;
  }

  async function run(): Promise<void> {
    let released = -Infinity;
    while (!stopping) {
      isWoken = false;
      try {
        const now = performance.now();
        if (now - released > release_every_ms) {
          released = now;
          await options.paused.refresh();
          const orphans = await holder.attend(clock.now());
          if (orphans > 0) log.warn({ mails: orphans }, 'mail of a node that is gone is back in line');
          await releaseHeld(db, ids, clock.now());
        }
        if (!(await step()) && !stopping) await pause();
      } catch (error) {
        log.warn({ err: error }, 'the queue could not be read');
        await delay(store_retry_ms);
      }
    }
    // Those of a commit that is still on its way come last.
    while (reserved > 0 || unfinished > 0) await delay(finish_wait_ms);
    await holder.leave().catch((error: unknown) => log.warn({ err: error }, 'the store is out of reach'));
  }

  return {
    start() {
      notifications.on('chasqui_queue', () => wake());
      notifications.onGap(() => wake());
      options.hand_over.open(reserve);
      running = run();
    },
    async stop() {
      stopping = true;
      options.hand_over.close();
      wake();
      await running;
    },
    cut() {
      isCut = true;
    },
  };
}
