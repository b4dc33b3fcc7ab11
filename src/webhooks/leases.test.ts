import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Client } from 'pg';
import { createDatabaseLink } from '../../test/acceptance/database-link.fixture.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { acceptMail, addEvents, createEndpoint, startWebhookBed } from './webhook-bed.fixture.ts';

/** A database that outlives the service, with a hand on it. */
async function openDatabase(t: TestContext): Promise<{ database: TestDatabase; client: Client }> {
  const database = await createTestDatabase();
  const client = new Client(database.connection);
  await client.connect();
  t.after(async () => {
    await client.end();
    await database.drop();
  });
  return { database, client };
}

test('deliveries of a claim whose answer was lost go out before their lease expires', async (t) => {
  const link = await createDatabaseLink();
  const bed = await startWebhookBed({ roles: 'api,web,webhooks', database: link.database });
  t.after(async () => {
    await bed.stop();
    await link.stop();
  });
  const tenant = await bed.service.tenant();
  const sink = await bed.sink(t);
  const { id } = await createEndpoint(tenant, sink.url);
  const msg_id = await acceptMail(tenant);
  const { isLost } = link.loseAnswer((bytes) => bytes.includes(`"webhook_id": ${id}`));
  await addEvents(bed.service.db, msg_id, [{}]);
  // The lease is 30 s.
  await sink.waitForRequests(1, 20_000);
  assert.ok(isLost());
  const [delivery] = await bed.service.db.query('select attempts from webhook_deliveries');
  assert.deepEqual(delivery, { attempts: 1 }, 'the attempt that nobody made does not count');
});

test('a process that was suspended posts nothing that another may have by now', async (t) => {
  const { database, client } = await openDatabase(t);
  // A third of the lease, 300 ms, is how long a delivery may be held before it is posted.
  const config = { delivery_lease_seconds: 0.9 };
  const bed = await startWebhookBed({ roles: 'api,webhooks', database, config });
  const tenant = await bed.service.tenant();
  const sink = await bed.sink(t, { respond: { status: 500 } });
  await createEndpoint(tenant, sink.url);
  await addEvents(bed.service.db, await acceptMail(tenant), [{}]);
  const select = 'select from webhook_deliveries where';
  await waitFor(async () => (await client.query(`${select} last_status_code = 500`)).rowCount === 1, {
    timeout_ms: 60_000,
    what: 'the first attempt',
  });
  // Between the claim and the attempt this table is read.
  await client.query('begin; lock table categories in access exclusive mode');
  await bed.service.db.query('update webhook_deliveries set due_at = now()');
  await waitFor(
    async () =>
      (await bed.service.db.query(`${select} leased_until < clock_timestamp() + interval '0.4 s'`)).length ===
      1,
    { what: 'the claim to grow old' },
  );
  await bed.service.db.query(
    `update webhook_deliveries set lease = gen_random_uuid(), leased_until = now() + interval '1 hour'`,
  );
  await client.query('commit');
  // Which waits for what was claimed.
  await bed.stop();
  assert.equal(sink.requests.length, 1);
});

test('an attempt that the end of its process cut short counts as no failure', async (t) => {
  const { database, client } = await openDatabase(t);
  const bed = await startWebhookBed({ roles: 'api,webhooks', database, config: { stop_timeout_ms: 50 } });
  const tenant = await bed.service.tenant();
  const sink = await bed.sink(t, { respond: 'hang' });
  await createEndpoint(tenant, sink.url);
  await addEvents(bed.service.db, await acceptMail(tenant), [{}]);
  await sink.waitForRequests(1);
  await bed.stop();
  const { rows } = await client.query(
    `select d.state, d.last_error, d.log, d.lease is not null as is_leased, w.consecutive_failures as failures
     from webhook_deliveries d join webhooks w on w.id = d.webhook_id`,
  );
  assert.deepEqual(rows, [{ state: 'pending', last_error: null, log: [], is_leased: true, failures: 0 }]);
});
