import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import type { ConnectionSettings } from './database.ts';

interface Migration {
  name: string;
  text: string;
  checksum: string;
}

/** Any constant would do; this one spells "chq". Nodes that start together take turns on it. */
const advisory_lock = 0x636871;
const oldest_server = 150_000;

/** Brings the database to the schema of this code. Forward only: a file that ran is never changed or undone. */
export async function migrate(
  connection: ConnectionSettings,
  folder: string,
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(folder);
  const client = new Client({ ...connection, application_name: 'chasqui migrate' });
  await client.connect();
  try {
    await requireServerVersion(client);
    await client.query('select pg_advisory_lock($1)', [advisory_lock]);
    await client.query(`
      create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`);
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from schema_migrations order by name',
    );
    const pending = pendingMigrations(migrations, rows);
    for (const migration of pending) await apply(client, migration);
    return { applied: pending.map(({ name }) => name) };
  } finally {
    // Ends the session, and the advisory lock with it.
    await client.end();
  }
}

async function requireServerVersion(client: Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  const version = Number(rows[0]?.server_version_num);
  if (version < oldest_server) {
    throw new Error(`PostgreSQL 15 or newer is needed; this server is ${Math.floor(version / 10_000)}.`);
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return await Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(folder, name), 'utf8');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

export function pendingMigrations(
  known: Migration[],
  applied: { name: string; checksum: string }[],
): Migration[] {
  const checksums = new Map(known.map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of applied) {
    const expected = checksums.get(name);
    if (expected === undefined) {
      throw new Error(
        `The database has migration ${name}, which this version does not know: it was used by a newer version. Run that one.`,
      );
    }
    if (expected !== checksum) {
      throw new Error(`Migration ${name} was changed after it ran. Restore the file; add a new one instead.`);
    }
  }
  const done = new Set(applied.map(({ name }) => name));
  const pending = known.filter(({ name }) => !done.has(name));
  const last = applied.at(-1)?.name ?? '';
  const late = pending.find(({ name }) => name < last);
  if (late)
    throw new Error(
      `Migration ${late.name} comes before ${last}, which ran already. Give it a later number.`,
    );
  return pending;
}

async function apply(client: Client, migration: Migration): Promise<void> {
  await client.query('begin');
  try {
    await client.query(migration.text);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
  }
}
