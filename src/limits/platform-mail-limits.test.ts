import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { Database } from '../base/db/database.ts';
import { limitPlatformMail, returnPlatformMail } from './platform-mail-limits.ts';

type Request = Parameters<typeof limitPlatformMail>[2];

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

const unlimited = {
  per_recipient_day: 0,
  per_instance_hour: 0,
  confirmations_per_instance_hour: 0,
  per_network_hour: 0,
};

/** How many of five such mails may be written. */
async function written(limits: Partial<typeof unlimited>, request: Partial<Request>): Promise<number> {
  const wanted: Request = {
    kind: 'platform',
    instance_id: 1,
    recipient: 'a@example.com',
    address: null,
    ...request,
  };
  let count = 0;
  for (let n = 0; n < 5; n += 1) {
    await limitPlatformMail(db, { ...unlimited, ...limits }, wanted).then(
      () => (count += 1),
      (error: unknown) => assert.equal((error as { code?: string }).code, 'rate_limit_exceeded'),
    );
  }
  return count;
}

test('an instance has a limit for what its members write and another for what strangers ask for, each counted apart', async () => {
  const limits = { per_instance_hour: 2, confirmations_per_instance_hour: 3 };
  assert.equal(await written(limits, { kind: 'confirmation' }), 3);
  assert.equal(await written(limits, { kind: 'rights' }), 3);
  assert.equal(await written(limits, { kind: 'platform' }), 2);
  assert.equal(await written(limits, { instance_id: 2 }), 2);
});

test('a limit of 0 means no limit', async () => {
  assert.equal(await written({}, { instance_id: 3, address: '192.0.2.1' }), 5);
});

test('a refused mail is given back to its recipient and kind, up to the limit', async () => {
  const limits = { per_recipient_day: 2 };
  const recipient = 'back@example.com';
  assert.equal(await written(limits, { kind: 'rights', recipient }), 2);
  assert.equal(await written(limits, { kind: 'confirmation', recipient }), 2);
  await returnPlatformMail(db, { kind: 'rights', recipient });
  assert.equal(await written(limits, { kind: 'confirmation', recipient }), 0);
  assert.equal(await written(limits, { kind: 'rights', recipient: 'other@example.com' }), 2);
  assert.equal(await written(limits, { kind: 'rights', recipient }), 1);
  for (let n = 0; n < 5; n += 1) await returnPlatformMail(db, { kind: 'rights', recipient });
  assert.equal(await written(limits, { kind: 'rights', recipient }), 2);
});
