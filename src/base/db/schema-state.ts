import type { ConnectionSettings, Queryable } from './database.ts';
import { connectForSchema } from './migrate.ts';
import {
  compareMigrations,
  pendingMigrations,
  readApplied,
  type AppliedMigration,
  type Migration,
} from './migrations.ts';

/** For whoever only uses a database: throws, and says what to do, unless its schema is that of this code. */
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

const cached_ms = 5_000;

/**
 * Whether the database has no migration that this code does not know. A node that is older than the schema goes on
 * answering, as schemas only expand, but must not run jobs: it would add up or delete without what is new.
 */
export function createSchemaCheck(
  db: Queryable,
  known: Migration[] | Promise<Migration[]>,
): () => Promise<boolean> {
  let last: Promise<boolean> | undefined;
  let expires_at = -Infinity;

  async function look(): Promise<boolean> {
    const applied = await db.query<AppliedMigration & { [name: string]: unknown }>(
      'select name, checksum from schema_migrations order by name collate "C"',
    );
    const { unknown, changed } = compareMigrations(await known, applied);
    return unknown.length === 0 && changed.length === 0;
  }

  return async () => {
    if (performance.now() >= expires_at) {
      expires_at = Infinity;
      last = look().then(
        (answer) => {
          expires_at = performance.now() + cached_ms;
          return answer;
        },
        (error: unknown) => {
          // Asked again at once: it says nothing about the schema.
          expires_at = -Infinity;
          throw error;
        },
      );
    }
    return (await last) ?? false;
  };
}
