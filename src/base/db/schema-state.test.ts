import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { Database } from './database.ts';
import { readMigrations } from './migrations.ts';
import { createSchemaCheck } from './schema-state.ts';

const migrations = path.resolve(import.meta.dirname, '../../../migrations');
let database: TestDatabase;
let db: Database;
before(async () => {
  database = await createTestDatabase();
  const { connection } = database;
  db = new Database({ connection, pool_size: 2, pipelines: 0, on_error: () => undefined });
});
after(async () => {
  await db.end();
  await database.drop();
});

test('a node learns within seconds that a newer one has migrated, and asks the database seldom', async () => {
  const isSchemaKnown = createSchemaCheck(db, readMigrations(migrations));
  assert.equal(await isSchemaKnown(), true);
  await db.query("insert into schema_migrations (name, checksum) values ('9999_new__create.sql', 'x')");
  const asked = db.round_trips;
  await waitFor(async () => !(await isSchemaKnown()));
  assert.equal(db.round_trips - asked, 1);
  await db.query("delete from schema_migrations where name = '9999_new__create.sql'");
  assert.equal(await createSchemaCheck(db, readMigrations(migrations))(), true);
});

test('a file that another version has changed is not known either', async () => {
  const known = (await readMigrations(migrations)).map((migration, index) =>
    index === 3 ? { ...migration, checksum: 'another' } : migration,
  );
  assert.equal(await createSchemaCheck(db, known)(), false);
});

test('a database that does not answer is an error, and the next question is asked anew', async () => {
  await db.query('alter table schema_migrations rename to away');
  const isSchemaKnown = createSchemaCheck(db, readMigrations(migrations));
  await assert.rejects(isSchemaKnown(), { code: '42P01' });
  await db.query('alter table away rename to schema_migrations');
  assert.equal(await isSchemaKnown(), true);
});
