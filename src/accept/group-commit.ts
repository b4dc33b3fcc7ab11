import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import type { WatchBatches } from '../base/db/batch-metrics.ts';
import { createBatcher, isStoreLost } from '../base/db/batcher.ts';
import { OutcomeUnknown } from '../base/db/connection-loss.ts';
import type { BatchStep } from '../base/db/copy-in.ts';
import type { Database } from '../base/db/database.ts';
import { HandOver } from '../deliver/index.ts';
import { insertEvents, type NewEvent } from '../events/index.ts';
import { insertMessages } from '../mails/index.ts';
import { enqueue, type QueueEntry } from '../queue/index.ts';
import { reserveSlots, type Accepted, type Reserved } from './written-mail.ts';

export interface GroupCommit {
  /** Resolves when the message, its mails, queue rows and events are committed; rejects when none of them is. */
  write(accepted: Accepted): Promise<void>;
  /** Waits for writes in flight. */
  drain(): Promise<void>;
  /** Stops resolving unknown commits: their writes reject, although they may be stored. */
  abort(): void;
}

const max_messages = 250;
const max_bytes = 2 * 1024 * 1024;
/** Larger content uses its own connection, so that small mail does not wait behind it. */
const large_bytes = 256 * 1024;
const small_connections = 2;
/**
 * When the next batch starts while one is in flight: from so many mails on, and from a share of those waiting, so that one
 * part is prepared while the other is written: +5 % over HTTP and +20 % over SMTP by the overlap, +15 % over HTTP by the
 * share. 10 and 80 % make larger batches, which PostgreSQL writes for 10 % less of its time a mail: no gain alone on a
 * machine, and 5 % less over HTTP and 3 % over SMTP beside other load.
 */
const early = { fewest: 8, share: 0.6 };
/** PostgreSQL took 8 % less for mails in sessions of their own; rates differed by less than the rounds did. */
const linger = { fewest: 6, iterations: 4 };
const ask_again_ms = 250;

/**
 * Concurrent sends share commits. A message that cannot be stored fails alone. Mail that can be delivered by this
 * process is handed over after its commit.
 */
export function createGroupCommit(
  db: Database,
  handOver: HandOver = new HandOver(),
  batches?: WatchBatches,
): GroupCommit {
  const abort = new AbortController();
  const common = {
    max_items: max_messages,
    max_bytes,
    bytesOf: ({ message }: Accepted) => message.size_bytes,
    early,
    linger,
    on_failure: 'split',
  } as const;
  const commitOn = (first: number) => async (batch: Accepted[], slot: number) =>
    await commit({ db, handOver, connection: first + slot, signal: abort.signal }, batch);
  const small = createBatcher({
    ...common,
    slots: small_connections,
    run: commitOn(0),
    watch: batches?.('accept'),
  });
  const large = createBatcher({
    ...common,
    run: commitOn(small_connections),
    watch: batches?.('accept large'),
  });
  return {
    write: (accepted) => (accepted.message.size_bytes > large_bytes ? large : small).add(accepted),
    drain: async () => void (await Promise.all([small.drain(), large.drain()])),
    abort: () => abort.abort(),
  };
}

interface Commit {
  db: Database;
  handOver: HandOver;
  /** Index of the database connection; each runs one batch at a time. */
  connection: number;
  signal: AbortSignal;
}

async function commit(on: Commit, batch: Accepted[]): Promise<void[]> {
  const slots = batch.map((each) => reserveSlots(on.handOver, each));
  try {
    await commitOnce(on, stepsFor(batch, slots));
  } catch (error) {
    for (const reserved of slots) for (const { slot } of reserved.values()) slot.release();
    throw error;
  }
  for (const reserved of slots) for (const { start } of reserved.values()) start();
  return batch.map(() => undefined);
}

/**
 * When the answer to a commit is lost, its outcome is unknown. The same batch is sent again: a duplicate key means
 * that the first commit stands (the insert waits for a transaction that is still ending); otherwise it is stored now.
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
      // A refused batch is not stored. After a lost answer, only a refusal of the content says so.
      if (!isUnknown || !isStoreLost(error) || signal.aborted) throw error;
      await delay(ask_again_ms, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** A duplicate primary key of `messages`: this batch is stored, since it is one transaction. */
function isStored(error: unknown): boolean {
  const { code, table } = error as { code?: unknown; table?: unknown };
  return code === '23505' && typeof table === 'string' && /^messages(_\d|$)/.test(table);
}

function stepsFor(batch: Accepted[], slots: Map<string, Reserved>[]): BatchStep[] {
  const messages = batch.map(({ message }) => message);
  const entries: QueueEntry[] = [];
  const events: NewEvent[] = [];
  for (const [index, { msg_id, instance_id, stream, received_at, mails }] of messages.entries()) {
    for (const { mail_id, destination, drop_reason } of mails) {
      if (drop_reason === null) {
        const priority = stream === 'transactional' ? 0 : 1;
        const slot = slots[index]?.get(mail_id)?.slot;
        const lease = slot && { id: slot.lease, until: slot.leased_until };
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
