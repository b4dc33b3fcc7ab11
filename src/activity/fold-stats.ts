import type { Queryable } from '../base/db/database.ts';
import { batchRows, deleteInBatches, inBatches } from '../base/jobs/in-batches.ts';
import type { Job } from '../base/jobs/job.ts';
import { sandboxSums, statColumns, statTotals, testColumns, testSums } from './stats-columns.ts';

const names = [...statColumns, ...testColumns];
const columns = names.join(', ');
const sums = [...statColumns.map((name) => `sum(${name})`), ...testSums].join(', ');
const adding = names.map((name) => `${name} = s.${name} + excluded.${name}`).join(', ');
/** Skips deltas that cancel out. */
const something = `(${sums}) <> (${names.map(() => '0').join(', ')})`;

const sandboxColumns = statTotals.join(', ');
const sandbox_sums = sandboxSums.join(', ');
const sandboxAdding = statTotals.map((name) => `${name} = s.${name} + excluded.${name}`).join(', ');

/**
 * One statement, hence one commit: readers see a delta either in the deltas or in the tables. Ordered by key to avoid
 * deadlocks.
 */
const fold = `
  with taken as (
    delete from stats_deltas where ctid = any (array(select ctid from stats_deltas limit $1)) returning *
  ), by_sender as (
    insert into stats_quarters as s (instance_id, is_detail, sender_id, category_id, quarter, ${columns})
    select instance_id, grouping(sender_id) = 0, coalesce(sender_id, 0), coalesce(category_id, 0), quarter, ${sums}
    from taken
    group by grouping sets ((instance_id, quarter), (instance_id, quarter, sender_id, category_id))
    having ${something}
    order by 1, 2, 3, 4, 5
    on conflict (instance_id, is_detail, sender_id, category_id, quarter) do update set ${adding}
  ), by_day as (
    insert into stats_days as s (instance_id, is_detail, sender_id, category_id, day, ${columns})
    select instance_id, grouping(sender_id) = 0, coalesce(sender_id, 0), coalesce(category_id, 0), day_of(quarter), ${sums}
    from taken
    group by grouping sets ((instance_id, day_of(quarter)), (instance_id, day_of(quarter), sender_id, category_id))
    having ${something}
    order by 1, 2, 3, 4, 5
    on conflict (instance_id, is_detail, sender_id, category_id, day) do update set ${adding}
  ), by_group as (
    insert into stats_group_quarters as s (instance_id, custom_group_code, sender_id, category_id, quarter, ${columns})
    select instance_id, custom_group_code, sender_id, category_id, quarter, ${sums}
    from taken where custom_group_code is not null
    group by 1, 2, 3, 4, 5
    having ${something}
    order by 1, 2, 3, 4, 5
    on conflict (instance_id, custom_group_code, sender_id, category_id, quarter) do update set ${adding}
  ), of_sandbox as (
    insert into stats_sandbox_quarters as s (instance_id, quarter, sender_id, category_id, custom_group_code, ${sandboxColumns})
    select instance_id, quarter, sender_id, category_id, coalesce(custom_group_code, ''), ${sandbox_sums}
    from taken where is_sandbox
    group by 1, 2, 3, 4, 5
    having (${sandbox_sums}) <> (${statTotals.map(() => '0').join(', ')})
    order by 1, 2, 3, 4, 5
    on conflict (instance_id, quarter, sender_id, category_id, custom_group_code) do update set ${sandboxAdding}
  )
  select count(*) as folded from taken`;

export async function foldStats(db: Queryable): Promise<number> {
  const [row] = await db.query<{ folded: number }>(fold, [batchRows]);
  return row?.folded ?? 0;
}

/** Often, so that readers have few deltas to sum. */
export const foldStatsJob: Job = {
  name: 'stats',
  every_ms: 10_000,
  run: async (context) =>
    `${await inBatches(context, async () => await foldStats(context.db))} changes added up`,
};

/** Longer than any range that can be queried. */
const keptDays = 800;

export const purgeStatsJob: Job = {
  name: 'purge_stats',
  every_ms: 24 * 3_600_000,
  destructive: true,
  async run(context) {
    const before = new Date(context.now.getTime() - keptDays * 86_400_000);
    const purge = async (old: string): Promise<number> => await deleteInBatches(context, old, [before]);
    const purged =
      (await purge(oldRows('stats_quarters', 'quarter < $1'))) +
      (await purge(oldRowsByInstance('stats_group_quarters'))) +
      (await purge(oldRowsByInstance('stats_sandbox_quarters')));
    // Whole days: one that ends later may still be read.
    await purge(oldRows('stats_days', `day < $1::timestamptz - interval '1 day'`));
    return `${purged} quarters`;
  },
};

const oldRows = (table: string, isOld: string): string => `
  delete from ${table} where ctid = any (array(select ctid from ${table} where ${isOld} limit $2)) returning 1`;

/** For tables whose index of times begins with the instance. */
const oldRowsByInstance = (table: string): string => `
  delete from ${table} where ctid = any (array(
    select old.row from instances i cross join lateral (
      select ctid as row from ${table} where instance_id = i.id and quarter < $1 limit $2
    ) as old limit $2
  )) returning 1`;
