import { Temporal } from 'temporal-polyfill';
import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { readDateRange, type DateRange } from '../base/http/date-range.ts';
import { addCategory } from './mail-filters.ts';
import { reported, statTotals, type StatTotals } from './stats-columns.ts';
import type { StatsOverview, StatsQuery } from './stats-schemas.ts';

const default_months = 3;
const max_days = { day: 732, hour: 31 };
const day_ms = 86_400_000;

interface StatsRequest {
  query: StatsQuery;
  now: Date;
  instance: { id: number; timezone: string };
}

/**
 * Totals and series of mails received in a range of local days, summed from quarters of an hour: the cost grows with
 * the days, not with the mails.
 */
export async function readStats(
  db: Queryable,
  { query, now, instance }: StatsRequest,
): Promise<StatsOverview> {
  const range = readDateRange(query, { now, timezone: instance.timezone, months: default_months });
  const interval = query.interval ?? 'day';
  const starts = startsOf(range, interval);
  const counted = await sumQuarters(db, { query, instance, starts, until: range.until });
  const series = starts.map((at, index) => ({ at, ...(counted.get(index + 1) ?? nothing) }));
  const totals = series.reduce<StatTotals>((sum, point) => add(sum, point), nothing);
  const dateOf = (ms: number): string =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(range.timezone).toPlainDate().toString();
  return {
    start_date: dateOf(range.from.getTime()),
    end_date: dateOf(range.until.getTime() - 1),
    tz: range.timezone,
    totals,
    rates: ratesOf(totals),
    series,
  };
}

/** Days start at their local date and have 23 to 25 hours; hours continue through a change of the offset. */
function startsOf({ from, until, timezone }: DateRange, interval: 'hour' | 'day'): Date[] {
  // A day can be an hour or two longer.
  if (until.getTime() - from.getTime() > max_days[interval] * day_ms + 2 * 3_600_000) {
    throw new Problem('bad_request', {
      detail: `With interval=${interval} a range has at most ${max_days[interval]} days.`,
    });
  }
  const step = interval === 'hour' ? { hours: 1 } : { days: 1 };
  const first = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(timezone);
  const starts: Date[] = [];
  for (let at = first, count = 1; at.epochMilliseconds < until.getTime(); count += 1) {
    starts.push(new Date(at.epochMilliseconds));
    // From the first start: a day that starts at one o'clock would shift all later ones.
    at =
      interval === 'hour' ? at.add(step) : first.toPlainDate().add({ days: count }).toZonedDateTime(timezone);
  }
  return starts;
}

interface Sum {
  query: StatsQuery;
  instance: { id: number };
  starts: Date[];
  until: Date;
}

const folded_totals = statTotals.map((name) => reported(name, 'folded')).join(', ');
const delta_totals = statTotals.map((name) => reported(name, 'deltas')).join(', ');

/** Totals by interval number, from 1. Deltas that are not folded yet are included. */
async function sumQuarters(
  db: Queryable,
  { query, instance, starts, until }: Sum,
): Promise<Map<number, StatTotals>> {
  const { sender_id, category, custom_group_code } = query;
  const columns = statTotals.join(', ');
  const conditions = new Conditions([instance.id, starts, until])
    .where('sender_id = ?', sender_id)
    .where('custom_group_code = ?', custom_group_code);
  addCategory(conditions, { column: 'category_id', category, instance });
  const of = (column: string): string =>
    `instance_id = $1 and ${column} >= ($2::timestamptz[])[1] and ${column} < $3 and ${conditions.sql()}`;
  const of_group = typeof custom_group_code === 'string';
  const column = !of_group && areWholeDays([...starts, until]) ? 'day' : 'quarter';
  const folded = of_group ? 'stats_group_quarters where true' : `stats_${column}s where ${kindOf(query)}`;
  const rows = await db.query<StatTotals & { number: number }>(
    `select width_bucket(quarter, $2::timestamptz[]) as number,
       ${statTotals.map((name) => `sum(${name})::bigint as ${name}`).join(', ')}
     from (
       select ${column}, ${folded_totals} from ${folded} and ${of(column)}
       union all
       select quarter, ${delta_totals} from stats_deltas where ${of('quarter')}
     ) as counted (quarter, ${columns})
     group by 1`,
    conditions.values,
  );
  return new Map(rows.map(({ number, ...totals }) => [number, totals]));
}

/** Rows per sender and category, or the rows summed over all. */
function kindOf({ sender_id, category }: StatsQuery): string {
  const is_detail = typeof sender_id === 'number' || typeof category === 'string';
  return is_detail ? 'is_detail' : 'not is_detail and sender_id = 0 and category_id = 0';
}

/** UTC days are folded already: 90 rows for three months instead of 8,640. */
function areWholeDays(starts: Date[]): boolean {
  return starts.every((start) => start.getTime() % day_ms === 0);
}

const nothing = Object.fromEntries(statTotals.map((name) => [name, 0])) as StatTotals;

function add(a: StatTotals, b: StatTotals): StatTotals {
  return Object.fromEntries(statTotals.map((name) => [name, a[name] + b[name]])) as StatTotals;
}

/** Mails that count for the plan since a local date: all that were not dropped, tests too. */
export async function countAccepted(db: Queryable, request: StatsRequest): Promise<number> {
  const { from, until } = readDateRange(request.query, {
    now: request.now,
    timezone: request.instance.timezone,
    months: default_months,
  });
  const of = 'instance_id = $1 and quarter >= $2 and quarter < $3';
  const [row] = await db.query<{ accepted: number }>(
    `select coalesce(sum(received - dropped), 0)::bigint as accepted from (
       select received, dropped from stats_quarters where not is_detail and sender_id = 0 and category_id = 0 and ${of}
       union all
       select received, dropped from stats_deltas where ${of}
     ) as counted`,
    [request.instance.id, from, until],
  );
  return row?.accepted ?? 0;
}

function ratesOf(totals: StatTotals): StatsOverview['rates'] {
  const { received, dropped, sent } = totals;
  const written = received - dropped;
  return {
    delivery: share(sent, written),
    bounce: share(totals.bounced, written),
    open: share(totals.unique_opens, sent),
    click: share(totals.unique_clicks, sent),
    complaint: share(totals.complaints, sent),
    unsubscribe: share(totals.unsubscribes, sent),
  };
}

/** A mail that was opened and bounced later counts as opened but not as sent; the rate is at most 1. */
function share(part: number, whole: number): number {
  if (whole <= 0) return 0;
  return Math.min(1, Math.round((part / whole) * 10_000) / 10_000);
}
