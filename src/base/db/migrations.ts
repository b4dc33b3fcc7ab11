import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { earlierForms } from './earlier-migrations.ts';

export interface Migration {
  name: string;
  text: string;
  checksum: string;
}

/** A row of `schema_migrations`. */
export interface AppliedMigration {
  name: string;
  checksum: string;
}

/** In the order of their numbers, which is that of their names. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(folder, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/** Undefined when the database has never been migrated. */
export async function readApplied(db: {
  query(sql: string): Promise<{ rows: unknown[] }>;
}): Promise<AppliedMigration[] | undefined> {
  const { rows } = await db.query("select to_regclass('schema_migrations') is not null as exists");
  if (!(rows[0] as { exists: boolean }).exists) return undefined;
  const applied = await db.query('select name, checksum from schema_migrations order by name collate "C"');
  return applied.rows as AppliedMigration[];
}

/** The migrations of this code compared with those of the database. */
interface Comparison {
  pending: Migration[];
  /** Applied, but without a file: by a newer version. */
  unknown: AppliedMigration[];
  /** Applied with another text. */
  changed: AppliedMigration[];
}

export function compareMigrations(known: Migration[], applied: AppliedMigration[]): Comparison {
  const files = new Map(known.map((migration) => [migration.name, migration]));
  const done = new Set<string>();
  const comparison: Comparison = { pending: [], unknown: [], changed: [] };
  for (const row of applied) {
    const file = files.get(row.name);
    const earlier = earlierForms.find(({ name, checksum }) => name === row.name && checksum === row.checksum);
    if (file?.checksum === row.checksum) done.add(row.name);
    else if (earlier && files.has(earlier.is)) done.add(earlier.is);
    else (file ? comparison.changed : comparison.unknown).push(row);
  }
  comparison.pending = known.filter(({ name }) => !done.has(name));
  return comparison;
}

/** The migrations to run, in order; throws when they would not lead to the schema of this code. */
export function pendingMigrations(known: Migration[], applied: AppliedMigration[]): Migration[] {
  const { pending, unknown, changed } = compareMigrations(known, applied);
  if (unknown[0]) {
    throw new Error(
      `The database has migration ${unknown[0].name}, which this version does not know: it was used by a newer version. Run that one, or restore a backup of this version.`,
    );
  }
  if (changed[0]) {
    throw new Error(
      `Migration ${changed[0].name} was changed after it ran. Restore the file; add a new one instead.`,
    );
  }
  const last = applied.at(-1)?.name ?? '';
  const late = pending.find(({ name }) => name < last);
  if (late) {
    throw new Error(
      `Migration ${late.name} comes before ${last}, which ran already. Give it a later number.`,
    );
  }
  return pending;
}
