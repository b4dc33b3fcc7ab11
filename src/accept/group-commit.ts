import { setTimeout as delay } from 'node:timers/promises';
import type { BatchStep } from '../base/db/copy-in.ts';
import type { Database } from '../base/db/database.ts';
import { problemFromError } from '../base/errors/from-error.ts';
import { HandOver } from '../deliver/hand-over.ts';
import { insertEvents, type NewEvent } from '../events/insert-events.ts';
import { insertMessages } from '../mails/insert-messages.ts';
import { enqueue, type QueueEntry } from '../queue/enqueue.ts';
import { v7 as uuidv7 } from 'uuid';
import { reservePlaces, type Accepted, type Reserved } from './written-mail.ts';

interface Waiting extends Accepted {
  resolve: () => void;
  reject: (error: unknown) => void;
}

export interface GroupCommit {
  /** Resolves when the message, its mails, queue entries and events are on disk; rejects when none of them is. */
  write(accepted: Accepted): Promise<void>;
  /** Waits for what has been handed in. */
  drain(): Promise<void>;
}

const most_messages = 250;
const most_bytes = 2 * 1024 * 1024;
/** Content above this takes a lane of its own, so that small mail never waits behind it. */
const large_bytes = 256 * 1024;
const lanes = { small: 0, large: 1 };
/**
 * From the beginning of one commit to that of the next while mails come in company: 20 sessions of SMTP made batches of
 * 12 with it and of 9 without, and got a tenth more mails through. Who comes alone waits for nothing.
 */
const pause_ms = 3;

/**
 * Concurrent sends share commits. A lane writes what has gathered once its previous commit returned: under load batches
 * grow by themselves. One lane for all small mail: what gathers while it commits is read and judged meanwhile, and a
 * second lane only made batches smaller (a tenth more of both processors per message), as commits that notify take
 * turns at the server anyway. What can be delivered at once in this process is handed over after its commit.
 */
export function createGroupCommit(db: Database, handOver: HandOver = new HandOver()): GroupCommit {
  let waiting = 0;
  let idle = Promise.withResolvers<void>();
  const onOver = (count: number): void => {
    waiting -= count;
    if (waiting === 0) idle.resolve();
  };
  const addSmall = createLane({ db, handOver, lane: lanes.small }, onOver);
  const addLarge = createLane({ db, handOver, lane: lanes.large }, onOver);

  return {
    async write({ message, sender, instance }) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      if (waiting === 0) idle = Promise.withResolvers<void>();
      waiting += 1;
      const add = message.size_bytes > large_bytes ? addLarge : addSmall;
      add({ message, sender, instance, resolve, reject });
      await promise;
    },
    async drain() {
      while (waiting > 0) await idle.promise;
    },
  };
}

/** What puts a message in line; `onOver` hears of each batch that is over, whatever became of it. */
function createLane(on: Lane, onOver: (count: number) => void): (entry: Waiting) => void {
  const queue: Waiting[] = [];
  let isBusy = false;
  let may_begin_at = 0;

  async function writeNext(): Promise<void> {
    const wait = may_begin_at - performance.now();
    if (wait > 0) await delay(wait);
    const batch = takeBatch(queue);
    may_begin_at = batch.length > 1 ? performance.now() + pause_ms : 0;
    await commit(on, batch).finally(() => onOver(batch.length));
  }

  async function work(): Promise<void> {
    if (isBusy) return;
    isBusy = true;
    try {
      while (queue.length > 0) await writeNext();
    } finally {
      isBusy = false;
    }
  }

  return (entry) => {
    queue.push(entry);
    // Once the present turn of the loop is over: whatever else it accepts goes along.
    if (!isBusy) setImmediate(() => void work());
  };
}

function takeBatch(queue: Waiting[]): Waiting[] {
  let count = 0;
  let bytes = 0;
  for (const { message } of queue) {
    bytes += message.size_bytes;
    if (count === most_messages || (count > 0 && bytes > most_bytes)) break;
    count += 1;
  }
  return queue.splice(0, count);
}

interface Lane {
  db: Database;
  handOver: HandOver;
  lane: number;
}

/**
 * When a batch is refused for what one of its messages is, its halves are written by themselves, and theirs, until
 * that one is alone: it fails, its neighbours do not. When the store itself is lost, all of them are.
 */
async function commit(on: Lane, batch: Waiting[]): Promise<void> {
  const places = batch.map((each) => reservePlaces(on.handOver, each));
  try {
    await on.db.batch(on.lane, stepsFor(batch, places));
  } catch (error) {
    for (const reserved of places) for (const { place } of reserved.values()) place.giveUp();
    if (batch.length > 1 && !isStoreLost(error)) {
      const middle = Math.ceil(batch.length / 2);
      await commit(on, batch.slice(0, middle));
      await commit(on, batch.slice(middle));
      return;
    }
    for (const { reject } of batch) reject(error);
    return;
  }
  for (const { resolve } of batch) resolve();
  for (const reserved of places) for (const { start } of reserved.values()) start();
}

/** Whether the error says nothing about what was to be written; it may even be there. */
export function isStoreLost(error: unknown): boolean {
  return problemFromError(error)?.code === 'service_unavailable';
}

function stepsFor(batch: Waiting[], places: Map<string, Reserved>[]): BatchStep[] {
  const messages = batch.map(({ message }) => message);
  const entries: QueueEntry[] = [];
  const events: NewEvent[] = [];
  for (const [index, { msg_id, instance_id, stream, received_at, mails }] of messages.entries()) {
    for (const { mail_id, destination, drop_reason } of mails) {
      if (drop_reason === null) {
        const priority = stream === 'transactional' ? 0 : 1;
        const place = places[index]?.get(mail_id)?.place;
        const lease = place && { id: place.lease, until: place.leased_until };
        entries.push({ mail_id, msg_id, instance_id, destination, priority, due_at: received_at, lease });
      } else {
        const event_id = uuidv7({ msecs: received_at.getTime() });
        events.push({
          event_id,
          mail_id,
          msg_id,
          instance_id,
          at: received_at,
          event: 'dropped',
          status: 4,
          reason: drop_reason,
        });
      }
    }
  }
  return [...insertMessages(messages), ...enqueue(entries), ...insertEvents(events)];
}
