import { Temporal } from 'temporal-polyfill';
import { addCategory, readStats, type StatsQuery } from '../activity/index.ts';
import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { readDateRange } from '../base/http/date-range.ts';
import type { Overview } from './overview-schemas.ts';

/** Mails that the latency is taken from: as many as are read in 30 ms. */
const maxSampled = 5_000;

interface OverviewRequest {
  query: StatsQuery;
  now: Date;
  instance: { id: number; timezone: string };
}

export async function readOverview(db: Queryable, request: OverviewRequest): Promise<Overview> {
  const { query, now, instance } = request;
  const stats = await readStats(db, request);
  const [start, end] = [Temporal.PlainDate.from(stats.start_date), Temporal.PlainDate.from(stats.end_date)];
  const days = start.until(end, { largestUnit: 'days' }).days + 1;
  const earlier = {
    start_date: start.subtract({ days }).toString(),
    end_date: start.subtract({ days: 1 }).toString(),
    interval: 'day' as const,
  };
  const { start_date, end_date, totals, rates } = await readStats(db, {
    ...request,
    query: { ...query, ...earlier },
  });
  const daysOnly = { start_date: stats.start_date, end_date: stats.end_date, interval: 'day' as const };
  const sandbox = await readStats(db, { ...request, query: { ...query, ...daysOnly, sandbox: true } });
  const range = readDateRange(
    { start_date: stats.start_date, end_date: stats.end_date, tz: stats.tz },
    { now, timezone: instance.timezone, months: 3 },
  );
  return {
    stats,
    before: { start_date, end_date, totals, rates },
    sandbox_received: sandbox.totals.received,
    latency: await readLatency(db, instance, { query, ...range }),
  };
}

/** Of the newest mails of the range, of any sender: matching mails may be few, and have no index. */
async function readLatency(
  db: Queryable,
  instance: { id: number },
  { query, from, until }: { query: StatsQuery; from: Date; until: Date },
): Promise<Overview['latency']> {
  const conditions = new Conditions([instance.id, from, until, maxSampled])
    .where('sender_id = ?', query.sender_id)
    .where('sender_id in (select id from senders where domain_id = ? and instance_id = $1)', query.domain_id)
    .where('is_sandbox_address(recipient) = ?', query.sandbox)
    .where('custom_group_code = ?', query.custom_group_code);
  addCategory(conditions, { column: 'category_id', category: query.category, instance });
  const [row] = await db.query<Overview['latency']>(
    `select percentile_cont(0.5) within group (order by seconds) as p50_seconds,
       percentile_cont(0.95) within group (order by seconds) as p95_seconds, count(*) as mails
     from (
       select date_part('epoch', sent_at - greatest(received_at, schedule_at)) as seconds from (
         select sent_at, received_at, schedule_at, recipient, sender_id, category_id, custom_group_code from mails
         where instance_id = $1 and not test_mode and mail_id >= uuid_at($2::timestamptz) and mail_id < uuid_at($3::timestamptz)
         order by mail_id desc limit $4
       ) as newest where sent_at is not null and ${conditions.sql()}
     ) as delivered`,
    conditions.values,
  );
  return row ?? { p50_seconds: null, p95_seconds: null, mails: 0 };
}
