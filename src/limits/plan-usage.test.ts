import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client } from 'pg';
import { createTestDatabase } from '../../test/support/test-database.ts';
import { startTestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { foldStats } from '../activity/fold-stats.ts';
import { Database } from '../base/db/database.ts';
import { createPlanReset, planPeriod, readPlanUsage, releasePlan, reservePlan } from './plan-usage.ts';

const hour = 3_600_000;

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

test('sends that wait for the first count of a month leave connections to others', async () => {
  const database = await createTestDatabase();
  const { connection } = database;
  const db = new Database({ connection, pool_size: 3, pipelines: 1, on_error: () => undefined });
  const blocker = new Client(connection);
  try {
    await blocker.connect();
    await db.query(`insert into instances (slug, name) values ('busy', 'Busy')`);
    const [instance] = await db.query<{ id: number }>('select id from instances');
    const plan = planPeriod({ id: instance?.id ?? 0, timezone: 'UTC' }, new Date());
    // As slow as a count can be.
    await blocker.query('begin; lock table plan_usage in share mode');
    const reservations = Array.from({ length: 50 }, async () => {
      // A second attempt after the answer of the first, as a send makes it.
      await readPlanUsage(db, plan);
      return await reservePlan(db, plan, { count: 1, limit: 49 });
    });
    await waitFor(
      async () =>
        (await blocker.query(`select from pg_locks where not granted and relation = 'plan_usage'::regclass`))
          .rowCount !== 0,
      { what: 'the count to wait' },
    );
    const [row] = await db.query<{ answer: number }>('select 1 as answer');
    assert.deepEqual([row?.answer, db.pool.waiting], [1, 0]);
    await blocker.query('commit');
    const reserved = await Promise.all(reservations);
    assert.equal(reserved.filter(Boolean).length, 49);
  } finally {
    await blocker.end();
    await db.end();
    await database.drop();
  }
});

test('the first count of a month has every mail of it that was not dropped, outside the sandbox', async () => {
  const service = await startTestService({ roles: 'api' });
  try {
    const { db } = service;
    const { instance } = await service.tenant();
    const plan = planPeriod({ id: instance.id, timezone: 'Asia/Kathmandu' }, new Date());
    const mails: [number, number, string][] = [
      [-1, 3, 'before@example.com'],
      [0, 3, 'first@example.com'],
      [6 * hour, 6, 'bounced@example.com'],
      [16 * hour, 4, 'dropped@example.com'],
      [240 * hour, 3, 'tried@sandbox.test'],
      [360 * hour, 2, 'queued@example.com'],
    ];
    async function add([after, status, recipient]: (typeof mails)[0], number: number): Promise<void> {
      const at = new Date(plan.starts_at.getTime() + after);
      await db.query(
        `insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email,
           subject, test_mode, received_at)
         select (left(uuid_at($2)::text, 14) || '7000-8000-' || lpad($5::text, 12, '0'))::uuid, gen_random_uuid(), $1, $3, $4,
           'to', 1, 'b@example.com', 'x', false, $2::timestamptz`,
        [instance.id, at, status, recipient, number],
      );
    }
    for (const [index, mail] of mails.entries()) await add(mail, index);
    assert.equal(await readPlanUsage(db, plan), 3, 'none aggregated');
    await db.query('delete from plan_usage');
    await foldStats(db);
    assert.equal(await readPlanUsage(db, plan), 3, 'all aggregated');
    await db.query('delete from plan_usage');
    await add([380 * hour, 3, 'late@example.com'], 99);
    assert.equal(await readPlanUsage(db, plan), 4);
  } finally {
    await service.stop();
  }
});
