import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../test/support/test-database.ts';
import { Database } from '../base/db/database.ts';
import { createPlanReset, planPeriod, readPlanUsage, releasePlan, reservePlan } from './plan-usage.ts';

const periodOf = (timezone: string, now: string): [string, string] => {
  const { period, starts_at } = planPeriod({ id: 1, timezone }, new Date(now));
  return [period, starts_at.toISOString()];
};

test('a month begins and ends at midnight of its zone, in whatever order it is asked for', () => {
  const november = ['2026-11-01', '2026-11-01T03:00:00.000Z'];
  assert.deepEqual(periodOf('America/Santiago', '2026-11-15T12:00:00Z'), november);
  assert.deepEqual(periodOf('America/Santiago', '2026-12-01T02:59:59.999Z'), november);
  const december = ['2026-12-01', '2026-12-01T03:00:00.000Z'];
  assert.deepEqual(periodOf('America/Santiago', '2026-12-01T03:00:00Z'), december);
  assert.deepEqual(periodOf('America/Santiago', '2026-11-01T03:00:00Z'), november, 'a clock set back');
  assert.deepEqual(periodOf('UTC', '2026-12-01T02:00:00Z'), ['2026-12-01', '2026-12-01T00:00:00.000Z']);
});

test('a month in which the clocks change is as long as it is', () => {
  const april = ['2026-04-01', '2026-04-01T03:00:00.000Z'];
  assert.deepEqual(periodOf('America/Santiago', '2026-05-01T03:59:59Z'), april);
  assert.deepEqual(periodOf('America/Santiago', '2026-05-01T04:00:00Z'), [
    '2026-05-01',
    '2026-05-01T04:00:00.000Z',
  ]);
});

test('a count belongs to one instance and one month', async () => {
  const database = await createTestDatabase();
  const { connection } = database;
  const db = new Database({ connection, pool_size: 1, pipelines: 1, on_error: () => undefined });
  try {
    const instances = await db.query<{ id: number }>(
      `insert into instances (slug, name) values ('one', 'One'), ('another', 'Another') returning id`,
    );
    const plans = instances.flatMap(({ id }) =>
      ['2026-11-15', '2026-12-15'].map((day) => planPeriod({ id, timezone: 'UTC' }, new Date(day))),
    );
    const [plan, ...others] = plans as [(typeof plans)[0], ...typeof plans];
    const used = async () => await Promise.all(plans.map(async (each) => await readPlanUsage(db, each)));
    for (const [index, each] of others.entries()) {
      assert.ok(await reservePlan(db, each, { count: index + 1, limit: 10 }));
    }
    assert.deepEqual(await used(), [0, 1, 2, 3]);
    assert.ok(await reservePlan(db, plan, { count: 9, limit: 10 }));
    assert.ok(!(await reservePlan(db, plan, { count: 2, limit: 10 })));
    assert.deepEqual(await used(), [9, 1, 2, 3]);
    await releasePlan(db, plan, 5);
    assert.deepEqual(await used(), [4, 1, 2, 3]);
    await createPlanReset(db)(plan);
    assert.deepEqual(await used(), [0, 1, 2, 3]);
  } finally {
    await db.end();
    await database.drop();
  }
});
