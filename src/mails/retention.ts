import { Temporal } from 'temporal-polyfill';
import type { Database, Queryable } from '../base/db/database.ts';
import { batchRows } from '../base/jobs/in-batches.ts';
import { inTurns } from '../base/jobs/in-turns.ts';
import type { Job, JobContext } from '../base/jobs/job.ts';
import { deleteTags, type TaggedMail } from './delete-tags.ts';
import { dropMonth, hasQueuedMail, listMonths } from './drop-month.ts';

/** Drops whole months that are over for every instance. Queued mail is kept until its outcome is known. */
export const retentionJob: Job = {
  name: 'retention',
  every_ms: 3_600_000,
  destructive: true,
  run: async (context) => `${(await dropOldestMonth(context)) ?? 'no month'} dropped`,
};

/** Deletes mail of instances that keep it for a shorter time than others, so that its months cannot be dropped. */
export const shortRetentionJob: Job = {
  name: 'short_retention',
  every_ms: 3_600_000,
  destructive: true,
  run: async (context) => `${await deleteOldMails(context)} mails deleted`,
};

type DeletedMail = TaggedMail & { msg_id: string };

/** One month per run, so that a wrong clock or setting is noticed before all mail is gone. */
async function dropOldestMonth({ db, now }: JobContext): Promise<string | undefined> {
  const [longest] = await db.query<{ months: number }>(
    'select coalesce(max(retention_months), 3)::integer as months from instances',
  );
  const start = retentionStart(now, longest?.months ?? 3);
  for (const month of await listMonths(db, start)) {
    if (await hasQueuedMail(db, month)) continue;
    return (await dropMonth(db, month)) ? month.name : undefined;
  }
  return undefined;
}

async function deleteOldMails(context: JobContext): Promise<number> {
  const { db, now } = context;
  const instances = await db.query<{ id: number; months: number }>(
    `select id, retention_months::integer as months from instances
     where retention_months < (select max(retention_months) from instances) order by id`,
  );
  const starts = new Map(instances.map(({ id, months }) => [id, retentionStart(now, months)]));
  return await inTurns(context, { instances: [...starts.keys()] }, async (id) => {
    return await deleteBatch(db, id, starts.get(id) as Date);
  });
}

/** Mails with their events and subjects, and messages without any mail left. */
async function deleteBatch(db: Database, instanceId: number, before: Date): Promise<number> {
  return await db.transaction(async (tx) => {
    const mails = await tx.query<DeletedMail>(
      `delete from mails where mail_id in (
         select m.mail_id from mails m
         where m.instance_id = $1 and m.mail_id < uuid_at($2::timestamptz)
           and not exists (select from queue q where q.mail_id = m.mail_id)
         -- A transaction that records an open of one of them locks others, in a different order.
         order by m.mail_id limit $3 for update skip locked
       ) returning mail_id, msg_id, tags`,
      [instanceId, before, batchRows],
    );
    if (mails.length === 0) return 0;
    await deleteTags(tx, instanceId, mails);
    await deleteOfMails(tx, instanceId, mails.map(({ mail_id }) => mail_id).toSorted());
    await deleteMessages(tx, instanceId, [...new Set(mails.map(({ msg_id }) => msg_id))]);
    return mails.length;
  });
}

/** Subjects have a block range index by mail, hence the range. */
async function deleteOfMails(tx: Queryable, instanceId: number, mailIds: string[]): Promise<void> {
  await tx.query('delete from events where mail_id = any ($1::uuid[])', [mailIds]);
  await tx.query(
    `delete from mail_subjects
     where instance_id = $1 and mail_id between $3 and $4 and mail_id = any ($2::uuid[])`,
    [instanceId, mailIds, mailIds[0], mailIds.at(-1)],
  );
}

async function deleteMessages(tx: Queryable, instanceId: number, msgIds: string[]): Promise<void> {
  const messages = await tx.query<{ msg_id: string }>(
    `delete from messages g where g.msg_id = any ($1::uuid[])
       and not exists (select from mails m where m.instance_id = $2 and m.msg_id = g.msg_id)
     returning g.msg_id`,
    [msgIds, instanceId],
  );
  await tx.query('delete from message_attachments where msg_id = any ($1::uuid[])', [
    messages.map(({ msg_id }) => msg_id),
  ]);
}

/** Start of the retention: a number of calendar months ago, in UTC. */
export function retentionStart(now: Date, months: number): Date {
  const start = Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO('UTC')
    .subtract({ months });
  return new Date(start.epochMilliseconds);
}
