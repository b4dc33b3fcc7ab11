import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Database } from '../base/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { listQueuedInstances, viewQueue } from './queue-view.ts';

let database: TestDatabase;
let db: Database;
let instanceId: number;
before(async () => {
  database = await createTestDatabase();
  db = new Database({
    connection: database.connection,
    pool_size: 2,
    pipelines: 1,
    on_error: () => undefined,
  });
  const [row] = await db.query<{ id: number }>(
    "insert into instances (slug, name) values ('acme', 'Acme'), ('idle', 'Idle') returning id",
  );
  instanceId = row?.id ?? 0;
});
after(async () => {
  await db.end();
  await database.drop();
});
beforeEach(async () => {
  await db.query('truncate queue');
  await db.query('delete from paused_destinations');
});

const due = new Date('2026-12-01T12:00:00Z');
interface Row {
  count?: number;
  instance_id?: number;
  priority?: number;
  attempts?: number;
  last_error?: string | null;
  seconds?: number;
  held?: boolean;
}
const put = async (destination: string, row: Row = {}) =>
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, attempts, last_error, due_at, held_since)
     select gen_random_uuid(), gen_random_uuid(), $1, $2, $3, $4, $5,
       $6::timestamptz + make_interval(secs => $7::integer + n), case when $8 then now() end
     from generate_series(0, $9::integer - 1) n`,
    [
      row.instance_id ?? instanceId,
      destination,
      row.priority ?? 0,
      row.attempts ?? 0,
      row.last_error ?? null,
      due,
      row.seconds ?? 0,
      row.held ?? false,
      row.count ?? 1,
    ],
  );

test('an empty queue has nothing to show', async () => {
  assert.deepEqual(await viewQueue(db, instanceId), {
    depth: 0,
    is_exact: true,
    oldest_due_at: null,
    is_under_way: false,
    held: 0,
    destinations: [],
    paused: [],
  });
  assert.deepEqual(await listQueuedInstances(db), []);
});

test('destinations are sorted by backlog, both priorities together; held mail is counted apart', async () => {
  await put('a.test', { count: 2 });
  await put('b.test', { count: 3, seconds: 60 });
  await put('b.test', { count: 1, seconds: -60, priority: 1 });
  await put('b.test', { seconds: 600, attempts: 4, last_error: 'connection_timeout' });
  await put('c.test', { held: true, count: 2 });
  await put('other.test', { instance_id: instanceId + 1 });
  await db.query("insert into paused_destinations (instance_id, destination) values ($1, 'b.test')", [
    instanceId,
  ]);
  const { paused, ...view } = await viewQueue(db, instanceId);
  const destinations = view.destinations.map(({ oldest_at: _oldest_at, ...rest }) => rest);
  assert.deepEqual(
    { ...view, destinations },
    {
      depth: 9,
      is_exact: true,
      oldest_due_at: new Date(due.getTime() - 60_000),
      is_under_way: false,
      held: 2,
      destinations: [
        {
          destination: 'b.test',
          mails: 5,
          next_due_at: new Date(due.getTime() - 60_000),
          attempts: 4,
          last_error: 'connection_timeout',
          is_paused: true,
          is_under_way: false,
        },
        {
          destination: 'a.test',
          mails: 2,
          next_due_at: due,
          attempts: 0,
          last_error: null,
          is_paused: false,
          is_under_way: false,
        },
      ],
    },
  );
  assert.deepEqual(
    paused.map(({ destination }) => destination),
    ['b.test'],
  );
  assert.deepEqual(
    (await listQueuedInstances(db)).map(({ slug }) => slug),
    ['acme', 'idle'],
  );
});

test('mail, held mail and pauses of another instance are not there', async () => {
  const theirs = { instance_id: instanceId + 1, seconds: -60 };
  await put('both.test', { count: 250 });
  await put('both.test', { ...theirs, count: 300 });
  await put('both.test', { ...theirs, seconds: 6_000, attempts: 9, last_error: 'connection_refused' });
  await put('both.test', { ...theirs, held: true });
  await put('a.test', theirs);
  await put('z.test', theirs);
  await db.query("insert into paused_destinations (instance_id, destination) values ($1, 'both.test')", [
    theirs.instance_id,
  ]);
  const view = await viewQueue(db, instanceId, { lanes: 2, mails_per_lane: 1_000 });
  const destinations = view.destinations.map(({ oldest_at: _oldest_at, ...rest }) => rest);
  const [mails, next_due_at] = [250, due];
  assert.deepEqual(
    { ...view, destinations },
    {
      depth: mails,
      is_exact: true,
      oldest_due_at: due,
      is_under_way: false,
      held: 0,
      destinations: [
        {
          destination: 'both.test',
          mails,
          next_due_at,
          attempts: 0,
          last_error: null,
          is_paused: false,
          is_under_way: false,
        },
      ],
      paused: [],
    },
  );
});

test('at most 100 destinations are shown, and the depth counts all', async () => {
  for (let number = 0; number < 120; number += 1) await put(`d${number}.test`);
  await put('z.test', { count: 2 });
  const { destinations, depth, is_exact } = await viewQueue(db, instanceId);
  assert.deepEqual([destinations.length, destinations[0]?.destination, depth], [100, 'z.test', 122]);
  assert.equal(is_exact, true);
});

test('is_exact is false when counting stopped at a limit', async () => {
  await put('a.test', { count: 300 });
  await put('b.test');
  const few = await viewQueue(db, instanceId, { lanes: 10, mails_per_lane: 250 });
  assert.deepEqual([few.depth, few.is_exact, few.destinations.length], [251, false, 2]);
  assert.equal((await viewQueue(db, instanceId, { lanes: 10, mails_per_lane: 301 })).is_exact, true);
  const narrow = await viewQueue(db, instanceId, { lanes: 1, mails_per_lane: 1_000 });
  assert.deepEqual([narrow.is_exact, narrow.destinations.length], [false, 1]);
  await put('c.test', { held: true, count: 260 });
  assert.equal((await viewQueue(db, instanceId, { lanes: 10, mails_per_lane: 250 })).held, 250);
});

test('the most overdue of more than 100 long lanes are counted in full', async () => {
  for (let lane = 0; lane < 102; lane += 1) await put(`d${lane}.test`, { count: 210, seconds: -lane });
  const { destinations, depth, is_exact } = await viewQueue(db, instanceId);
  assert.deepEqual([depth, is_exact], [100 * 210 + 2 * 200, false]);
  assert.ok(destinations.every(({ mails }) => mails === 210));
});

test('a long queue is read through its index, lane by lane', async () => {
  await put('dead.test', { count: 60_000 });
  await put('slow.test', { count: 30_000, priority: 1, last_error: 'connection_refused', attempts: 2 });
  await put('quick.test');
  await db.query('analyze queue');
  const began = performance.now();
  const view = await viewQueue(db, instanceId);
  const took = performance.now() - began;
  assert.deepEqual(
    view.destinations.map(({ destination, mails, last_error }) => [destination, mails, last_error]),
    [
      ['dead.test', 60_000, null],
      ['slow.test', 30_000, 'connection_refused'],
      ['quick.test', 1, null],
    ],
  );
  // Some 40 ms; the bound only catches a plan that has gone wrong.
  assert.ok(took < 2_000, `${Math.round(took)} ms`);
});

test('the oldest of the mails to a destination tells since when they wait', async () => {
  const oldest = new Date('2026-11-01T10:00:00.000Z');
  await put('age.test', { count: 2 });
  // Their identifiers are random, and so is the time in them.
  await db.query(
    `update queue q set mail_id = uuid_at($2::timestamptz + n.number * interval '1 hour')
     from (select mail_id, row_number() over () - 1 as number from queue
           where instance_id = $1 and destination = 'age.test') as n
     where q.mail_id = n.mail_id`,
    [instanceId, oldest],
  );
  const { destinations } = await viewQueue(db, instanceId);
  assert.deepEqual(destinations.find(({ destination }) => destination === 'age.test')?.oldest_at, oldest);
});

test('a destination whose first mail is being attempted says so, and not when the lease ends', async () => {
  await put('leased.test', { attempts: 1 });
  await put('mixed.test', { attempts: 1, count: 2 });
  await db.query('update queue set due_at = now()');
  await db.query(
    `update queue q set lease = gen_random_uuid(), due_at = now() + interval '30 minutes'
     where mail_id in (select min(mail_id::text)::uuid from queue group by destination)`,
  );
  const view = await viewQueue(db, instanceId);
  const under_way = view.destinations.map((each) => [each.destination, each.is_under_way] as const);
  assert.deepEqual(Object.fromEntries(under_way), { 'leased.test': true, 'mixed.test': false });
  assert.equal(view.is_under_way, false);
  await db.query("delete from queue where destination = 'mixed.test'");
  assert.equal((await viewQueue(db, instanceId)).is_under_way, true);
  await db.query("update queue set due_at = now() - interval '1 second'");
  assert.equal((await viewQueue(db, instanceId)).is_under_way, false, 'its lease has ended');
});
