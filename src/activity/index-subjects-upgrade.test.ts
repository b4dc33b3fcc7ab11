import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { Database } from '../base/db/database.ts';
import { migrate } from '../base/db/migrate.ts';
import { idAt } from './activity-data.fixture.ts';
import { indexSubjects } from './index-subjects.ts';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));
const firstOfOutbox = '0048';

let database: TestDatabase;
let db: Database;
let beforeIt: string;
before(async () => {
  database = await createTestDatabase({ empty: true });
  db = new Database({
    connection: database.connection,
    pool_size: 4,
    pipelines: 0,
    on_error: () => undefined,
  });
  beforeIt = await mkdtemp(path.join(tmpdir(), 'chq-migrations-'));
  for (const name of (await readdir(migrations)).filter((each) => each < firstOfOutbox)) {
    await cp(path.join(migrations, name), path.join(beforeIt, name));
  }
  await migrate(database.connection, beforeIt);
});
after(async () => {
  await db.end();
  await database.drop();
  await rm(beforeIt, { recursive: true });
});

const insert = `insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email,
    subject, test_mode, received_at)
  values ($1, $1, 1, 2, 'a@example.com', 'to', 1, 'b@example.com', 'A subject', false, uuid_time($1))`;
const minutesAgo = (minutes: number): string => idAt(new Date(Date.now() - minutes * 60_000));

test('after an upgrade every mail is indexed: those missed, those to come, and those written while it ran', async () => {
  const [missed, indexed, toCome, under_way] = [60, 30, 5, 20].map(minutesAgo);
  for (const mail_id of [missed, indexed, toCome]) await db.query(insert, [mail_id]);
  await db.query(`insert into mail_subjects values ($1, 1, 'a subject')`, [indexed]);
  await db.query('update mail_subjects_progress set indexed_to = $1', [indexed]);
  // It began under the old schema: the upgrade has to wait for it, or would not see its mail.
  const writer = new Client(database.connection);
  await writer.connect();
  await writer.query('begin');
  await writer.query(insert, [under_way]);
  const upgraded = migrate(database.connection, migrations);
  while ((await waitingForWriters()) === 0) await new Promise(setImmediate);
  await writer.query('commit');
  await writer.end();
  await upgraded;
  const later = minutesAgo(0);
  await db.query(insert, [later]);
  while ((await indexSubjects(db)) > 0);
  const rows = await db.query<{ mail_id: string }>('select mail_id from mail_subjects order by mail_id');
  assert.deepEqual(
    rows.map(({ mail_id }) => mail_id),
    [missed, indexed, under_way, toCome, later],
  );
  const [counted] = await db.query<{ received: number }>(
    'select sum(received)::integer as received from stats_deltas',
  );
  assert.equal(counted?.received, 5, 'statistics count as before');
});

async function waitingForWriters(): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) from pg_locks join pg_database d on d.oid = database
     where datname = current_database() and relation = 'mails'::regclass and not granted`,
  );
  return row?.count ?? 0;
}
