import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import type { ConnectionSettings } from '../../src/base/db/database.ts';
import { openEmbeddedPostgres } from '../../src/base/db/embedded/embedded-postgres.ts';
import { migrate } from '../../src/base/db/migrate.ts';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));
const template = 'chasqui_template';

export interface TestServer {
  connection: { host: string; port: number; user: string; password: string };
  stop(): Promise<void>;
}

export interface TestDatabase {
  connection: ConnectionSettings;
  url: string;
  drop(): Promise<void>;
}

/** A throw-away server with the migrated schema as a template; the runner starts one for all test files. */
export async function startTestServer(): Promise<TestServer> {
  const data_dir = await mkdtemp(path.join(tmpdir(), 'chq-pg-'));
  const postgres = await openEmbeddedPostgres({
    data_dir,
    durable: false,
    settings: { shared_buffers: '64MB' },
  });
  const { host, port, user, password = '' } = postgres.connection;
  const connection = { host, port, user, password };
  await administer(connection, `create database ${template}`);
  await migrate({ ...connection, database: template }, migrations);
  return {
    connection,
    async stop() {
      await postgres.stop();
      await rm(data_dir, { recursive: true, force: true });
    },
  };
}

/** A database of the caller's own, cloned from the migrated template in some 50 ms, or without any tables. */
export async function createTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const shared = process.env['CHASQUI_TEST_SERVER'];
  const own = shared ? undefined : await startTestServer();
  const server = own?.connection ?? (JSON.parse(shared ?? '') as TestServer['connection']);
  const database = `test_${randomBytes(6).toString('hex')}`;
  // A tenth of what copying through the write-ahead log takes.
  const source = empty ? 'template0' : template;
  await administer(server, `create database ${database} template ${source} strategy file_copy`);
  const { host, port, user, password } = server;
  return {
    connection: { host, port, user, password, database },
    url: `postgresql://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`,
    async drop() {
      await administer(server, `drop database if exists ${database} with (force)`);
      await own?.stop();
    },
  };
}

async function administer(connection: ConnectionSettings, sql: string): Promise<void> {
  const client = new Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    // Cloning takes turns: a template must have no other sessions.
    await client.query('select pg_advisory_lock(1)');
    await client.query(sql);
  } finally {
    await client.end();
  }
}
