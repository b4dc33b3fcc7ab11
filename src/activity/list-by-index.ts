import type { Queryable } from '../base/db/database.ts';
import { listed } from '../exports/index.ts';
import { maxCounted, pageOf, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import type { MailRecord } from './mail-schemas.ts';
import { mailColumns } from './mails.ts';

/** The mails of a list. */
export interface MailSource {
  /** From `from` to the last condition: mails as `m`, unordered. */
  sql: string;
  /** The same for ids only, where that is cheaper. */
  ids?: string | undefined;
  /** By the mail, newest first, where its order is known by another name. */
  order_by?: string;
  /** The instance and both ends of the time range come first. */
  values: unknown[];
}

/**
 * A page and its total from an index. The ids are read once for both, and only mails of the page are fetched.
 * Undefined when there are more than are counted.
 */
export async function listCountable(
  db: Queryable,
  { sql, ids = sql, values }: MailSource,
  { page = 1, page_size = 20 }: PageRequest,
): Promise<PageOf<MailRecord> | undefined> {
  const next = values.length + 1;
  const rows = await db.query<MailRecord & { total: number; mail_id: string | null }>(
    `with found as materialized (select m.mail_id ${ids} limit ${maxCounted + 1})
     select (select count(*) from found) as total, listed.*
     from (select 1) as one left join lateral (
       select ${listed(mailColumns)} from mails m
       where m.mail_id = any (array(select mail_id from found order by mail_id desc limit $${next} offset $${next + 1}))
         and m.mail_id >= uuid_at($2) and m.mail_id < uuid_at($3)
       order by m.mail_id desc
     ) as listed on true`,
    [...values, page_size + 1, (page - 1) * page_size],
  );
  const total = rows[0]?.total ?? 0;
  if (total > maxCounted) return undefined;
  const data = rows.filter(({ mail_id }) => mail_id !== null).map(({ total: _total, ...mail }) => mail);
  return pageOf(data, { page, page_size, total_items: total });
}

/** A page from the newest mail on, without a total. */
export async function listUncounted(
  db: Queryable,
  { sql, order_by = 'm.mail_id desc', values }: MailSource,
  { page = 1, page_size = 20, total_items }: PageRequest & { total_items: number | null },
): Promise<PageOf<MailRecord>> {
  const next = values.length + 1;
  const data = await db.query<MailRecord>(
    `select ${listed(mailColumns)} ${sql} order by ${order_by} limit $${next} offset $${next + 1}`,
    [...values, page_size + 1, (page - 1) * page_size],
  );
  return pageOf(data, { page, page_size, total_items });
}
