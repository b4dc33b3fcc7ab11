import { v7 as uuidv7 } from 'uuid';
import type { WatchBatches } from '../base/db/batch-metrics.ts';
import { createBatcher, isStoreLost } from '../base/db/batcher.ts';
import { OutcomeUnknown } from '../base/db/connection-loss.ts';
import type { BatchStep } from '../base/db/copy-in.ts';
import type { Database, Transaction } from '../base/db/database.ts';
import { retry } from '../base/retry.ts';
import { HandOver } from '../deliver/index.ts';
import { insertEvents, type NewEvent } from '../events/index.ts';
import {
  findTakenKeys,
  insertKeptAnswers,
  insertMessages,
  isKeyTaken,
  nameOf,
  type NewMessage,
} from '../mails/index.ts';
import { enqueue, type QueueEntry } from '../queue/index.ts';
import { reserveSlots, type AcceptedCall, type Reserved } from './written-mail.ts';

/** `key_taken`: another call with the same idempotency key was committed first, and nothing of this one is stored. */
type Written = 'stored' | 'key_taken';

export interface GroupCommit {
  /** Resolves when the messages, their mails, queue rows, events and answer are committed; rejects when none of them is. */
  write(call: AcceptedCall): Promise<Written>;
  /** Waits for writes in flight. */
  drain(): Promise<void>;
  /** Stops resolving unknown commits: their writes reject, although they may be stored. */
  abort(): void;
}

const maxMessages = 250;
const max_bytes = 2 * 1024 * 1024;
/** Larger content uses its own connection, so that small mail does not wait behind it. */
const largeBytes = 256 * 1024;
/** Mails of one call. PostgreSQL writes about 20,000 a second. */
const largeMails = 1_000;
const smallConnections = 2;
/**
 * When the next batch starts while one is in flight: from so many mails on, and from a share of those waiting, so that one
 * part is prepared while the other is written: +5 % over HTTP and +20 % over SMTP by the overlap, +15 % over HTTP by the
 * share. 10 and 80 % make larger batches, which PostgreSQL writes for 10 % less of its time a mail: no gain alone on a
 * machine, and 5 % less over HTTP and 3 % over SMTP beside other load.
 */
const early = { fewest: 8, share: 0.6 };
/** PostgreSQL took 8 % less for mails in sessions of their own; rates differed by less than the rounds did. */
const linger = { fewest: 6, iterations: 4 };
const askAgain = { first_ms: 250, most_ms: 250 };
/** Every conflict takes a call out of the commit, or an answer that is over out of the database. */
const maxKeyConflicts = maxMessages + 1;

/**
 * Concurrent sends share commits. A message that cannot be stored fails without the others. Mail that can be delivered by this
 * process is handed over after its commit.
 */
export function createGroupCommit(
  db: Database,
  handOver: HandOver = new HandOver(),
  batches?: WatchBatches,
): GroupCommit {
  const abort = new AbortController();
  const common = {
    max_items: maxMessages,
    max_bytes,
    bytesOf,
    early,
    linger,
    on_failure: 'split',
  } as const;
  const commitOn = (first: number) => async (batch: AcceptedCall[], slot: number) =>
    await commit({ db, handOver, connection: first + slot, signal: abort.signal }, batch);
  const small = createBatcher({
    ...common,
    slots: smallConnections,
    run: commitOn(0),
    watch: batches?.('accept'),
  });
  const large = createBatcher({
    ...common,
    run: commitOn(smallConnections),
    watch: batches?.('accept large'),
  });
  return {
    write: (call) => (isLarge(call) ? large : small).add(call),
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

function bytesOf({ accepted }: AcceptedCall): number {
  return accepted.reduce((sum, { message }) => sum + message.size_bytes, 0);
}

function isLarge(call: AcceptedCall): boolean {
  const messages = call.accepted.map(({ message }) => message);
  return (
    messages.some(({ size_bytes }) => size_bytes > largeBytes) ||
    bytesOf(call) > max_bytes ||
    messages.reduce((sum, { mails }) => sum + mails.length, 0) > largeMails
  );
}

/** A call on its way to the database, with the delivery slots that are reserved for its mails. */
interface Writing {
  call: AcceptedCall;
  slots: Map<string, Reserved>[];
}

async function commit(on: Commit, batch: AcceptedCall[]): Promise<Written[]> {
  const all = batch.map((call) => ({
    call,
    slots: call.accepted.map((each) => reserveSlots(on.handOver, each)),
  }));
  const stored = new Set(all);
  try {
    await commitUntaken(on, stored);
  } catch (error) {
    for (const writing of stored) releaseSlots(writing);
    throw error;
  }
  for (const { slots } of stored)
    for (const reserved of slots) for (const { start } of reserved.values()) start();
  return all.map((writing) => (stored.has(writing) ? 'stored' : 'key_taken'));
}

function releaseSlots({ slots }: Writing): void {
  for (const reserved of slots) for (const { slot } of reserved.values()) slot.release();
}

/**
 * A key that was taken meanwhile makes the commit fail, the calls beside it included. These are written again at once, without
 * the calls whose key is taken, which are removed from the set.
 */
async function commitUntaken(on: Commit, left: Set<Writing>): Promise<void> {
  for (let attempt = 1; left.size > 0; attempt += 1) {
    try {
      await commitOnce(on, stepsFor([...left]));
      return;
    } catch (error) {
      if (!isKeyTaken(error) || attempt > maxKeyConflicts) throw error;
    }
    const keys = [...left].flatMap(({ call }) => call.answer ?? []);
    const taken = await findTakenKeys(on.db, keys);
    for (const writing of left) {
      const { answer } = writing.call;
      if (!answer || !taken.has(nameOf(answer))) continue;
      releaseSlots(writing);
      left.delete(writing);
    }
  }
}

/**
 * When the answer to a commit is lost, its outcome is unknown. The same batch is sent again: a duplicate key means
 * that the first commit stands (the insert waits for a transaction that is still ending); otherwise it is stored now.
 */
async function commitOnce({ db, connection, signal }: Commit, steps: BatchStep[]): Promise<void> {
  let isUnknown = false;
  const write = async (): Promise<void> => {
    try {
      await db.batch(connection, steps);
    } catch (error) {
      if (isUnknown && isStored(error)) return;
      isUnknown ||= error instanceof OutcomeUnknown;
      throw error;
    }
  };
  // A refused batch is not stored. After a lost answer, only a refusal of the content says so.
  const isRetryable = (error: unknown): boolean => isUnknown && isStoreLost(error);
  await retry(write, { ...askAgain, isRetryable, signal });
}

/** A duplicate primary key of `messages`: this batch is stored, since it is one transaction. */
function isStored(error: unknown): boolean {
  const { code, table } = error as { code?: unknown; table?: unknown };
  return code === '23505' && typeof table === 'string' && /^messages(_\d|$)/.test(table);
}

/** Writes a message with its mails, queue rows and events in a transaction of the caller. Nothing is handed over: it is claimed. */
export async function writeIn(tx: Transaction, { accepted, answer }: AcceptedCall): Promise<void> {
  if (accepted.length === 0 && !answer) return;
  await tx.write(stepsFor([{ call: { accepted, answer }, slots: [] }]));
}

function stepsFor(writings: Writing[]): BatchStep[] {
  const messages: NewMessage[] = [];
  const entries: QueueEntry[] = [];
  const events: NewEvent[] = [];
  for (const { call, slots } of writings) {
    for (const [index, { message }] of call.accepted.entries()) {
      messages.push(message);
      addMails(message, slots[index], { entries, events });
    }
  }
  const answers = writings.flatMap(({ call }) => call.answer ?? []);
  return [
    ...insertMessages(messages),
    ...enqueue(entries),
    ...insertEvents(events),
    ...insertKeptAnswers(answers),
  ];
}

function addMails(
  { msg_id, instance_id, stream, received_at, schedule_at, mails }: NewMessage,
  slots: Map<string, Reserved> | undefined,
  { entries, events }: { entries: QueueEntry[]; events: NewEvent[] },
): void {
  for (const { mail_id, destination, drop_reason } of mails) {
    if (drop_reason === null) {
      const priority = stream === 'transactional' ? 0 : 1;
      const slot = slots?.get(mail_id)?.slot;
      const lease = slot && { id: slot.lease, until: slot.leased_until };
      const due_at = schedule_at ?? received_at;
      const is_scheduled = schedule_at !== null;
      entries.push({ mail_id, msg_id, instance_id, destination, priority, due_at, is_scheduled, lease });
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
