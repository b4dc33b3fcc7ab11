import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { Database } from '../base/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { createClaim, type ClaimRequest } from './claim.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  db = new Database({
    connection: database.connection,
    pool_size: 4,
    pipelines: 2,
    on_error: () => undefined,
  });
});
after(async () => {
  await db.end();
  await database.drop();
});
beforeEach(async () => void (await db.query('truncate queue')));

const now = new Date('2026-12-01T12:00:00Z');
const request = (more: Partial<ClaimRequest> = {}): ClaimRequest => ({
  lease: randomUUID(),
  count: 100,
  per_lane: 10,
  lease_seconds: 600,
  excluded: [],
  now,
  ...more,
});
const put = async (
  instance_id: number,
  destination: string,
  more: { count?: number; priority?: number; due?: Date } = {},
) =>
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, ready_priority, due_at)
     select gen_random_uuid(), gen_random_uuid(), $1, $2, $3, $3, $4 from generate_series(1, $5)`,
    [instance_id, destination, more.priority ?? 0, more.due ?? now, more.count ?? 1],
  );

test('each claim takes a few mails per lane, however long the lane is', async () => {
  await put(1, 'dead.test', { count: 5_000 });
  await put(1, 'slow.test', { count: 5_000 });
  await put(2, 'responsive.test');
  const mails = await createClaim(db)(request());
  const lanes = Map.groupBy(mails, ({ destination }) => destination);
  assert.deepEqual(
    [...lanes].map(([name, list]) => [name, list.length]),
    [
      ['dead.test', 10],
      ['slow.test', 10],
      ['responsive.test', 1],
    ],
  );
});

test('transactional mail is taken before broadcast', async () => {
  await put(1, 'a.test', { priority: 1, count: 10 });
  await put(2, 'b.test', { priority: 0, count: 3 });
  const mails = await createClaim(db)(request({ count: 5 }));
  assert.deepEqual(
    mails.map(({ instance_id }) => instance_id),
    [2, 2, 2, 1, 1],
  );
});

test('mail that is not due, held or excluded is not claimed', async () => {
  await put(1, 'later.test', { due: new Date(now.getTime() + 1) });
  await put(1, 'paused.test');
  await put(1, 'held.test');
  await db.query(
    "update queue set held_since = now(), ready_priority = null where destination = 'held.test'",
  );
  assert.deepEqual(await createClaim(db)(request({ excluded: ['paused.test'] })), []);
});

test('a paused destination is skipped, for its own instance only, until it is resumed', async () => {
  const [owner] = await db.query<{ id: number }>(
    "insert into instances (slug, name) values ('paused', 'Paused') returning id",
  );
  const id = owner?.id ?? 0;
  await put(id, 'a.test', { count: 3 });
  await put(id, 'b.test');
  await put(id + 1, 'a.test');
  await put(id, 'a.test', { priority: 1 });
  await db.query("insert into paused_destinations (instance_id, destination) values ($1, 'a.test')", [id]);
  const claim = createClaim(db);
  const lanesOf = (mails: { instance_id: number; destination: string }[]) =>
    mails.map(({ instance_id, destination }) => [instance_id - id, destination]);
  assert.deepEqual(lanesOf(await claim(request())), [
    [0, 'b.test'],
    [1, 'a.test'],
  ]);
  assert.deepEqual(await claim(request()), []);
  await db.query('delete from paused_destinations');
  assert.equal((await claim(request())).length, 4);
});

test('nodes that claim concurrently never get the same mail', async () => {
  for (let lane = 0; lane < 40; lane += 1) await put(lane, `d${lane}.test`, { count: 5 });
  const claims = await Promise.all(
    Array.from({ length: 8 }, async () => await createClaim(db)(request({ count: 60 }))),
  );
  const ids = claims.flat().map(({ mail_id }) => mail_id);
  assert.equal(new Set(ids).size, ids.length);
});

test('a mail whose lease expired is claimed again, as its next attempt', async () => {
  await put(1, 'a.test');
  const claim = createClaim(db);
  const [first] = await claim(request());
  assert.equal(first?.attempt, 1);
  assert.deepEqual(await claim(request()), []);
  const [again] = await claim(request({ now: new Date(now.getTime() + 601_000) }));
  assert.deepEqual([again?.mail_id, again?.attempt], [first?.mail_id, 2]);
});

test('every lane is served in turn when there are more than one claim scans', async () => {
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at)
     select gen_random_uuid(), gen_random_uuid(), n, 'd' || n || '.test', 0, $1 from generate_series(1, 1300) n`,
    [now],
  );
  const claim = createClaim(db);
  const seen = new Set<number>();
  for (let turn = 0; turn < 30 && seen.size < 1300; turn += 1) {
    for (const { instance_id } of await claim(request({ count: 200 }))) seen.add(instance_id);
  }
  assert.equal(seen.size, 1300);
});

test('deferred mail costs a claim nothing, in however many lanes', async (t) => {
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at, held_since)
     select gen_random_uuid(), gen_random_uuid(), 1, 'd' || n || '.test', 0, $1::timestamptz + interval '1 hour',
       case when n % 2 = 0 then $1::timestamptz end
     from generate_series(1, 100000) n`,
    [now],
  );
  const claim = createClaim(db);
  // The least of many: a busy machine disturbs some, and a scan is in all of them.
  let ms = Infinity;
  for (let turn = 1; turn <= 20; turn += 1) {
    const began = performance.now();
    assert.deepEqual(await claim(request()), []);
    ms = Math.min(ms, performance.now() - began);
  }
  t.diagnostic(`${ms.toFixed(1)} ms for an idle claim before 100,000 waiting mails`);
  assert.ok(ms < 50, `${ms}`);
  await put(2, 'late.test');
  assert.equal((await claim(request()))[0]?.destination, 'late.test');
  const later = await claim(request({ now: new Date(now.getTime() + 3_600_000) }));
  assert.equal(later.length, 100, 'their time comes');
});

test('responsive destinations have a higher limit, and broadcast its own', async () => {
  await put(1, 'responsive.test', { count: 20 });
  await put(1, 'unknown.test', { count: 20 });
  await put(1, 'news.test', { count: 20, priority: 1 });
  const responsive = { destinations: ['responsive.test'], per_lane: 7 };
  const mails = await createClaim(db)(request({ per_lane: 3, responsive, broadcast_count: 2 }));
  const lanes = Map.groupBy(mails, ({ destination }) => destination);
  assert.deepEqual(Object.fromEntries([...lanes].map(([name, list]) => [name, list.length])), {
    'responsive.test': 7,
    'unknown.test': 3,
    'news.test': 2,
  });
});

test('the mail of a lane that is due for longest is claimed first', async () => {
  const ago = (minutes: number): Date => new Date(now.getTime() - minutes * 60_000);
  for (const minutes of [1, 3, 2]) await put(1, 'a.test', { due: ago(minutes) });
  const claim = createClaim(db);
  const order = await db.query<{ mail_id: string }>('select mail_id from queue order by due_at');
  for (const { mail_id } of order) {
    const [mail] = await claim(request({ per_lane: 1 }));
    assert.equal(mail?.mail_id, mail_id);
  }
});

test('claims that take less than there is serve one lane after the other, and begin anew', async () => {
  for (const lane of ['a.test', 'b.test', 'c.test']) await put(1, lane, { count: 10 });
  const claim = createClaim(db);
  const served: string[] = [];
  for (let turn = 1; turn <= 4; turn += 1) {
    const mails = await claim(request({ count: 2, per_lane: 2 }));
    served.push(...new Set(mails.map(({ destination }) => destination)));
  }
  assert.deepEqual(served, ['a.test', 'b.test', 'c.test', 'a.test']);
});

test('a claim looks at two scans of lanes where it finds mail, and the next goes on behind them', async () => {
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, ready_priority, due_at)
     select gen_random_uuid(), gen_random_uuid(), n, 'd' || n || '.test', 0, 0, $1
     from generate_series(1, 1300) n, generate_series(1, 2)`,
    [now],
  );
  const claim = createClaim(db);
  const lanesOf = async (): Promise<number[]> =>
    (await claim(request({ count: 5_000, per_lane: 1 }))).map(({ instance_id }) => instance_id);
  const [first, second] = [await lanesOf(), await lanesOf()];
  assert.deepEqual([first.length, Math.max(...first)], [1_000, 1_000]);
  const behind = second.filter((lane) => lane > 1_000).length;
  assert.deepEqual([behind, second.length], [300, 800], 'and from the beginning again');
});

test('a destination closed to broadcast still gets transactional mail', async () => {
  await put(1, 'a.test', { priority: 0 });
  await put(1, 'a.test', { priority: 1 });
  await put(1, 'b.test', { priority: 1 });
  const mails = await createClaim(db)(request({ excluded_for_broadcast: ['a.test'] }));
  assert.deepEqual(
    mails.map(({ destination }) => destination),
    ['a.test', 'b.test'],
  );
});

test('a thousand due mails become ready at once, those that wait for longest first', async () => {
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at)
     select gen_random_uuid(), gen_random_uuid(), 1, 'a.test', 0, $1::timestamptz - n * interval '1 s'
     from generate_series(1, 1500) n order by n % 7`,
    [now],
  );
  assert.equal((await createClaim(db)(request({ count: 1 }))).length, 1);
  const [waiting] = await db.query(
    `select count(*)::int, min(due_at) as oldest from queue where ready_priority is null and lease is null`,
  );
  // And a share of each instance, as there may be more: 40 of this one.
  assert.deepEqual(waiting, { count: 460, oldest: new Date(now.getTime() - 460_000) });
});

test('mail of one instance that falls due all at once delays the retries of no other, nor its own of the other priority', async () => {
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at)
     select gen_random_uuid(), gen_random_uuid(), 1, 'a.test', 1, $1::timestamptz - interval '1 minute'
     from generate_series(1, 20000)`,
    [now],
  );
  // Of the hundreds of thousands that the tests before have deleted, nothing is left in the indexes.
  await db.query('vacuum analyze queue');
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at, attempts)
     select gen_random_uuid(), gen_random_uuid(), 1 + n % 120, 'retry.test', 0, $1, 1 from generate_series(1, 240) n`,
    [now],
  );
  const claim = createClaim(db);
  let retries = 0;
  let claims = 0;
  while (retries < 240 && claims < 10) {
    claims += 1;
    const mails = await claim(request({ count: 500 }));
    retries += mails.filter(({ destination }) => destination === 'retry.test').length;
    await new Promise((resolve) => void setTimeout(resolve, 110));
  }
  assert.deepEqual([retries, claims <= 4], [240, true], `${claims} claims`);
});

test('mail of one destination that falls due all at once delays no other destination of its instance', async () => {
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at)
     select gen_random_uuid(), gen_random_uuid(), 1, 'a.test', 1, $1::timestamptz - interval '1 minute'
     from generate_series(1, 20000)`,
    [now],
  );
  await db.query('vacuum analyze queue');
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at, attempts)
     select gen_random_uuid(), gen_random_uuid(), 1, 'd' || n % 60 || '.test', 1, $1, 1 from generate_series(1, 180) n`,
    [now],
  );
  const claim = createClaim(db);
  let others = 0;
  let claims = 0;
  while (others < 180 && claims < 10) {
    claims += 1;
    const mails = await claim(request({ count: 500 }));
    others += mails.filter(({ destination }) => destination !== 'a.test').length;
    await new Promise((resolve) => void setTimeout(resolve, 110));
  }
  assert.deepEqual([others, claims <= 4], [180, true], `${claims} claims`);
});
