import { Temporal } from 'temporal-polyfill';
import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { readDateRange, type DateRange } from '../base/http/date-range.ts';
import { addCategory, sendersOfDomain } from './mail-filters.ts';
import { reported, statTotals, type StatTotals } from './stats-columns.ts';
import type { StatsOverview, StatsQuery } from './stats-schemas.ts';

const defaultMonths = 3;
const maxDays = { day: 732, hour: 31 };
const dayMs = 86_400_000;

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
  const range = readDateRange(query, { now, timezone: instance.timezone, months: defaultMonths });
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
  if (until.getTime() - from.getTime() > maxDays[interval] * dayMs + 2 * 3_600_000) {
    throw new Problem('bad_request', {
      detail: `With interval=${interval} a range has at most ${maxDays[interval]} days.`,
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

const foldedTotals = statTotals.map((name) => reported(name, 'folded')).join(', ');
const deltaTotals = statTotals.map((name) => reported(name, 'deltas')).join(', ');

/** Totals by interval number, from 1. Deltas that are not folded yet are included. */
async function sumQuarters(
  db: Queryable,
  { query, instance, starts, until }: Sum,
): Promise<Map<number, StatTotals>> {
  const conditions = statConditions([instance.id, starts, until], query, instance);
  const column = areWholeDays([...starts, until]) ? 'day' : 'quarter';
  const rows = await db.query<StatTotals & { number: number }>(
    `select width_bucket(quarter, $2::timestamptz[]) as number, ${sums}
     from (${countedRows(query, { column, from: '($2::timestamptz[])[1]', conditions })}) as counted (quarter, ${columns})
     group by 1`,
    conditions.values,
  );
  return new Map(rows.map(({ number, ...totals }) => [number, totals]));
}

const columns = statTotals.join(', ');
const sums = statTotals.map((name) => `sum(${name})::bigint as ${name}`).join(', ');

interface CountedRows {
  /** Days where the range has whole ones. */
  column: 'day' | 'quarter';
  /** SQL of the start; the instance is `$1`, the end `$3`. */
  from: string;
  conditions: Conditions;
}

/** A time and the totals, in rows that have to be summed. Deltas that are not folded yet are included. */
function countedRows(query: StatsQuery, { column: wanted, from, conditions }: CountedRows): string {
  const of = (time: string): string =>
    `instance_id = $1 and ${time} >= ${from} and ${time} < $3 and ${conditions.sql()}`;
  const ofGroup = typeof query.custom_group_code === 'string';
  const column = ofGroup ? 'quarter' : wanted;
  const folded = ofGroup ? 'stats_group_quarters where true' : `stats_${column}s where ${kindOf(query)}`;
  const all = [`select ${column}, ${foldedTotals} from ${folded} and ${of(column)}`];
  const sandbox = (sign: '' | '-'): string =>
    `select quarter, ${statTotals.map((name) => `${sign}${name}`).join(', ')} from stats_sandbox_quarters where ${of('quarter')}`;
  const deltas = (which: string): string =>
    `select quarter, ${deltaTotals} from stats_deltas where ${of('quarter')} and ${which}`;
  const parts = {
    all: [...all, deltas('true')],
    real: [...all, sandbox('-'), deltas('not is_sandbox')],
    sandbox: [sandbox(''), deltas('is_sandbox')],
  }[partOf(query)];
  return parts.join(' union all ');
}

/** Totals by hour of the local day, 0 to 23, whatever the date. */
export async function readStatsByHour(
  db: Queryable,
  { query, now, instance }: StatsRequest,
): Promise<StatTotals[]> {
  const range = readDateRange(query, { now, timezone: instance.timezone, months: defaultMonths });
  const conditions = statConditions([instance.id, range.from, range.until, range.timezone], query, instance);
  const rows = await db.query<StatTotals & { hour: number }>(
    `select extract(hour from quarter at time zone $4)::integer as hour, ${sums}
     from (${countedRows(query, { column: 'quarter', from: '$2', conditions })}) as counted (quarter, ${columns})
     group by 1`,
    conditions.values,
  );
  const byHour = new Map(rows.map(({ hour, ...totals }) => [hour, totals]));
  return Array.from({ length: 24 }, (_, hour) => byHour.get(hour) ?? nothing);
}

function partOf({ sandbox }: StatsQuery): 'all' | 'real' | 'sandbox' {
  if (typeof sandbox !== 'boolean') return 'all';
  return sandbox ? 'sandbox' : 'real';
}

/** What rows of every table of statistics are chosen by. */
function statConditions(
  values: unknown[],
  { sender_id, domain_id, category, custom_group_code }: StatsQuery,
  instance: { id: number },
): Conditions {
  const conditions = new Conditions(values)
    .where('sender_id = ?', sender_id)
    .where(`sender_id in (${sendersOfDomain})`, domain_id)
    .where('custom_group_code = ?', custom_group_code);
  return addCategory(conditions, { column: 'category_id', category, instance });
}

/** Rows per sender and category, or the rows summed over all. */
function kindOf({ sender_id, domain_id, category }: StatsQuery): string {
  const is_detail =
    typeof sender_id === 'number' || typeof domain_id === 'number' || typeof category === 'string';
  return is_detail ? 'is_detail' : 'not is_detail and sender_id = 0 and category_id = 0';
}

/** UTC days are folded already: 90 rows for three months instead of 8,640. */
function areWholeDays(starts: Date[]): boolean {
  return starts.every((start) => start.getTime() % dayMs === 0);
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
    months: defaultMonths,
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

export function ratesOf(totals: StatTotals): StatsOverview['rates'] {
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
