import type { Database, Queryable } from '../base/db/database.ts';
import { batch_rows, inBatches } from '../base/jobs/in-batches.ts';
import type { Job, JobContext } from '../base/jobs/job.ts';
import { retentionStart } from './retention-start.ts';

/** Everything that is kept by month. What depends on another comes before it. */
const parents = ['mail_subjects', 'events', 'message_attachments', 'messages', 'mails'];

/**
 * Mail leaves when its time is over: whole months at once when it is over for every instance, and mail by mail for
 * instances that keep it for a shorter time than others. What is still in the queue stays until its outcome is known.
 */
export const retentionJob: Job = {
  name: 'retention',
  every_ms: 3_600_000,
  async run(context) {
    const dropped = await dropOldMonths(context);
    const deleted = await deleteOldMails(context);
    return `${dropped.join(', ') || 'no month'} dropped, ${deleted} mails deleted`;
  },
};

interface Month {
  /** `2026_08`. */
  name: string;
  tables: string[];
}

async function dropOldMonths({ db, now, isStopping }: JobContext): Promise<string[]> {
  const [longest] = await db.query<{ months: number }>(
    'select coalesce(max(retention_months), 3)::integer as months from instances',
  );
  const start = retentionStart(now, longest?.months ?? 3);
  const dropped: string[] = [];
  for (const month of await listMonths(db, start)) {
    if (isStopping()) break;
    if (await dropMonth(db, month)) dropped.push(month.name);
  }
  return dropped;
}

/** Months that were over before that moment, with their partitions. */
async function listMonths(db: Queryable, before: Date): Promise<Month[]> {
  return await db.query<Month & { [name: string]: unknown }>(
    `select right(c.relname, 7) as name, array_agg(c.relname::text order by array_position($1::text[], p.relname::text)) as tables
     from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
     where p.relname = any ($1::text[]) and c.relname = p.relname || '_' || right(c.relname, 7)
       and right(c.relname, 7) ~ '^[0-9]{4}_[0-9]{2}$'
       and (to_timestamp(right(c.relname, 7), 'YYYY_MM')::timestamp + interval '1 month') at time zone 'UTC' <= $2
     group by 1 order by 1`,
    [parents, before],
  );
}

/**
 * Whether it is gone. A mail of that month that still waits keeps all of it. Dropping has to lock the table: it waits for
 * no long reader, since everybody would wait behind it, but for the next run.
 */
async function dropMonth(db: Database, { name, tables }: Month): Promise<boolean> {
  return await db
    .transaction(async (tx) => {
      await tx.query(`set local lock_timeout = '2s'`);
      const [waiting] = await tx.query(
        `select 1 from queue
         where mail_id >= uuid_at(to_timestamp($1, 'YYYY_MM')::timestamp at time zone 'UTC')
           and mail_id < uuid_at((to_timestamp($1, 'YYYY_MM')::timestamp + interval '1 month') at time zone 'UTC')
         limit 1`,
        [name],
      );
      if (waiting) return false;
      for (const table of tables) await tx.query(`drop table ${table}`);
      return true;
    })
    .catch((error: { code?: string }) => {
      if (error.code === '55P03') return false;
      throw error as Error;
    });
}

async function deleteOldMails(context: JobContext): Promise<number> {
  const { db, now } = context;
  const instances = await db.query<{ id: number; months: number }>(
    `select id, retention_months::integer as months from instances
     where retention_months < (select max(retention_months) from instances) order by id`,
  );
  let sum = 0;
  for (const { id, months } of instances) {
    const start = retentionStart(now, months);
    sum += await inBatches(context, async () => await deleteBatch(db, id, start));
    await db.query(
      'delete from mail_subjects where instance_id = $1 and mail_id < uuid_at($2::timestamptz)',
      [id, start],
    );
  }
  return sum;
}

/** Mails with all that happened to them, and the messages that have no other mail left. */
async function deleteBatch(db: Database, instanceId: number, before: Date): Promise<number> {
  return await db.transaction(async (tx) => {
    const mails = await tx.query<{ mail_id: string; msg_id: string }>(
      `delete from mails where mail_id in (
         select m.mail_id from mails m
         where m.instance_id = $1 and m.mail_id < uuid_at($2::timestamptz)
           and not exists (select from queue q where q.mail_id = m.mail_id)
         order by m.mail_id limit $3
       ) returning mail_id, msg_id`,
      [instanceId, before, batch_rows],
    );
    if (mails.length === 0) return 0;
    await tx.query('delete from events where mail_id = any ($1::uuid[])', [
      mails.map(({ mail_id }) => mail_id),
    ]);
    const messages = await tx.query<{ msg_id: string }>(
      `delete from messages g where g.msg_id = any ($1::uuid[])
         and not exists (select from mails m where m.instance_id = $2 and m.msg_id = g.msg_id)
       returning g.msg_id`,
      [[...new Set(mails.map(({ msg_id }) => msg_id))], instanceId],
    );
    await tx.query('delete from message_attachments where msg_id = any ($1::uuid[])', [
      messages.map(({ msg_id }) => msg_id),
    ]);
    return mails.length;
  });
}
