import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Database } from '../base/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { purgeDeliveriesJob } from './purge-deliveries.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  db = new Database({
    connection: database.connection,
    pool_size: 4,
    pipelines: 1,
    on_error: () => undefined,
  });
  await db.query(`insert into instances (slug, name) values ('webhooks', 'Webhooks')`);
});
after(async () => {
  await db.end();
  await database.drop();
});

const day = 24 * 3_600_000;
const now = new Date();

async function addDeliveries(
  webhookId: number,
  { number, age_ms }: { number: number; age_ms: number },
): Promise<void> {
  await db.query(
    `insert into webhook_deliveries (webhook_id, instance_id, event_id, mail_id, type, event_at, created_at, state)
     select $1, 1, gen_random_uuid(), gen_random_uuid(), 'mail.sent', $2, $2, 'delivered' from generate_series(1, $3)`,
    [webhookId, new Date(now.getTime() - age_ms), number],
  );
}
async function addWebhook(): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    `insert into webhooks (instance_id, name, url, is_active, active_since, secret, counted_since, created_at, updated_at)
     select id, 'w', 'https://example.com', true, $1, '', $1, $1, $1 from instances returning id`,
    [now],
  );
  return row?.id ?? 0;
}
const count = async (): Promise<number> =>
  (await db.query<{ count: number }>('select count(*) from webhook_deliveries'))[0]?.count ?? -1;

const purge = async (): Promise<string> => await purgeDeliveriesJob.run({ db, now, isStopping: () => false });

test('deliveries are kept for thirty days', async () => {
  const id = await addWebhook();
  await addDeliveries(id, { number: 5500, age_ms: 30 * day + 1 });
  await addDeliveries(id, { number: 10, age_ms: 30 * day - 1 });
  assert.equal(await purge(), '5500 old deliveries, 0 of deleted webhooks, 0 replaced secrets');
  assert.equal(await count(), 10);
});

test('deliveries of deleted webhooks are purged, and no others', async () => {
  await db.query('truncate webhook_deliveries');
  const [kept, deleted] = [await addWebhook(), await addWebhook()];
  await addDeliveries(kept, { number: 5, age_ms: 0 });
  await addDeliveries(deleted, { number: 5200, age_ms: 0 });
  assert.equal(await purge(), '0 old deliveries, 0 of deleted webhooks, 0 replaced secrets');
  await db.query('delete from webhooks where id = $1', [deleted]);
  assert.equal(await purge(), '0 old deliveries, 5200 of deleted webhooks, 0 replaced secrets');
  assert.equal(await count(), 5);
});

test('a secret whose grace period is over is purged', async () => {
  const [replaced, inGrace] = [await addWebhook(), await addWebhook()];
  const replace = async (id: number, expiresInMs: number) =>
    await db.query(
      `update webhooks set previous_secret = 'x', previous_secret_expires_at = $2 where id = $1`,
      [id, new Date(now.getTime() + expiresInMs)],
    );
  await replace(replaced, 0);
  await replace(inGrace, 1);
  assert.match(await purge(), /, 1 replaced secrets$/);
  const rows = await db.query<{ id: number }>('select id from webhooks where previous_secret is not null');
  assert.deepEqual(rows, [{ id: inGrace }]);
});
