import { chmod, chown, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import type { ConnectionSettings } from '../../../src/base/db/database.ts';
import {
  openEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../../src/base/db/embedded/embedded-postgres.ts';
import { createTestDatabase } from '../../support/test-database.ts';
import { waitFor } from '../../support/wait-for.ts';

/** A PostgreSQL that the scenario takes away and gives back. */
export interface FaultDatabase {
  connection: ConnectionSettings;
  url: string;
  /** Runs on a connection of its own, so that no fault of the scenario's making is in its way. */
  query: <T>(sql: string, values?: unknown[]) => Promise<T[]>;
  /** `kill -9` of its first process; gives the time. */
  kill(): Promise<number>;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** For good, with its files. */
  remove(): Promise<void>;
}

export interface OwnDatabaseOptions {
  /** False is faster and safe against all but the death of the machine. */
  durable?: boolean;
  /** Where the tables are to be, such as a disk that is small. */
  tablespace?: string;
  /** Of PostgreSQL. Without `fsync` it is faster, and as safe when its process dies. */
  settings?: Record<string, string>;
}

/** A server of the scenario's own, from the binaries that npm installed. */
export async function ownDatabase({
  durable = true,
  tablespace,
  settings = {},
}: OwnDatabaseOptions = {}): Promise<FaultDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-faults-'));
  await chmod(folder, 0o755);
  let hasEnded = false;
  const open = async (): Promise<EmbeddedPostgres> => {
    hasEnded = false;
    return await openEmbeddedPostgres({
      data_dir: folder,
      durable,
      settings: { shared_buffers: '64MB', max_connections: '200', ...settings },
      on_exit: () => (hasEnded = true),
    });
  };
  let server = await open();
  const { connection: main } = server;
  if (tablespace !== undefined) {
    const { uid, gid } = await stat(main.host);
    await chown(tablespace, uid, gid);
    await queryOn(main, `create tablespace small location '${tablespace}'`);
    await queryOn(main, 'create database faults tablespace small');
  }
  const connection = { ...main, database: tablespace === undefined ? main.database : 'faults' };
  return {
    ...contactChannels(connection),
    async kill() {
      const file = await readFile(path.join(folder, 'postgres', 'postmaster.pid'), 'utf8');
      process.kill(Number(file.split('\n')[0]), 'SIGKILL');
      const killedAt = Date.now();
      await waitFor(() => hasEnded, { timeout_ms: 20_000, what: 'the end of PostgreSQL' });
      return killedAt;
    },
    stop: async () => await server.stop(),
    async start() {
      server = await open();
    },
    async remove() {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A database on the server that all tests share, which is not a scenario's to stop. */
export async function sharedDatabase(): Promise<FaultDatabase> {
  const database = await createTestDatabase({ empty: true });
  const refuse = async (): Promise<never> => await Promise.reject(new Error('this server is shared'));
  return {
    ...contactChannels(database.connection),
    kill: refuse,
    stop: refuse,
    start: refuse,
    remove: async () => await database.drop(),
  };
}

export function contactChannels(
  connection: ConnectionSettings,
): Pick<FaultDatabase, 'connection' | 'url' | 'query'> {
  return {
    connection,
    url: databaseUrl(connection),
    query: async <T>(sql: string, values?: unknown[]) => (await queryOn(connection, sql, values)) as T[],
  };
}

export function databaseUrl({ host, port, user, password, database }: ConnectionSettings): string {
  const secret = typeof password === 'string' ? `:${password}` : '';
  return `postgresql://${user}${secret}@localhost/${database}?host=${encodeURIComponent(host ?? '')}&port=${port}`;
}

async function queryOn(connection: ConnectionSettings, sql: string, values?: unknown[]): Promise<unknown[]> {
  const client = new Client({ ...connection, application_name: 'faults' });
  await client.connect();
  try {
    // Whatever the scenario set for everybody else.
    await client.query('set default_transaction_read_only = off');
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}
