import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { Database } from '../base/db/database.ts';
import { createClaim, type ClaimedMail } from './claim.ts';
import { createLeaseCheck, createQueueRelease, releaseUnanswered } from './leases.ts';

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
beforeEach(async () => {
  await db.query('delete from queue');
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, ready_priority, due_at)
     select gen_random_uuid(), gen_random_uuid(), 1, 'd.test', 0, 0, now() - interval '1 second' from generate_series(1, 5)`,
  );
});

const lease_seconds = 1_800;
const releaseQueueLeases = createQueueRelease({ lease_seconds });

const dead = 'aaaaaaaa';
const leaseOf = (node: string, number: number): string => `${node}-0000-4000-8000-00000000000${number}`;
const take = async (lease: string, count: number): Promise<ClaimedMail[]> =>
  await createClaim(db)({
    lease,
    count,
    per_lane: count,
    lease_seconds,
    excluded: [],
    // What was released a moment ago is due at the microsecond, which this clock does not have.
    now: new Date(Date.now() + 10),
  });
const idsOf = (mails: ClaimedMail[]): Set<string> => new Set(mails.map(({ mail_id }) => mail_id));

test('mail leased to a dead node is claimed again, mail leased to a living one is not', async () => {
  const lost = [...(await take(leaseOf(dead, 1), 2)), ...(await take(leaseOf(dead, 2), 1))];
  await take(leaseOf('bbbbbbbb', 1), 2);
  assert.deepEqual(await take(leaseOf('bbbbbbbb', 2), 5), []);
  assert.equal(await releaseQueueLeases(db, { nodes: [dead], leases: [], ages_ms: [] }), 3);
  const again = await take(leaseOf('bbbbbbbb', 3), 5);
  assert.deepEqual(idsOf(again), idsOf(lost));
  assert.ok(
    again.every(({ attempt }) => attempt === 2),
    'how the attempt ended is unknown, and it counts',
  );
  assert.equal(await releaseQueueLeases(db, { nodes: [dead], leases: [], ages_ms: [] }), 0);
});

test('mail of a claim whose answer was lost is claimed again, and the attempt does not count', async () => {
  const lost = await take(leaseOf(dead, 1), 3);
  await take(leaseOf(dead, 2), 2);
  assert.equal(await releaseQueueLeases(db, { nodes: [], leases: [leaseOf(dead, 1)], ages_ms: [20] }), 3);
  const again = await take(leaseOf(dead, 3), 5);
  assert.deepEqual(idsOf(again), idsOf(lost));
  assert.ok(again.every(({ attempt }) => attempt === 1));
});

/** What the node knows by its own heartbeats. */
const checkOf = (holds: boolean): ReturnType<typeof createLeaseCheck> =>
  createLeaseCheck({ db, node: { holdsLeasesSince: () => holds }, lease_seconds });

test('after a gap in the heartbeats a lease is looked for in the database, for its own mail only', async () => {
  const holds = checkOf(false);
  const [one, two] = await take(leaseOf(dead, 1), 2);
  assert.ok(one && two);
  const other = { ...one, lease: leaseOf(dead, 2) };
  assert.deepEqual(await Promise.all([one, other, two].map(holds)), [true, false, true]);
  await releaseQueueLeases(db, { nodes: [dead], leases: [], ages_ms: [] });
  assert.deepEqual(await Promise.all([one, two].map(holds)), [false, false]);
  assert.equal(await checkOf(true)(one), true, 'without a gap the node knows');
});

test('an old lease begins anew before the mail is sent, unless another node has the mail', async () => {
  const holds = checkOf(true);
  const [one, two] = await take(leaseOf(dead, 1), 2);
  assert.ok(one && two);
  const leased_at = performance.now() - (lease_seconds * 1000) / 2;
  // Both leases have expired, and one mail was claimed by another node.
  await db.query('delete from queue where lease is null');
  await db.query(`update queue set due_at = now() - interval '1 second'`);
  const [again] = await take(leaseOf('bbbbbbbb', 1), 1);
  const [held, lost] = again?.mail_id === one.mail_id ? [two, one] : [one, two];
  const answers = await Promise.all([held, lost].map(async (mail) => await holds({ ...mail, leased_at })));
  assert.deepEqual(answers, [true, false]);
  const ready = await db.query('select from queue where mail_id = $1 and ready_priority is not null', [
    held.mail_id,
  ]);
  assert.equal(ready.length, 0);
  assert.equal(
    (await take(leaseOf('bbbbbbbb', 2), 5)).some(({ mail_id }) => mail_id === held.mail_id),
    false,
  );
});

test('a claim whose answer was lost reads what was leased in its time, not the whole queue', async () => {
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at, attempts)
     select gen_random_uuid(), gen_random_uuid(), 1, 'deferred.test', 0, now() + (n + 600) * interval '1 s', 2
     from generate_series(1, 14400) n`,
  );
  await db.query('vacuum analyze queue');
  const lease = leaseOf(dead, 1);
  await take(lease, 5);
  const [plan] = await db.query<{ 'QUERY PLAN': { Plan: unknown }[] }>(
    `explain (analyze, format json) ${releaseUnanswered}`,
    [[lease], [5_000], lease_seconds, 30],
  );
  const text = JSON.stringify(plan);
  assert.match(text, /queue_waiting/);
  assert.doesNotMatch(text, /Seq Scan/);
  const [read] =
    /"Rows Removed by Join Filter": ?(\d+)|"Rows Removed by Filter": ?(\d+)/.exec(text)?.slice(1) ?? [];
  assert.ok(Number(read ?? 0) < 100, text);
  assert.equal((await take(leaseOf(dead, 2), 10)).length, 5);
});
