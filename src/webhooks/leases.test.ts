import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createDatabaseLink } from '../../test/acceptance/database-link.fixture.ts';
import { acceptMail, addEvents, createEndpoint, startWebhookBed } from './webhook-bed.fixture.ts';

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
