import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { systemClock } from '../base/clock.ts';
import { Database } from '../base/db/database.ts';
import { createNotifications } from '../base/db/notifications.ts';
import { seedSandbox } from '../domains/sandbox.ts';
import { createInstanceDirectory } from '../instances/instance-directory.ts';
import { createSharedBuckets } from '../limits/shared-buckets.ts';
import { renderer } from '../../test/support/template-renderer.ts';
import { RootSecret } from '../base/secrets.ts';
import { ContactHashes } from '../base/contact-hash.ts';
import { createAcceptance } from './accept-mail.ts';
import type { Draft } from './draft.ts';

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  const options = { pool_size: 4, pipelines: 2, on_error: () => undefined };
  db = new Database({ connection: database.connection, ...options });
});
after(async () => {
  await db.end();
  await database.drop();
});

test('500 sends at once, judged and all, share few commits', async () => {
  const [instance] = await db.query<{ id: number; slug: string }>(
    `insert into instances (slug, name, plan_send_limit) values ('many', 'Many', 1000) returning id, slug`,
  );
  assert.ok(instance);
  await seedSandbox(db, instance);
  const notifications = createNotifications(database.connection, () => undefined);
  const acceptance = createAcceptance({
    db,
    notifications,
    clock: systemClock,
    buckets: createSharedBuckets(db),
    instances: createInstanceDirectory(db, notifications),
    renderer,
    hashes: new ContactHashes(new RootSecret('test')),
  });
  const draft = (index: number): Draft => ({
    kind: 'content',
    instance_id: instance.id,
    source: 'http',
    sender_email: 'test@many.sandbox.test',
    recipients: [{ address: `p${index}@sandbox.test`, domain: 'sandbox.test', kind: 'to' }],
    category: 'many',
    test_mode: false,
    custom_msg_id: null,
    custom_group_code: null,
    subject: 'Hello',
    html: '<p>x</p>',
    text: null,
    reply_to: [],
    headers: [],
    attachments: [],
  });
  await Promise.all(
    Array.from({ length: 500 }, async (_, index) => await acceptance.acceptMail(draft(index))),
  );
  const [row] = await db.query<{ messages: number; commits: number }>(
    `select count(*) as messages, count(distinct xmin::text) as commits from messages where instance_id = $1`,
    [instance.id],
  );
  console.log(`500 sends in ${row?.commits} commits`);
  assert.equal(row?.messages, 500);
  assert.ok(row.commits <= 50, `${row.commits} commits`);
  await acceptance.stop();
});
