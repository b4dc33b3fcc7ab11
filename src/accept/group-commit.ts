import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { createBatcher, isStoreLost } from '../base/db/batcher.ts';
import { OutcomeUnknown } from '../base/db/connection-loss.ts';
import type { BatchStep } from '../base/db/copy-in.ts';
import type { Database } from '../base/db/database.ts';
import { HandOver } from '../deliver/index.ts';
import { insertEvents, type NewEvent } from '../events/index.ts';
import { insertMessages } from '../mails/index.ts';
import { enqueue, type QueueEntry } from '../queue/index.ts';
import { reservePlaces, type Accepted, type Reserved } from './written-mail.ts';

export interface GroupCommit {
  /** Resolves when the message, its mails, queue entries and events are on disk; rejects when none of them is. */
  write(accepted: Accepted): Promise<void>;
  /** Waits for what has been handed in. */
  drain(): Promise<void>;
  /** No longer waits to find out whether a commit stands: its writes reject, and may be there all the same. */
  cut(): void;
}

const most_messages = 250;
const max_bytes = 2 * 1024 * 1024;
/** Content above this has a connection of its own, so that small mail never waits behind it. */
const large_bytes = 256 * 1024;
const small_connections = 2;
/**
 * A second commit beside one that is under way keeps both processors at work, when it is of several mails: 5 % more
 * throughput over HTTP, 20 % over SMTP. And a good half of those that wait at the same time is enough for a batch: one part is
 * judged while the other is written. Else all that were answered together come again together: 15 % less over HTTP.
 */
const early = { fewest: 8, share: 0.6 };
const ask_again_ms = 250;

/**
 * Concurrent sends share commits. What can be delivered at once in this process is handed over after its commit. A
 * message that cannot be stored fails alone.
 */
export function createGroupCommit(db: Database, handOver: HandOver = new HandOver()): GroupCommit {
  const cut = new AbortController();
  const common = {
    max_items: most_messages,
    max_bytes,
    bytesOf: ({ message }: Accepted) => message.size_bytes,
    early,
    on_failure: 'split',
  } as const;
  const commitOn = (first: number) => async (batch: Accepted[], slot: number) =>
    await commit({ db, handOver, connection: first + slot, signal: cut.signal }, batch);
  const small = createBatcher({ ...common, slots: small_connections, run: commitOn(0) });
  const large = createBatcher({ ...common, run: commitOn(small_connections) });
  return {
    write: (accepted) => (accepted.message.size_bytes > large_bytes ? large : small).add(accepted),
    drain: async () => void (await Promise.all([small.drain(), large.drain()])),
    cut: () => cut.abort(),
  };
}

interface Commit {
  db: Database;
  handOver: HandOver;
  /** Of the database, for one batch at a time. */
  connection: number;
  signal: AbortSignal;
}

async function commit(on: Commit, batch: Accepted[]): Promise<void[]> {
  const places = batch.map((each) => reservePlaces(on.handOver, each));
  try {
    await commitOnce(on, stepsFor(batch, places));
  } catch (error) {
    for (const reserved of places) for (const { place } of reserved.values()) place.giveUp();
    throw error;
  }
  for (const reserved of places) for (const { start } of reserved.values()) start();
  return batch.map(() => undefined);
}

/**
 * When the answer to a commit is lost, whether it stands is unknown. Then the same batch is sent again: if it stands, its
 * own keys refuse it, after a transaction that is still under way has ended; if not, it is stored now. Whoever waits is
 * answered with what is true.
 */
async function commitOnce({ db, connection, signal }: Commit, steps: BatchStep[]): Promise<void> {
  let isUnknown = false;
  for (;;) {
    try {
      await db.batch(connection, steps);
      return;
    } catch (error) {
      if (isUnknown && isStored(error)) return;
      isUnknown ||= error instanceof OutcomeUnknown;
      // What the database refused, or never got, is not there; after a doubt only a refusal for the content says so.
      if (!isUnknown || !isStoreLost(error) || signal.aborted) throw error;
      await delay(ask_again_ms, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** The primary key of `messages` or one of its partitions: this very batch stands, as it is one transaction. */
function isStored(error: unknown): boolean {
  const { code, table } = error as { code?: unknown; table?: unknown };
  return code === '23505' && typeof table === 'string' && /^messages(_\d|$)/.test(table);
}

function stepsFor(batch: Accepted[], places: Map<string, Reserved>[]): BatchStep[] {
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
