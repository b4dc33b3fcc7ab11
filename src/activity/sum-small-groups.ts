import type { Database, Queryable } from '../base/db/database.ts';
import { batchRows } from '../base/jobs/in-batches.ts';
import { inTurns } from '../base/jobs/in-turns.ts';
import type { Job } from '../base/jobs/job.ts';
import { statColumns, statTotals, testColumns } from './stats-columns.ts';

/** Groups of a day that stay exact, the largest ones. */
export const exactGroups = 1_000;
/** Small groups per statement. */
const groupsAtOnce = 20_000;

const tables = {
  stats_group_quarters: [...statColumns, ...testColumns],
  stats_sandbox_quarters: [...statTotals],
};

interface Day {
  from: Date;
  to: Date;
}

/** One statement, hence one commit. The sum of small groups has no name. */
function sumDay(table: keyof typeof tables): string {
  const names = tables[table];
  const adding = names.map((name) => `${name} = s.${name} + excluded.${name}`).join(', ');
  const key = 'instance_id, sender_id, category_id, quarter, custom_group_code';
  return `
    with small as (
      select custom_group_code from ${table}
      where instance_id = $1 and quarter >= $2 and quarter < $3 and custom_group_code <> ''
      group by 1 order by sum(received) desc, 1 offset $4 limit $5
    ), taken as (
      delete from ${table} g using small
      where g.instance_id = $1 and g.quarter >= $2 and g.quarter < $3 and g.custom_group_code = small.custom_group_code
      returning g.*
    ), added as (
      insert into ${table} as s (instance_id, sender_id, category_id, quarter, custom_group_code, ${names.join(', ')})
      select instance_id, sender_id, category_id, quarter, '', ${names.map((name) => `sum(${name})`).join(', ')}
      from taken group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (${key}) do update set ${adding}
    )
    select count(*) as groups from small`;
}

/** The first day that still has mail statistics to be looked at; its mail is past the retention. */
const nextDay = `
  with bounds as (
    select coalesce((select summed_to from stats_group_progress where instance_id = $1), '-infinity') as summed_to,
      day_of($2::timestamptz - make_interval(months => i.retention_months)) as until
    from instances i where i.id = $1
  )
  select day_of(q.quarter) as from, day_of(q.quarter) + interval '1 day' as to
  from bounds cross join lateral (
    (select quarter from stats_group_quarters
     where instance_id = $1 and quarter >= bounds.summed_to and quarter < bounds.until order by quarter limit 1)
    union all
    (select quarter from stats_sandbox_quarters
     where instance_id = $1 and quarter >= bounds.summed_to and quarter < bounds.until order by quarter limit 1)
  ) as q
  order by q.quarter limit 1`;

const note = `
  insert into stats_group_progress (instance_id, summed_to) values ($1, $2)
  on conflict (instance_id) do update set summed_to = excluded.summed_to`;

interface Summing {
  now: Date;
  most?: number;
}

/** Sums the small groups of one day of an instance. Returns fewer than a batch once no day is left. */
export async function sumSmallGroups(
  db: Database,
  instanceId: number,
  { now, most = exactGroups }: Summing,
): Promise<number> {
  const [day] = await db.query<Day & Record<string, unknown>>(nextDay, [instanceId, now]);
  if (!day) return 0;
  await db.transaction(async (tx) => {
    let groups = 0;
    for (const table of Object.keys(tables) as (keyof typeof tables)[]) {
      groups += await sumTable(tx, table, [instanceId, day.from, day.to, most, groupsAtOnce]);
    }
    if (groups === 0) await tx.query(note, [instanceId, day.to]);
  });
  return batchRows;
}

async function sumTable(tx: Queryable, table: keyof typeof tables, values: unknown[]): Promise<number> {
  const [row] = await tx.query<{ groups: number }>(sumDay(table), values);
  return row?.groups ?? 0;
}

/**
 * While mail is kept, its lists are read by the statistics of its group, which are not more than the mails. After that the largest
 * groups of a day stay as they are and the others are summed, so that rows do not grow with the groups that customers choose.
 */
export const sumSmallGroupsJob: Job = {
  name: 'sum_small_groups',
  every_ms: 24 * 3_600_000,
  destructive: true,
  async run(context) {
    const { db, now } = context;
    const instances = await db.query<{ id: number }>('select id from instances order by id');
    const done = await inTurns(
      context,
      { instances: instances.map(({ id }) => id) },
      async (id) => await sumSmallGroups(db, id, { now }),
    );
    return `${done / batchRows} days summed`;
  },
};
