import { cachedFor } from '../cached-for.ts';
import type { ConnectionSettings, Queryable } from './database.ts';
import { connectForSchema } from './migrate.ts';
import {
  compareMigrations,
  pendingMigrations,
  readApplied,
  type AppliedMigration,
  type Migration,
} from './migrations.ts';

/** Throws, with instructions, unless the database has the schema of this code. */
export async function requireCurrentSchema(
  connection: ConnectionSettings,
  known: Migration[],
): Promise<{ migrations: number }> {
  const client = await connectForSchema(connection);
  try {
    const applied = await readApplied(client);
    if (applied === undefined) {
      throw new Error(
        'The database is empty: nothing was changed. Make its schema with `chasqui migrate`, or start the service.',
      );
    }
    const pending = pendingMigrations(known, applied);
    if (pending[0]) {
      throw new Error(
        `The schema of the database is older than this version by ${pending.length} migration(s), from ${pending[0].name} on: ` +
          'nothing was changed. Run `chasqui migrate`, or start the service of this version.',
      );
    }
    return { migrations: applied.length };
  } finally {
    await client.end();
  }
}

const cachedMs = 5_000;

/**
 * False when a newer version has migrated the database. An older node goes on serving, since migrations only expand the
 * schema, but must not run jobs: they would ignore what is new.
 */
export function createSchemaCheck(
  db: Queryable,
  known: Migration[] | Promise<Migration[]>,
): () => Promise<boolean> {
  return cachedFor(cachedMs, async () => {
    const applied = await db.query<AppliedMigration & { [name: string]: unknown }>(
      'select name, checksum from schema_migrations order by name collate "C"',
    );
    const { unknown, changed } = compareMigrations(await known, applied);
    return unknown.length === 0 && changed.length === 0;
  });
}
