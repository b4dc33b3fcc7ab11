import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { Database } from '../base/db/database.ts';
import { createNotifications } from '../base/db/notifications.ts';
import { createPausedDestinations } from './paused-destinations.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  db = new Database({
    connection: database.connection,
    pool_size: 2,
    pipelines: 1,
    on_error: () => undefined,
  });
});
after(async () => {
  await db.end();
  await database.drop();
});

test('every destination counts as paused until the cache is loaded; notifications update it', async (t) => {
  const notifications = createNotifications(database.connection, () => undefined);
  const lanes = createPausedDestinations(db, notifications);
  assert.ok(lanes.has(1, 'a.test'), 'in doubt, nothing passes');
  await notifications.start();
  t.after(async () => await notifications.stop());
  await lanes.refresh();
  const [instance] = await db.query<{ id: number }>(
    "insert into instances (slug, name) values ('lanes', 'Lanes') returning id",
  );
  const id = instance?.id ?? 0;
  await waitFor(() => !lanes.has(id, 'a.test'), { what: 'the lane to be open' });
  await db.query("insert into paused_destinations (instance_id, destination) values ($1, 'a.test')", [id]);
  await waitFor(() => lanes.has(id, 'a.test') && !lanes.has(id, 'b.test'), { what: 'the pause' });
  assert.equal(lanes.has(id + 1, 'a.test'), false, 'another instance is not paused');
  await db.query('delete from paused_destinations');
  await waitFor(() => !lanes.has(id, 'a.test'), { what: 'its end' });
});
