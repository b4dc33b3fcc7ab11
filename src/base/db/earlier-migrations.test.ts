import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { makeEarlierMigrations } from '../../../test/support/earlier-installation.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/support/test-database.ts';
import { Database } from './database.ts';
import { describeSchema } from '../../../test/support/describe-schema.ts';
import { migrate } from './migrate.ts';
import { readMigrations } from './migrations.ts';

const migrations = path.resolve(import.meta.dirname, '../../../migrations');

async function schemaOf({ connection }: TestDatabase): Promise<string> {
  const db = new Database({ connection, pool_size: 1, pipelines: 0, on_error: () => undefined });
  try {
    return await describeSchema(db);
  } finally {
    await db.end();
  }
}

for (const with_both of [false, true]) {
  const which = with_both ? 'both files numbered 0033' : 'the first file numbered 0033';
  test(`a database of an earlier version, with ${which}, gets the schema of a new one`, async (t) => {
    const [database, fresh] = [await createTestDatabase({ empty: true }), await createTestDatabase()];
    const earlier = await makeEarlierMigrations({ with_both });
    t.after(async () => {
      await database.drop();
      await fresh.drop();
      await rm(earlier, { recursive: true });
    });
    const before = await migrate(database.connection, earlier);
    assert.equal(before.applied.includes('0033_mails__find_without_reading.sql'), true);
    const { applied } = await migrate(database.connection, migrations);
    const expected = (await readMigrations(migrations))
      .map(({ name }) => name)
      .filter((name) => name >= '0033' && !name.startsWith('0034'))
      .filter((name) => !with_both || !name.startsWith('0033'));
    assert.deepEqual(applied, expected);
    assert.equal(await schemaOf(database), await schemaOf(fresh));
    assert.deepEqual(await migrate(database.connection, migrations), { applied: [] });
  });
}
