import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { Database } from '../base/db/database.ts';
import { createClaim } from './claim.ts';
import { createLeaseHolder } from './lease-holder.ts';

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

const grow = async (seconds: number): Promise<unknown> =>
  await db.query("update delivery_nodes set seen_at = seen_at - $1 * interval '1 s'", [seconds]);

test('what a silent node had under lease is claimed anew, what a living one has is not', async () => {
  const now = new Date();
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, ready_priority, due_at)
     select gen_random_uuid(), gen_random_uuid(), 1, 'd.test', 0, 0, $1 from generate_series(1, 5)`,
    [now],
  );
  const [dead, alive] = [createLeaseHolder(db), createLeaseHolder(db)];
  const claim = createClaim(db);
  const take = async (lease: string, count: number) =>
    await claim({ lease, count, per_lane: count, lease_seconds: 1_800, excluded: [], now: new Date() });
  await dead.attend(now);
  await alive.attend(now);
  const lost = [...(await take(dead.newLease(), 2)), ...(await take(dead.newLease(), 1))];
  await take(alive.newLease(), 2);
  await grow(60);
  assert.equal(await alive.attend(new Date()), 0, 'a minute is not long');
  await grow(31);
  assert.deepEqual(await take(alive.newLease(), 5), []);
  assert.equal(await alive.attend(new Date()), 3);
  const again = await take(alive.newLease(), 5);
  assert.deepEqual(new Set(again.map(({ mail_id }) => mail_id)), new Set(lost.map(({ mail_id }) => mail_id)));
  assert.ok(again.every(({ attempt }) => attempt === 2));
  assert.equal(await alive.attend(new Date()), 0, 'once');
  // Taken for dead while it was cut off, it goes on under new leases.
  assert.equal(await dead.attend(new Date()), 0);
  await alive.leave();
  await dead.leave();
  assert.deepEqual(await db.query('select from delivery_nodes'), []);
});

test('leases are of their holder, and all different', () => {
  const [one, other] = [createLeaseHolder(db), createLeaseHolder(db)];
  const leases = Array.from({ length: 100 }, () => one.newLease());
  assert.equal(new Set(leases).size, 100);
  assert.ok(
    leases.every((lease) => /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(lease)),
  );
  assert.equal(new Set([...leases, other.newLease()].map((lease) => lease.slice(0, 8))).size, 2);
});
