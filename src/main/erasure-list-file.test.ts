import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { Database } from '../base/db/database.ts';
import { erasureListJob, readErasureList } from './erasure-list-file.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'chq-erasure-list-'));
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
  await db.query(`insert into instances (slug, name) values ('acme', 'Acme')`);
});
after(async () => {
  await db.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

async function erase(letter: string, since: string): Promise<void> {
  await db.query(
    `insert into suppressed_contacts (instance_id, hash, kind, request_id, since)
     select id, decode(repeat($1, 64), 'hex'), 'erased', 1, $2 from instances where slug = 'acme'`,
    [letter, since],
  );
}

/** By a process that has just started. */
async function listed(data_dir: string): Promise<string> {
  await erasureListJob(data_dir).run({ db, now: new Date(), isStopping: () => false });
  return ((await readErasureList(undefined, data_dir)) ?? []).map(({ hash }) => hash[0]).join('');
}

test('an older database does not remove entries from the list', async () => {
  const data_dir = path.join(folder, 'of a node without a database', 'data');
  assert.equal(await listed(data_dir), '');
  await erase('a', '2026-11-01Z');
  await erase('c', '2026-11-03Z');
  assert.equal(await listed(data_dir), 'ac');
  // As a standby, a volume or another machine restores it.
  await db.query(`delete from suppressed_contacts where since > '2026-11-02Z'`);
  await erase('b', '2026-11-02Z');
  assert.equal(await listed(data_dir), 'abc');
  assert.equal(await listed(data_dir), 'abc');
});
