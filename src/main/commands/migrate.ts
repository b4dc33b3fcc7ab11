import type { Command } from '../command.ts';
import { withStore } from './with-store.ts';

export const migrateCommand: Command = {
  name: 'migrate',
  arguments: '',
  summary: 'Brings the database to the schema of this version. `serve` does the same at its start.',
  options: {},
  example: 'DATABASE_URL=postgresql://chasqui@db/chasqui chasqui migrate',
  async run({ env }) {
    // Opening the store migrates it.
    const migrations = await withStore(
      env,
      async (db) =>
        await db.query<{ name: string; applied_at: Date }>(
          'select name, applied_at from schema_migrations order by name',
        ),
    );
    const last = migrations.at(-1)?.name ?? 'none';
    return {
      text: `The schema is up to date: ${migrations.length} migrations, the last is ${last}.`,
      json: { migrations },
    };
  },
};
