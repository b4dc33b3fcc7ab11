import { isAnybodyBlocked } from '../base/db/blocked-contacts.ts';
import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { listed } from '../exports/index.ts';
import { maxCounted, pageOf, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { addCategory, rangeOf, sendersOfDomain, statusesOf, type Listing } from './mail-filters.ts';
import type { MailRecord, SentFilters } from './mail-schemas.ts';
import { mailColumns, mailConditions } from './mails.ts';

/** Column of the statistics per status. */
const byStatus: Record<number, string> = {
  1: 'received - queued - sent - dropped - deferred - bounced - onhold',
  2: 'queued',
  3: 'sent',
  4: 'dropped',
  5: 'deferred',
  6: 'bounced',
  7: 'onhold',
};

/** No mail has two statuses, so their counts add up. */
const sumOf = (statuses: number[]): string =>
  statuses.length === 0 ? '0' : statuses.map((status) => `(${byStatus[status] ?? '0'})`).join(' + ');

/** The column that counts what these filters select; undefined when mails are not counted by one of them. */
function countOf(query: SentFilters): string | undefined {
  const { recipient, msg_id, mail_id, custom_msg_id, tag = [], subject, opened, test_mode, sandbox } = query;
  const statuses = statusesOf(query);
  const uncounted = [recipient, msg_id, mail_id, custom_msg_id, ...tag, subject];
  if (uncounted.some((filter) => typeof filter === 'string') || typeof sandbox === 'boolean')
    return undefined;
  const wanted = opened === 'all' ? null : (opened ?? null);
  if (typeof test_mode === 'boolean') {
    if (statuses || wanted !== null) return undefined;
    return test_mode ? 'test' : 'received - test';
  }
  if (statuses) return wanted === null ? sumOf(statuses) : undefined;
  if (wanted === null) return 'received';
  return wanted === 'opened' ? 'unique_opens' : 'unopened';
}

/**
 * Finds a page by the statistics: they have the number of mails per day and quarter of an hour by status, sender,
 * category or group. Only the quarters of the page are read, and the total is known. An index on these columns would make every
 * status change write all other indexes (no HOT updates). Undefined for other filters.
 */
export async function listByStats(
  db: Queryable,
  listing: Listing<SentFilters & PageRequest>,
): Promise<PageOf<MailRecord> | undefined> {
  const count = countOf(listing.query);
  if (count === undefined) return undefined;
  const { page = 1, page_size = 20 } = listing.query;
  const { mails, total, is_anybody_blocked } = await readPage(db, listing, count);
  // Statistics count everybody: places in the list would be wrong.
  if (is_anybody_blocked) return undefined;
  return pageOf(mails, { page, page_size, total_items: total > maxCounted ? null : total });
}

interface Found {
  total: number;
  is_anybody_blocked: boolean;
  mail_id: string | null;
}

/**
 * One statement, so that counts and mails are one snapshot. A span is a whole day, or a quarter at the ends of the
 * range. `ranked` has the cumulative count from the newest span on.
 */
async function readPage(
  db: Queryable,
  listing: Listing<SentFilters & PageRequest>,
  count: string,
): Promise<{ mails: MailRecord[]; total: number; is_anybody_blocked: boolean }> {
  const { query, instance } = listing;
  const { page = 1, page_size = 20 } = query;
  const { from, until } = rangeOf(listing);
  const tables = tablesOf(query);
  const [first, last] = tables.days === undefined ? [from, from] : wholeDays(from, until);
  const values = [instance.id, from, until, (page - 1) * page_size, page_size + 1, first, last];
  const kind = new Conditions(values)
    .where('sender_id = ?', query.sender_id)
    .where(`sender_id in (${sendersOfDomain})`, query.domain_id)
    .where('custom_group_code = ?', query.custom_group_code);
  addCategory(kind, { column: 'category_id', category: query.category, instance });
  const mails = mailConditions(new Conditions(kind.values), listing);
  const of = `instance_id = $1 and ${kind.sql()}`;
  const quarters = `select quarter, ${count} as count from ${tables.quarters} and ${of}`;
  const days = tables.days
    ? `select day, ${count} from ${tables.days} and ${of} and day >= $6 and day < $7 union all`
    : '';
  const rows = await db.query<MailRecord & Found>(
    `with deltas as materialized (
       select quarter, ${count} as count from stats_deltas
       where ${of} and quarter >= $2 and quarter < $3
     ), spans as (
       select start, sum(count) as count from (
         ${days}
         ${quarters} and quarter >= $2 and quarter < $6
         union all
         ${quarters} and quarter >= $7 and quarter < $3
         union all
         select case when quarter >= $6 and quarter < $7 then day_of(quarter) else quarter end, count from deltas
       ) as counted (start, count) group by start having sum(count) > 0
     ), ranked as materialized (
       select start, count, sum(count) over (order by start desc) as reached from spans
     ), near as materialized (
       select start, start + case when start >= $6 and start < $7 then interval '1 day' else interval '15 minutes' end as finish,
         reached - count as before
       from ranked where reached > $4 and reached - count < $4 + $5
     ), ranked_quarters as (
       select quarter, count, sum(count) over (order by quarter desc) + (select min(before) from near) as reached from (
         select quarter, sum(count) as count from (
           select q.* from near cross join lateral (${quarters} and quarter >= near.start and quarter < near.finish) as q
           union all
           select deltas.* from near join deltas on quarter >= near.start and quarter < near.finish
         ) as counted group by quarter having sum(count) > 0
       ) as quarters
     ), present as materialized (
       select quarter, reached - count as before from ranked_quarters
       where reached > $4 and reached - count < $4 + $5
     )
     select (select coalesce(max(reached), 0)::bigint from ranked) as total,
       ${isAnybodyBlocked('$1')} as is_anybody_blocked, mail.*
     from (select 1) as one left join lateral (
       select ${listed(mailColumns)} from present p cross join lateral (
         select * from mails m
         where m.instance_id = $1 and m.mail_id >= uuid_at(p.quarter)
           and m.mail_id < uuid_at(p.quarter + interval '15 minutes') and ${mails.sql()}
           -- Known beforehand: the plan leaves out the months before and after.
           and m.mail_id >= uuid_at($2) and m.mail_id < uuid_at($3)
         -- Or the planner would walk from the newest mail to the page.
         offset 0
       ) as m
       order by m.mail_id desc limit $5 offset $4 - (select coalesce(min(before), 0)::bigint from present)
     ) as mail on true`,
    mails.values,
  );
  return {
    total: rows[0]?.total ?? 0,
    is_anybody_blocked: rows[0]?.is_anybody_blocked ?? false,
    mails: rows
      .filter(({ mail_id }) => mail_id !== null)
      .map(({ total: _total, is_anybody_blocked: _blocked, ...mail }) => mail),
  };
}

interface Tables {
  quarters: string;
  days?: string;
}

/** Groups are not folded into days, since there may be as many groups as mails. */
function tablesOf({ custom_group_code, sender_id, domain_id, category }: SentFilters): Tables {
  if (typeof custom_group_code === 'string') return { quarters: 'stats_group_quarters where true' };
  const isDetail =
    typeof sender_id === 'number' || typeof domain_id === 'number' || typeof category === 'string';
  const kind = isDetail ? 'is_detail' : 'not is_detail and sender_id = 0 and category_id = 0';
  return { quarters: `stats_quarters where ${kind}`, days: `stats_days where ${kind}` };
}

const dayMs = 86_400_000;

/** The part of the range that consists of whole UTC days, possibly empty. */
function wholeDays(from: Date, until: Date): [Date, Date] {
  const first = Math.min(Math.ceil(from.getTime() / dayMs) * dayMs, until.getTime());
  const last = Math.max(Math.floor(until.getTime() / dayMs) * dayMs, first);
  return [new Date(first), new Date(last)];
}
