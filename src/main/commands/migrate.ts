import type { MigrationProgress } from '../../base/db/migrate.ts';
import type { Command } from '../command.ts';
import { withStore } from './with-store.ts';

/** Long steps are shown on the terminal; waiting for a lock is logged as well. */
function show(progress: MigrationProgress): void {
  const line = describe(progress);
  if (process.stderr.isTTY || progress.kind !== 'applied') process.stderr.write(`chasqui: ${line}\n`);
}

function describe(progress: MigrationProgress): string {
  if (progress.kind === 'applied') return `applied ${progress.name} in ${progress.ms} ms`;
  if (progress.kind === 'queued') return 'another process migrates the database; waiting for it';
  if (progress.kind === 'building') {
    const { name, index, phase, percent } = progress;
    return `${name}: index ${index}, ${phase}${percent === null ? '' : `, ${percent} %`}`;
  }
  const { name, seconds, oldest_transaction } = progress;
  return `${name} has waited ${seconds} s for a lock and tries again; the oldest open transaction is ${oldest_transaction}`;
}

export const migrateCommand: Command = {
  name: 'migrate',
  arguments: '',
  summary:
    'Makes the database or brings it to the schema of this version. `serve` does the same at its start.',
  options: {},
  example: 'DATABASE_URL=postgresql://chasqui@db/chasqui chasqui migrate',
  async run({ env }) {
    const migrations = await withStore(
      env,
      async (db) =>
        await db.query<{ name: string; applied_at: Date }>(
          'select name, applied_at from schema_migrations order by name',
        ),
      { schema: 'migrate', on_progress: show },
    );
    const last = migrations.at(-1)?.name ?? 'none';
    return {
      text: `The schema is up to date: ${migrations.length} migrations, the last is ${last}.`,
      json: { migrations },
    };
  },
};
