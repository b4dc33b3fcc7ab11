import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { foldStats, purgeStatsJob } from './fold-stats.ts';
import { sumSmallGroups } from './sum-small-groups.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ roles: 'api' });
});
after(async () => await service.stop());

const dayMs = 86_400_000;
const day = (back: number): Date => new Date((Math.floor(Date.now() / dayMs) - back) * dayMs);

/** As the mails of a group leave it: `received` of them, of which one was opened later. */
async function count(instance: number, at: Date, groups: Record<string, number>): Promise<void> {
  await service.db.query(
    `insert into stats_deltas (instance_id, quarter, sender_id, category_id, custom_group_code, received, opens)
     select $1, $2, 1, 0, name, received, 1 from unnest($3::text[], $4::integer[]) as g (name, received)`,
    [instance, at, Object.keys(groups), Object.values(groups)],
  );
  await foldStats(service.db);
}
const groupsOf = async (instance: number) =>
  await service.db.query<{ name: string; received: number; opens: number }>(
    `select custom_group_code as name, sum(received)::integer as received, sum(opens)::integer as opens
     from stats_group_quarters where instance_id = $1 group by 1 order by 2 desc, 1`,
    [instance],
  );

async function sumAll(instance: number, most: number): Promise<void> {
  while ((await sumSmallGroups(service.db, instance, { now: new Date(), most })) > 0);
}

test('after the retention of mail the largest groups of a day stay exact, and the others are summed', async () => {
  const { instance } = await service.tenant();
  const { instance: other } = await service.tenant();
  const old = day(120);
  await count(instance.id, old, { big: 50, middle: 20, small: 2, tiny: 1 });
  await count(instance.id, new Date(old.getTime() + 3_600_000), { middle: 1, least: 1 });
  await count(other.id, old, { big: 1, middle: 1, small: 1 });
  await count(instance.id, day(2), { recent: 1, newer: 1, newest: 1 });
  await sumAll(instance.id, 2);
  assert.deepEqual(await groupsOf(instance.id), [
    { name: 'big', received: 50, opens: 1 },
    { name: 'middle', received: 21, opens: 2 },
    { name: '', received: 4, opens: 3 },
    { name: 'newer', received: 1, opens: 1 },
    { name: 'newest', received: 1, opens: 1 },
    { name: 'recent', received: 1, opens: 1 },
  ]);
  assert.equal((await groupsOf(other.id)).length, 3);
  await sumAll(instance.id, 1);
  assert.equal((await groupsOf(instance.id)).length, 6, 'a day is looked at once');
});

test('quarters that no report can ask for are deleted by an index', async () => {
  const { instance } = await service.tenant();
  await count(instance.id, day(900), { ancient: 3 });
  await count(instance.id, day(700), { old: 3 });
  const context = { db: service.db, now: new Date(), isStopping: () => false };
  assert.equal(await purgeStatsJob.run(context), '3 quarters', 'in all, by sender, by group');
  assert.deepEqual(
    (await groupsOf(instance.id)).map(({ name }) => name),
    ['old'],
  );
  for (const table of ['stats_quarters', 'stats_days']) {
    const column = table === 'stats_days' ? 'day' : 'quarter';
    const indexed = await service.db.query(
      `select from pg_indexes where tablename = $1 and indexdef like $2`,
      [table, `%(${column})`],
    );
    assert.equal(indexed.length, 1, table);
  }
});
