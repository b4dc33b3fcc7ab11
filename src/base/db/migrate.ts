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
  const client = new Client({
    ...connection,
    application_name: 'chasqui migrate',
    connectionTimeoutMillis: 10_000,
  });
  // The statement under way fails with it; without a listener the loss would end the process.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw new Error(`The database cannot be reached: ${reasonOf(error as Error)}`, { cause: error });
  });
  try {
    requireServerVersion(await serverVersion(client));
    await client.query('select pg_advisory_lock($1)', [advisory_lock]);
    await client.query(`
      create table if not exists schema_migrations (
        name text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`);
    const { rows } = await client.query<{ name: string; checksum: string }>(
      'select name, checksum from schema_migrations order by name collate "C"',
    );
    const pending = pendingMigrations(migrations, rows);
    for (const migration of pending) await apply(client, migration);
    return { applied: pending.map(({ name }) => name) };
  } finally {
    // Ends the session, and the advisory lock with it.
    await client.end();
  }
}

/** A name with several addresses fails with one error for each of them and a message of none. */
function reasonOf(error: Error): string {
  if (!(error instanceof AggregateError)) return error.message;
  return error.errors.map((one: Error) => one.message).join(', ');
}

async function serverVersion(client: Client): Promise<number> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  return Number(rows[0]?.server_version_num);
}

export function requireServerVersion(version: number): void {
  if (version >= oldest_server) return;
  throw new Error(`PostgreSQL 15 or newer is needed; this server is ${Math.floor(version / 10_000)}.`);
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
  try {
    await client.query('begin');
    await client.query(migration.text);
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [
      migration.name,
      migration.checksum,
    ]);
    await client.query('commit');
  } catch (error) {
    // Closing the session rolls back; nothing more is done on it.
    const { message, position } = error as Error & { position?: string };
    const line = position ? ` at line ${migration.text.slice(0, Number(position)).split('\n').length}` : '';
    throw new Error(`Migration ${migration.name} failed${line}: ${message}`, { cause: error });
  }
}
