import type { Queryable } from '../base/db/database.ts';

export interface CountComparison {
  /** UTC days that were compared, from today back. */
  days: number;
  /** False when the time limit was reached. */
  is_complete: boolean;
  differences: CountDifference[];
}

export interface CountDifference {
  instance: string;
  day: string;
  count: string;
  /** Counted from mails. */
  mails: number;
  /** According to the statistics. */
  by_day: number;
  by_quarter: number;
}

const withinMs = 60_000;
const maxDifferences = 20;

/** Counts that lists use to find their pages. */
const counts: [name: string, of: string][] = [
  ['received', 'true'],
  ['queued', 'status = 2'],
  ['sent', 'status = 3'],
  ['dropped', 'status = 4'],
  ['deferred', 'status = 5'],
  ['bounced', 'status = 6'],
  ['onhold', 'status = 7'],
];
const sums = counts.map(([name]) => `coalesce(sum(${name}), 0)::bigint as ${name}`).join(', ');
const columns = counts.map(([name]) => name).join(', ');
/** For one instance, by the prefix of the primary key. Deltas that are not folded yet belong to both tables. */
const summed = (table: string, column: string): string => `
  select ${sums} from (
    select ${columns} from ${table}
    where instance_id = i.id and not is_detail and sender_id = 0 and category_id = 0 and ${column} >= $1 and ${column} < $2
    union all
    select ${columns} from noted where instance_id = i.id
  ) as counted`;
const values = counts.map(([name]) => `('${name}', coalesce(m.${name}, 0), d.${name}, q.${name})`).join(', ');

/** One day in one snapshot. Days on which retention has started to delete are left out. */
const compareDay = `
  with noted as materialized (
    select instance_id, ${columns} from stats_deltas where quarter >= $1 and quarter < $2
  ), of_mails as materialized (
    select instance_id, ${counts.map(([name, of]) => `count(*) filter (where ${of}) as ${name}`).join(', ')}
    from mails where mail_id >= uuid_at($1::timestamptz) and mail_id < uuid_at($2::timestamptz) group by 1
  )
  select i.slug as instance, to_char($1 at time zone 'UTC', 'YYYY-MM-DD') as day, c.*
  from instances i left join of_mails m on m.instance_id = i.id
  cross join lateral (${summed('stats_days', 'day')}) as d
  cross join lateral (${summed('stats_quarters', 'quarter')}) as q
  cross join lateral (values ${values}) as c (count, mails, by_day, by_quarter)
  where $1 >= now() - make_interval(months => i.retention_months) + interval '1 day'
    and (c.mails <> c.by_day or c.mails <> c.by_quarter)
  order by i.id`;

/** Compares statistics with mails. A role `jobs` of an older version folds only into the tables it knows. */
export async function compareCounts(db: Queryable): Promise<CountComparison> {
  const [range] = await db.query<{ days: number; today: Date }>(
    `select day_of(now()) as today, coalesce(max(31 * retention_months), 0)::integer as days from instances`,
  );
  const result: CountComparison = { days: 0, is_complete: false, differences: [] };
  const began = performance.now();
  for (let at = 0; at <= (range?.days ?? 0); at += 1) {
    if (performance.now() - began > withinMs || result.differences.length >= maxDifferences) return result;
    const from = new Date((range?.today.getTime() ?? 0) - at * 86_400_000);
    const until = new Date(from.getTime() + 86_400_000);
    const found = await db.query<CountDifference & { [name: string]: unknown }>(compareDay, [from, until]);
    result.differences.push(...found);
    result.days += 1;
  }
  return { ...result, is_complete: true };
}
