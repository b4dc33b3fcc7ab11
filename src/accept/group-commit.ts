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
const connections = { small: [0, 1], large: [2] };
/**
 * A second commit beside one that is under way keeps both processors at work, when it is of several mails: it got 5 %
 * more through over HTTP, 14 % from SMTP to SMTP and 20 % over SMTP. With smaller ones most of that is lost again, as
 * each commit has its price.
 */
const worth_a_second = 8;
/**
 * A good half of those who come together is enough, so that one part is judged while the other is being written. Else
 * those who were answered together come again together, and the two of us take turns at waiting: 15 % less over HTTP.
 */
const share_of_company = 0.6;
/** How much is left of what the company was, with each commit. */
const company_kept = 0.97;

/**
 * Concurrent sends share commits. What gathers while one is under way makes up the next: under load batches grow by
 * themselves, and who comes alone waits for nothing. What can be delivered at once in this process is handed over after
 * its commit.
 */
export function createGroupCommit(db: Database, handOver: HandOver = new HandOver()): GroupCommit {
  let waiting = 0;
  let idle = Promise.withResolvers<void>();
  const onOver = (count: number): void => {
    waiting -= count;
    if (waiting === 0) idle.resolve();
  };
  const addSmall = createLane({ db, handOver, connections: connections.small }, onOver);
  const addLarge = createLane({ db, handOver, connections: connections.large }, onOver);

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
  const free = [...on.connections];
  let isScheduled = false;
  let under_way = 0;
  /** The most who waited at the same time of late. */
  let company = 0;

  function enough(): number {
    return Math.max(worth_a_second, Math.min(company * share_of_company, most_messages));
  }

  function next(): number | undefined {
    const isIdle = free.length === on.connections.length;
    return queue.length >= (isIdle ? 1 : enough()) ? free.pop() : undefined;
  }

  function begin(): void {
    isScheduled = false;
    for (let connection = next(); connection !== undefined; connection = next()) void write(connection);
  }

  async function write(connection: number): Promise<void> {
    company = Math.max(company * company_kept, queue.length + under_way);
    const batch = takeBatch(queue);
    under_way += batch.length;
    await commit(on, connection, batch).finally(() => {
      under_way -= batch.length;
      onOver(batch.length);
      free.push(connection);
    });
    begin();
  }

  return (entry) => {
    queue.push(entry);
    if (free.length === 0) return;
    // In the middle of a turn, so that PostgreSQL is at work on them while it goes on.
    if (queue.length >= enough()) begin();
    else if (!isScheduled) {
      isScheduled = true;
      // Once the present turn of the loop is over: whatever else it accepts goes along.
      setImmediate(begin);
    }
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
  /** Of the database, each for one batch at a time. */
  connections: number[];
}

/**
 * When a batch is refused for what one of its messages is, its halves are written by themselves, and theirs, until
 * that one is alone: it fails, its neighbours do not. When the store itself is lost, all of them are.
 */
async function commit(on: Lane, connection: number, batch: Waiting[]): Promise<void> {
  const places = batch.map((each) => reservePlaces(on.handOver, each));
  try {
    await on.db.batch(connection, stepsFor(batch, places));
  } catch (error) {
    for (const reserved of places) for (const { place } of reserved.values()) place.giveUp();
    if (batch.length > 1 && !isStoreLost(error)) {
      const middle = Math.ceil(batch.length / 2);
      await commit(on, connection, batch.slice(0, middle));
      await commit(on, connection, batch.slice(middle));
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
