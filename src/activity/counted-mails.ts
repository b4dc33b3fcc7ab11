import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { listed } from '../base/http/export-format.ts';
import { most_counted, pageOf, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { rangeOf, type Listing } from './mail-filters.ts';
import type { MailRecord, SentFilters } from './mail-schemas.ts';
import { mailColumns, mailConditions } from './mails.ts';

/** The statistics' count of the mails in each status. */
const byStatus: Record<number, string> = {
  1: 'received - queued - sent - dropped - deferred - bounced - onhold',
  2: 'queued',
  3: 'sent',
  4: 'dropped',
  5: 'deferred',
  6: 'bounced',
  7: 'onhold',
};

/**
 * The column of the statistics that counts what these filters find, or undefined when one of them is none that mails are
 * counted by.
 */
function countOf(query: SentFilters): string | undefined {
  const { recipient, msg_id, mail_id, custom_msg_id, subject, status, opened } = query;
  if ([recipient, msg_id, mail_id, custom_msg_id, subject].some((filter) => typeof filter === 'string')) {
    return undefined;
  }
  const wanted = opened === 'all' ? null : (opened ?? null);
  if (typeof status === 'number') return wanted === null ? byStatus[status] : undefined;
  if (wanted === null) return 'received';
  return wanted === 'opened' ? 'unique_opens' : 'unopened';
}

/**
 * A page of the list, found by the statistics: they know how many mails each quarter of an hour has of a status, a sender
 * or a group. So only the quarters that the page lies in are read, be it the hundredth page or the one bounce of a year,
 * and the total is known without counting. No index on these columns has to be written for that, which would also make
 * every change of a status write all other indexes (a row that moves in one of them moves in all).
 * Undefined when the filters are others.
 */
export async function listCounted(
  db: Queryable,
  listing: Listing<SentFilters & PageRequest>,
): Promise<PageOf<MailRecord> | undefined> {
  const count = countOf(listing.query);
  if (count === undefined) return undefined;
  const { page = 1, page_size = 20 } = listing.query;
  const wanted = Math.max(most_counted, page * page_size) + 1;
  let found: CountedPage = { mails: [], total: 0 };
  for (const quarters of quarters_looked_at) {
    found = await readPage(db, listing, { count, quarters });
    if (found.total >= wanted) break;
  }
  const total_items = found.total > most_counted ? null : found.total;
  return pageOf(found.mails, { page, page_size, total_items });
}

/** So many of the newest at first: where there is much mail, few are enough for the page and to know that there are 10,000. */
const quarters_looked_at = [300, 2_000, 1_000_000];

interface CountedPage {
  mails: MailRecord[];
  /** In the quarters that were looked at. */
  total: number;
}

async function readPage(
  db: Queryable,
  listing: Listing<SentFilters & PageRequest>,
  { count, quarters: most }: { count: string; quarters: number },
): Promise<CountedPage> {
  const { query, instance } = listing;
  const { page = 1, page_size = 20 } = query;
  const { from, until } = rangeOf(listing);
  const values = [instance.id, from, until, (page - 1) * page_size, page_size + 1, most];
  const quarters = new Conditions(values)
    .where('sender_id = ?', query.sender_id)
    .where('custom_group_code = ?', query.custom_group_code);
  const mails = mailConditions(new Conditions(quarters.values), query);
  const rows = await db.query<MailRecord & { total: number; mail_id: string | null }>(
    `with folded as materialized (
       select quarter, ${count} as count from ${folded(query)}
         and instance_id = $1 and quarter >= $2 and quarter < $3 and ${quarters.sql()}
       order by quarter desc limit $6
     ), quarters as (
       select quarter, sum(count) as count from (
         select * from folded
         union all
         select quarter, ${count} from stats_deltas
         where instance_id = $1 and quarter < $3 and ${quarters.sql()}
           and quarter >= case when (select count(*) from folded) < $6 then $2 else (select min(quarter) from folded) end
       ) as counted group by quarter having sum(count) > 0
     ), ranked as materialized (
       select quarter, count, sum(count) over (order by quarter desc) as reached from quarters
     ), present as materialized (
       select quarter, reached - count as before from ranked where reached > $4 and reached - count < $4 + $5
     )
     select (select coalesce(max(reached), 0)::bigint from ranked) as total, mail.*
     from (select 1) as one left join lateral (
       select ${listed(mailColumns)} from present p cross join lateral (
         select * from mails m
         where m.instance_id = $1 and m.mail_id >= uuid_at(p.quarter)
           and m.mail_id < uuid_at(p.quarter + interval '15 minutes') and ${mails.sql()}
         -- Or the planner would walk from the newest mail to the page.
         offset 0
       ) as m
       order by m.mail_id desc limit $5 offset $4 - (select coalesce(min(before), 0)::bigint from present)
     ) as mail on true`,
    mails.values,
  );
  return {
    total: rows[0]?.total ?? 0,
    mails: rows.filter(({ mail_id }) => mail_id !== null).map(({ total: _total, ...mail }) => mail),
  };
}

/** The table that is counted by these filters; in the order of its key the newest quarters come first. */
function folded({ custom_group_code, sender_id }: SentFilters): string {
  if (typeof custom_group_code === 'string') return 'stats_group_quarters where true';
  if (typeof sender_id === 'number') return 'stats_quarters where is_detail';
  return 'stats_quarters where not is_detail and sender_id = 0 and category_id = 0';
}
