import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Registry } from 'prom-client';
import { Database } from '../base/db/database.ts';
import { IdSequence } from '../base/ids.ts';
import { createLog } from '../base/log.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { watchConservation } from './conservation-metrics.ts';
import { reconcileQueue, reconcileWholeQueue } from './conservation.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  db = open();
});
after(async () => {
  await db.end();
  await database.drop();
});
beforeEach(async () => void (await db.query('truncate mails, messages, queue, stats_deltas, measurements')));

const open = () =>
  new Database({ connection: database.connection, pool_size: 2, pipelines: 1, on_error: () => undefined });
const now = new Date();
const ids = new IdSequence();
const ago = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);

/** One message with a mail of each status; those that wait are in the queue. */
async function accept(at: Date, statuses: number[]): Promise<string[]> {
  const msgId = ids.next(at);
  const mailIds = statuses.map(() => ids.next(at));
  await db.query(
    `insert into messages (msg_id, instance_id, sender_id, source, stream, test_mode, rcpt_count, size_bytes,
       content_kind, envelope)
     values ($1, 1, 1, 'http', 'transactional', false, $2, 1, 'parts', '{}')`,
    [msgId, statuses.length],
  );
  await db.query(
    `insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email,
       subject, test_mode, received_at)
     select m.mail_id, $1, 1, m.status, 'a@a.test', 'to', 1, 'b@b.test', 'x', false, $2
     from unnest($3::uuid[], $4::smallint[]) as m (mail_id, status)`,
    [msgId, at, mailIds, statuses],
  );
  const waiting = mailIds.filter((_, index) => [2, 5, 7].includes(statuses[index] ?? 0));
  await enqueue(waiting, at);
  return mailIds;
}
const enqueue = async (mailIds: (string | undefined)[], at = now) =>
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at)
     select mail_id, mail_id, 1, 'a.test', 0, $2 from unnest($1::uuid[]) mail_id`,
    [mailIds, at],
  );

const valuesOf = (metrics: string, name: string): number[] =>
  [...metrics.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, 'gm'))].map(([, value]) => Number(value));

const oneOfEach = [1, 2, 3, 4, 5, 6, 7];
const noViolations = { not_queued: 0, still_queued: 0, orphaned: 0 };
const each = (count: number) => ({
  received: count,
  queued: count,
  sent: count,
  dropped: count,
  deferred: count,
  bounced: count,
  onhold: count,
});

test('accepted mails equal the sum of the statuses, and waiting ones are in the queue', async () => {
  assert.deepEqual(await reconcileQueue(db), { statuses: each(0), violations: noViolations });
  await accept(ago(0), oneOfEach);
  await accept(ago(30), oneOfEach);
  assert.deepEqual(await reconcileQueue(db), { statuses: each(2), violations: noViolations });
  assert.deepEqual(await reconcileQueue(db, { from: ago(24) }), {
    statuses: each(1),
    violations: noViolations,
  });
  assert.deepEqual(await reconcileQueue(db, { from: ago(40), to: ago(20) }), {
    statuses: each(1),
    violations: noViolations,
  });
});

test('mail that waits outside the queue, that is done and still in it, and places without mail are violations', async () => {
  const [, queued, sent] = await accept(ago(1), oneOfEach);
  await db.query('delete from queue where mail_id = $1', [queued]);
  await enqueue([sent, ids.next(ago(1)), ids.next(ago(1))]);
  const expected = { not_queued: 1, still_queued: 1, orphaned: 2 };
  assert.deepEqual((await reconcileQueue(db)).violations, expected);
  assert.deepEqual((await reconcileQueue(db, { from: ago(0.5) })).violations, noViolations);
  const full = await reconcileWholeQueue(db, now);
  assert.deepEqual([full.violations, full.accepted, full.is_conserved], [expected, 7, false]);
});

test('the full balance goes through every day there is', async () => {
  for (const hours of [-1, 0, 1, 23, 24, 25, 47, 48, 49, 130]) await accept(ago(hours), oneOfEach);
  assert.deepEqual(await reconcileWholeQueue(db, now), {
    statuses: each(10),
    violations: noViolations,
    accepted: 70,
    is_conserved: true,
  });
  // Older than any mail: a queue row that no other query finds.
  await enqueue(['00000000-0000-7000-8000-000000000001']);
  assert.equal((await reconcileWholeQueue(db, now)).violations.orphaned, 1);
});

test('a message that lost one of its mails does not add up', async () => {
  const [, , sent] = await accept(ago(50), oneOfEach);
  await accept(ago(2), oneOfEach);
  await db.query('delete from mails where mail_id = $1', [sent]);
  const { violations, accepted, is_conserved } = await reconcileWholeQueue(db, now);
  assert.deepEqual([violations, accepted, is_conserved], [noViolations, 14, false]);
});

const watch = (store: Database, { logged = [] as string[], slice = 1_000 } = {}) => {
  const registry = new Registry();
  const log = createLog('warn', { write: (line) => void logged.push(line) });
  watchConservation({ db: store, registry, clock: { now: () => now }, log, slice });
  return async (name: string): Promise<number[]> => valuesOf(await registry.metrics(), name);
};

test('metrics count the mails of three days by status, and those that contradict the queue', async () => {
  await accept(ago(1), oneOfEach);
  await accept(ago(80), oneOfEach);
  await accept(ago(1), [7]);
  await db.query('delete from queue where mail_id = $1', [(await accept(ago(1), [2]))[0]]);
  const read = watch(db);
  assert.deepEqual(await read('chasqui_mails'), [1, 2, 1, 1, 1, 1, 2]);
  assert.deepEqual(await read('chasqui_conservation_violations'), [1]);
  const [checked] = await read('chasqui_conservation_checked_seconds');
  assert.ok(Math.abs((checked ?? 0) - Date.now() / 1000) < 120);
});

test('one node measures and the others show the same, until the figures are old', async () => {
  await accept(ago(1), [2]);
  assert.deepEqual(await watch(db)('chasqui_mails'), [0, 1, 0, 0, 0, 0, 0]);
  await accept(ago(1), [2]);
  assert.deepEqual(await watch(db)('chasqui_mails'), [0, 1, 0, 0, 0, 0, 0]);
  await db.query(`update measurements set measured_at = now() - interval '40 s', took_ms = 3000`);
  assert.deepEqual(await watch(db)('chasqui_mails'), [0, 1, 0, 0, 0, 0, 0], 'slow ones are taken less often');
  await db.query(`update measurements set took_ms = 10, claimed_until = now() + interval '10 s'`);
  assert.deepEqual(await watch(db)('chasqui_mails'), [0, 1, 0, 0, 0, 0, 0], 'another node measures');
  await db.query(`update measurements set claimed_until = now() - interval '1 s'`);
  assert.deepEqual(await watch(db)('chasqui_mails'), [0, 2, 0, 0, 0, 0, 0]);
});

test('mails are compared slice by slice, and a violation shows until a whole round is without it', async () => {
  for (const hours of [1, 2, 3, 4]) await accept(ago(hours / 4), [3, 3]);
  const [queued] = await accept(ago(0.4), [2]);
  await db.query('delete from queue where mail_id = $1', [queued]);
  async function next(): Promise<number | undefined> {
    await db.query(`update measurements set measured_at = now() - interval '1 h', took_ms = 0`);
    return (await watch(db, { slice: 4 })('chasqui_conservation_violations'))[0];
  }
  assert.deepEqual([await next(), await next(), await next()], [0, 1, 1]);
  await db.query('delete from mails where mail_id = $1', [queued]);
  const later = [];
  for (let slices = 1; slices <= 4; slices += 1) later.push(await next());
  assert.deepEqual([later[0], later.at(-1)], [1, 0]);
});

test('reading metrics again soon asks the database nothing', async () => {
  const read = watch(db);
  await Promise.all([read('chasqui_mails'), read('chasqui_mails')]);
  const trips = db.round_trips;
  await read('chasqui_mails');
  assert.equal(db.round_trips, trips);
});

test('a check that fails leaves the other metrics readable, is logged, and may be tried again', async () => {
  const closed = open();
  await closed.end();
  const logged: string[] = [];
  const read = watch(closed, { logged });
  assert.deepEqual(await read('chasqui_conservation_checked_seconds'), [0]);
  assert.match(logged.join(''), /a measurement for metrics failed/);
});
