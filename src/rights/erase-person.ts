import type { Database } from '../base/db/database.ts';
import type { Person } from '../base/personal-data.ts';
import { IdSequence } from '../base/ids.ts';
import { knownToPlatform } from '../accounts/index.ts';
import { dropQueued } from '../events/index.ts';
import { mailsOf, nextMailsToErase } from '../mails/index.ts';
import { rooms } from './personal-data.ts';

/** Mails of one transaction. Each may have a hundred events. */
const mails_at_once = 100;

export interface ErasureContext {
  db: Database;
  now: Date;
  isStopping: () => boolean;
}

export interface ErasureResult {
  mails: number;
  rows: number;
  dropped: number;
  /** Mails that are being delivered, or that others still wait for: the next run looks again. */
  waiting: number;
  is_complete: boolean;
}

/**
 * Erases what there is about a person, batch by batch, each in a transaction of its own. What is erased is no longer found,
 * so that a run that was killed continues where it stopped, and a run that finds nothing has erased everything.
 */
export async function erasePerson(context: ErasureContext, person: Person): Promise<ErasureResult> {
  const result: ErasureResult = { mails: 0, rows: 0, dropped: 0, waiting: 0, is_complete: false };
  await dropMails(context, person, result);
  await eraseMails(context, person, result);
  await erasePlatformMails(context, person, result);
  await eraseRows(context, person, result);
  result.is_complete = result.waiting === 0 && !context.isStopping();
  return result;
}

async function dropMails(
  { db, now, isStopping }: ErasureContext,
  person: Person,
  result: ErasureResult,
): Promise<void> {
  const ids = new IdSequence();
  const { instance_id } = person;
  for await (const page of mailsOf(db, person)) {
    if (isStopping()) return;
    const mail_ids = page.map(({ mail_id }) => mail_id);
    const drop = { instance_id, mail_ids, reason: 'recipient_erased', at: now } as const;
    const { dropped } = await db.transaction(async (tx) => await dropQueued(tx, ids, drop));
    result.dropped += dropped;
  }
}

async function eraseMails(
  { db, isStopping }: ErasureContext,
  person: Person,
  result: ErasureResult,
): Promise<void> {
  const { instance_id } = person;
  for (const email of person.emails) {
    let before: string | undefined;
    do {
      if (isStopping()) return;
      const { free, waiting, after } = await nextMailsToErase(
        db,
        { instance_id, email },
        { before, limit: mails_at_once },
      );
      if (free.mail_ids.length > 0) {
        await db.transaction(async (tx) => {
          for (const room of rooms) await room.eraseOfMails?.(tx, free);
        });
      }
      result.mails += free.mail_ids.length;
      result.waiting += waiting;
      before = after;
    } while (before !== undefined);
  }
}

/**
 * What the platform wrote to the person for the instance: invitations, links that verify a request. It is not dropped from the
 * queue, since it may be of another instance, and waits until it is delivered.
 */
async function erasePlatformMails(
  context: ErasureContext,
  person: Person,
  result: ErasureResult,
): Promise<void> {
  const [platform] = await context.db.query<{ id: number }>('select id from instances where is_platform');
  if (!platform || platform.id === person.instance_id) return;
  const known = await knownToPlatform(context.db, person);
  const emails = person.emails.filter((email) => !known.has(email));
  await eraseMails(context, { ...person, instance_id: platform.id, emails }, result);
}

async function eraseRows(
  { db, isStopping }: ErasureContext,
  person: Person,
  result: ErasureResult,
): Promise<void> {
  for (const { erase } of rooms) {
    if (!erase) continue;
    for (let erased = 1; erased > 0 && !isStopping(); result.rows += erased) {
      erased = await db.transaction(async (tx) => await erase(tx, person));
    }
  }
}
