import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '../../test/support/test-database.ts';
import { Database } from '../base/db/database.ts';
import { newId } from '../base/ids.ts';
import { createCapture } from './capture.ts';

test('messages that are captured together are stored as they are, once', async (t) => {
  const database = await createTestDatabase();
  const { connection } = database;
  const db = new Database({ connection, pool_size: 1, pipelines: 1, on_error: () => undefined });
  t.after(async () => {
    await db.end();
    await database.drop();
  });
  const [instance] = await db.query<{ id: number }>(
    `insert into instances (slug, name) values ('captured', 'Captured') returning id`,
  );
  const now = new Date();
  const mails = ['first', '', 'ñandú 🦙', 'x'.repeat(5_000), 'last'].map((text) => ({
    mail_id: newId(now),
    instance_id: instance?.id ?? 0,
    recipient: 'delivered@sandbox.test',
    raw: Buffer.from(text),
    now,
  }));
  const capture = createCapture(db);
  await Promise.all([...mails, ...mails].map(capture));
  const rows = await db.query<{ mail_id: string; raw: Buffer }>(
    'select mail_id, raw from sandbox_messages order by mail_id',
  );
  const texts = new Map(rows.map(({ mail_id, raw }) => [mail_id, raw.toString()]));
  assert.deepEqual(texts, new Map(mails.map(({ mail_id, raw }) => [mail_id, raw.toString()])));
});
