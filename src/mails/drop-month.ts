import type { Database, Queryable } from '../base/db/database.ts';

/** Tables partitioned by month; dependants first. */
const parents = ['mail_subjects', 'events', 'message_attachments', 'messages', 'mail_tags', 'mails'];

interface MonthTable {
  name: string;
  parent: string;
  /** `detaching` and `detached` remain after an interrupted run. */
  state: 'attached' | 'detaching' | 'detached';
}

export interface Month {
  /** `2026_08`. */
  name: string;
  tables: MonthTable[];
}

/** Months that ended before that time, oldest first. */
export async function listMonths(db: Queryable, before: Date): Promise<Month[]> {
  return await db.query<Month & { [name: string]: unknown }>(
    `select right(c.relname, 7) as name, json_agg(json_build_object('name', c.relname, 'parent', p.relname, 'state',
         case when i.inhrelid is null then 'detached' when i.inhdetachpending then 'detaching' else 'attached' end
       ) order by array_position($1::text[], p.relname::text)) as tables
     from pg_class p
       join pg_class c on c.relnamespace = p.relnamespace and c.relkind = 'r' and left(c.relname, -8) = p.relname
       left join pg_inherits i on i.inhrelid = c.oid and i.inhparent = p.oid
     where p.oid = any ($1::text[]::regclass[]) and right(c.relname, 8) ~ '^_[0-9]{4}_[0-9]{2}$'
       and (to_timestamp(right(c.relname, 7), 'YYYY_MM')::timestamp + interval '1 month') at time zone 'UTC' <= $2
     group by 1 order by 1`,
    [parents, before],
  );
}

export async function hasQueuedMail(db: Queryable, { name }: Month): Promise<boolean> {
  const [waiting] = await db.query(
    `select 1 from queue
     where mail_id >= uuid_at(to_timestamp($1, 'YYYY_MM')::timestamp at time zone 'UTC')
       and mail_id < uuid_at((to_timestamp($1, 'YYYY_MM')::timestamp + interval '1 month') at time zone 'UTC')
     limit 1`,
    [name],
  );
  return waiting !== undefined;
}

/** query_canceled, lock_not_available. */
const notNow = new Set(['57014', '55P03']);

/**
 * True when the month is gone. Dropping an attached partition locks its parent; readers lock parents in any order,
 * which led to deadlocks. `detach concurrently` blocks neither readers nor writers; it waits for those that still use
 * the partition, such as an export. What remains after the time limit is dropped by a later run.
 */
export async function dropMonth(db: Database, { tables }: Month): Promise<boolean> {
  try {
    for (const table of tables) await dropTable(db, table);
    return true;
  } catch (error) {
    if (notNow.has((error as { code?: string }).code ?? '')) return false;
    throw error;
  }
}

async function dropTable(db: Database, { name, parent, state }: MonthTable): Promise<void> {
  if (state !== 'detached') {
    const how = state === 'attached' ? 'concurrently' : 'finalize';
    await db.query(`alter table ${parent} detach partition ${name} ${how}`);
  }
  await db.transaction(async (tx) => {
    // Only autovacuum can hold it, and it yields.
    await tx.query(`set local lock_timeout = '5s'`);
    await tx.query(`drop table ${name}`);
  });
}
