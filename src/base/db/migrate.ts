import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { retry } from '../retry.ts';
import {
  applyConcurrently,
  type IndexProgress,
  isConcurrent,
  withoutConcurrently,
} from './concurrent-migration.ts';
import { typeParsers, type ConnectionSettings } from './database.ts';
import { pendingMigrations, readApplied, readMigrations, type Migration } from './migrations.ts';

export type MigrationProgress =
  | { kind: 'applied'; name: string; ms: number }
  /** Another node is migrating. */
  | { kind: 'queued' }
  /** An index is being built without blocking writers. */
  | ({ kind: 'building'; name: string } & IndexProgress)
  /** A lock timed out; the migration was rolled back and is retried. */
  | { kind: 'waiting'; name: string; attempt: number; seconds: number; oldest_transaction: string };

interface MigrateOptions {
  on_progress?: (progress: MigrationProgress) => void;
  /** Of one migration, over all its attempts. */
  give_up_after_ms?: number;
  /** Of an index that is being built. */
  progress_every_ms?: number;
}

/** Serializes nodes that start together. Any constant would do; this one spells "chq". */
const advisoryLock = 0x636871;
const oldestServer = 150_000;
/**
 * All statements on a table queue behind a migration that waits for its lock, sends included. Longer than the server's
 * `deadlock_timeout` (1 s), after which an autovacuum that holds the lock cancels itself.
 */
const lockTimeoutMs = 2_000;
/** Between attempts, so that queued statements can run. */
const backoff = { first_ms: 2_000, most_ms: 8_000, jitter: 0.25 };
const give_up_after_ms = 10 * 60_000;
const progressEveryMs = 5_000;

/** Brings the database to the schema of this code. Forward only: a file that ran is never changed or undone. */
export async function migrate(
  connection: ConnectionSettings,
  folder: string,
  options: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const migrations = await readMigrations(folder);
  const client = await connectForSchema(connection);
  try {
    await acquireLock(client, options);
    await createMigrationsTable(client);
    const pending = pendingMigrations(migrations, (await readApplied(client)) ?? []);
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
    for (const migration of pending) {
      if (isConcurrent(migration)) await buildIndexes(client, connection, { migration, options });
      else await applyWithRetries(client, migration, options);
    }
    return { applied: pending.map(({ name }) => name) };
  } finally {
    // Ends the session, which releases the advisory lock.
    await client.end();
  }
}

export async function createMigrationsTable(client: Client): Promise<void> {
  await client.query(`
    create table if not exists schema_migrations (
      name text primary key,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
}

/** Defaults of a role or a database count as well; PostgreSQL 17 and newer have the last one. */
const withoutTimeouts = `
  select set_config(name, '0', false) from pg_settings
  where name in ('statement_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')`;

/** A session for schema work; without timeouts, since building an index may take hours. */
export async function connectForSchema(
  connection: ConnectionSettings,
  application_name = 'chasqui migrate',
): Promise<Client> {
  const client = new Client({
    ...connection,
    types: typeParsers,
    application_name,
    connectionTimeoutMillis: 10_000,
  });
  // Without a listener a lost connection would end the process; the running statement fails anyway.
  client.on('error', () => undefined);
  await client.connect().catch((error: unknown) => {
    throw new Error(`The database cannot be reached: ${reasonOf(error as Error)}`, { cause: error });
  });
  try {
    requireServerVersion(await serverVersion(client));
    await client.query(withoutTimeouts);
    return client;
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** A host with several addresses fails with an AggregateError without a message. */
function reasonOf(error: Error): string {
  if (!(error instanceof AggregateError)) return error.message;
  return error.errors.map((one: Error) => one.message).join(', ');
}

async function serverVersion(client: Client): Promise<number> {
  const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
  return Number(rows[0]?.server_version_num);
}

export function requireServerVersion(version: number): void {
  if (version >= oldestServer) return;
  throw new Error(`PostgreSQL 15 or newer is needed; this server is ${Math.floor(version / 10_000)}.`);
}

/** Polls: a session that waits inside a statement would hold back vacuum. */
export async function acquireLock(client: Client, { on_progress }: MigrateOptions = {}): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      advisoryLock,
    ]);
    if (rows[0]?.taken) return;
    if (attempt === 5) on_progress?.({ kind: 'queued' });
    await delay(200);
  }
}

export async function releaseLock(client: Client): Promise<void> {
  await client.query('select pg_advisory_unlock($1)', [advisoryLock]);
}

/** Not in a transaction: after an interruption the next run goes on with the statement that did not end. */
async function buildIndexes(
  client: Client,
  connection: ConnectionSettings,
  { migration, options }: { migration: Migration; options: MigrateOptions },
): Promise<void> {
  const { name } = migration;
  const { on_progress, progress_every_ms = progressEveryMs } = options;
  const began = performance.now();
  const watcher = await connectForSchema(connection, 'chasqui migrate progress');
  try {
    // It waits for transactions that are open, in a place where nobody queues behind it.
    await client.query('set lock_timeout = 0');
    await applyConcurrently(migration, {
      client,
      watcher,
      every_ms: progress_every_ms,
      on_progress: (progress) => on_progress?.({ kind: 'building', name, ...progress }),
    });
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
    await recordMigration(client, migration);
  } catch (error) {
    throw explain(migration, error as Error);
  } finally {
    await watcher.end();
  }
  on_progress?.({ kind: 'applied', name, ms: Math.round(performance.now() - began) });
}

async function applyWithRetries(
  client: Client,
  migration: Migration,
  { on_progress, give_up_after_ms: limit_ms = give_up_after_ms }: MigrateOptions,
): Promise<void> {
  const { name } = migration;
  const began = performance.now();
  const attempt = async (): Promise<void> => {
    const attempted = performance.now();
    await apply(client, migration);
    on_progress?.({ kind: 'applied', name, ms: Math.round(performance.now() - attempted) });
  };
  const onFailure = async (error: unknown, failures: number): Promise<void> => {
    if (!isLockConflict(error)) throw explain(migration, error as Error);
    await client.query('rollback');
    const waitedMs = performance.now() - began;
    const seconds = Math.round(waitedMs / 1000);
    const oldest_transaction = await oldestTransaction(client);
    if (waitedMs > limit_ms) {
      const { message } = explain(migration, error as Error);
      const why = `It waited ${seconds} s for a lock; the oldest open transaction is ${oldest_transaction}`;
      throw new Error(`${message}. ${why}.`, { cause: error });
    }
    on_progress?.({ kind: 'waiting', name, attempt: failures, seconds, oldest_transaction });
  };
  await retry(attempt, { ...backoff, isRetryable: () => true, onFailure });
}

async function apply(client: Client, migration: Migration): Promise<void> {
  await client.query('begin');
  await runMigration(client, migration);
  await client.query('commit');
}

/** Inside a transaction of the caller. */
export async function runMigration(client: Client, migration: Migration): Promise<void> {
  await client.query(isConcurrent(migration) ? withoutConcurrently(migration) : migration.text);
  await recordMigration(client, migration);
}

async function recordMigration(client: Client, { name, checksum }: Migration): Promise<void> {
  await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum]);
}

/** lock_not_available, deadlock_detected. */
function isLockConflict(error: unknown): boolean {
  return ['55P03', '40P01'].includes((error as { code?: string }).code ?? '');
}

function explain({ name, text }: Migration, error: Error & { position?: string }): Error {
  const { message, position } = error;
  const line = position ? ` at line ${text.slice(0, Number(position)).split('\n').length}` : '';
  return new Error(`Migration ${name} failed${line}: ${message}`, { cause: error });
}

/** Most likely the holder of the lock. Its statement is left out: it may contain addresses. */
async function oldestTransaction(client: Client): Promise<string> {
  const { rows } = await client.query<{ words: string }>(
    `select format('pid %s of %s, %s, open for %s s', pid, coalesce(nullif(application_name, ''), usename), state,
       round(extract(epoch from now() - xact_start))) as words
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
     order by xact_start limit 1`,
  );
  return rows[0]?.words ?? 'none';
}
