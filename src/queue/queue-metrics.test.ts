import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Registry } from 'prom-client';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { Database } from '../base/db/database.ts';
import { createLog } from '../base/log.ts';
import { watchQueue } from './queue-metrics.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  const { connection } = database;
  db = new Database({ connection, pool_size: 2, pipelines: 1, on_error: () => undefined });
});
after(async () => {
  await db.end();
  await database.drop();
});
beforeEach(async () => void (await db.query('truncate queue, measurements')));

const now = new Date();

interface Put {
  count: number;
  /** Seconds from now. */
  due: number;
  set?: string;
}

/** Mail that became due is in its lane, as `promote` puts it. */
async function put({ count, due, set }: Put): Promise<void> {
  await db.query(
    `with made as (
       insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at, ready_priority)
       select gen_random_uuid(), gen_random_uuid(), n % 7, 'd' || n % 5 || '.test', 0,
         $1::timestamptz + $2 * interval '1 s', case when $2 <= 0 then 0 end::smallint
       from generate_series(1, $3) n returning 1
     ) select count(*) from made`,
    [now, due, count],
  );
  if (set)
    await db.query(`update queue set ${set} where due_at = $1::timestamptz + $2 * interval '1 s'`, [
      now,
      due,
    ]);
}

async function fill(times: number): Promise<void> {
  await put({ count: 3 * times, due: -100 });
  await put({ count: 2 * times, due: -90, set: 'ready_priority = null' });
  await put({ count: 5 * times, due: 600, set: 'lease = gen_random_uuid(), attempts = 1' });
  await put({ count: 7 * times, due: 700, set: 'attempts = 3' });
  await put({ count: 11 * times, due: 800 });
  await put({ count: 2 * times, due: -900, set: 'held_since = now(), ready_priority = null' });
}

async function read(exact_up_to?: number): Promise<Map<string, number>> {
  const registry = new Registry();
  watchQueue({
    db,
    registry,
    clock: { now: () => now },
    log: createLog('warn', process.stderr),
    exact_up_to,
  });
  const text = await registry.metrics();
  const lines = text.matchAll(/^chasqui_queue_(\w+)(?:\{state="(\w+)"\})? (\S+)$/gm);
  return new Map([...lines].map(([, name = '', state, value]) => [state ?? name, Number(value)]));
}

test('metrics have the depth of the queue, its states, and the age of the most overdue mail', async () => {
  await fill(1);
  assert.deepEqual(Object.fromEntries(await read()), {
    depth: 30,
    due: 5,
    leased: 5,
    waiting: 7,
    scheduled: 11,
    held: 2,
    oldest_seconds: 100,
  });
});

test('mail that only waits to be promoted has its age', async () => {
  await put({ count: 1, due: -50, set: 'ready_priority = null' });
  await put({ count: 1, due: -40 });
  assert.equal((await read()).get('oldest_seconds'), 50);
});

test('of a long queue the states are estimated from some of its pages, and what alerts need is exact', async () => {
  await fill(1_000);
  await put({ count: 9, due: -200, set: 'held_since = now(), ready_priority = null' });
  await db.query("delete from queue where due_at = $1::timestamptz - interval '900 s'", [now]);
  await db.query('vacuum analyze queue');
  const found = await read(24_000);
  assert.deepEqual([found.get('due'), found.get('held'), found.get('oldest_seconds')], [5_000, 9, 100]);
  for (const [state, count] of [
    ['depth', 28_009],
    ['scheduled', 11_000],
  ] as const) {
    const estimated = found.get(state) ?? 0;
    assert.ok(estimated > count * 0.4 && estimated < count * 2.5, `${state}: ${estimated}`);
  }
});
