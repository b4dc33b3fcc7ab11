import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import {
  openEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../../src/base/db/embedded/embedded-postgres.ts';
import { copyCluster } from '../../support/test-database.ts';
import { waitFor } from '../../support/wait-for.ts';
import { startDatabaseProxy } from './database-proxy.ts';
import { contactChannels, type FaultDatabase } from './fault-database.ts';

/** A primary and a standby that has every commit before it is acknowledged, behind one address. */
export interface ReplicatedDatabase extends FaultDatabase {
  /** Makes the standby the primary and moves the address; gives how long that took. */
  failOver(): Promise<number>;
}

const standbyName = 'standby';
const settings = { shared_buffers: '64MB', max_connections: '200', wal_keep_size: '256MB' };
const refuse = async (): Promise<never> =>
  await Promise.reject(new Error('a primary that was lost stays away'));

export async function replicatedDatabase(): Promise<ReplicatedDatabase> {
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-replicated-'));
  await chmod(folder, 0o755);
  const cleanups = [async () => await rm(folder, { recursive: true, force: true })];
  const remove = async (): Promise<void> => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  };
  try {
    const { primary, standby } = await startPair(folder, (stop) => void cleanups.push(stop));
    const proxy = await startDatabaseProxy(primary.connection);
    cleanups.push(async () => await proxy.stop());
    return {
      ...contactChannels(proxy.connection),
      async kill() {
        const file = await readFile(path.join(folder, 'a', 'postgres', 'postmaster.pid'), 'utf8');
        process.kill(Number(file.split('\n')[0]), 'SIGKILL');
        return Date.now();
      },
      stop: refuse,
      start: refuse,
      async failOver() {
        const began = Date.now();
        await ask(standby, 'select pg_promote(true, 30)');
        proxy.moveTo(standby.connection);
        return Date.now() - began;
      },
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

interface Pair {
  primary: EmbeddedPostgres;
  standby: EmbeddedPostgres;
}

async function startPair(folder: string, after: (stop: () => Promise<void>) => void): Promise<Pair> {
  const [primaryDir, standbyDir] = [path.join(folder, 'a'), path.join(folder, 'b')];
  const hba_file = path.join(folder, 'hba.conf');
  await writeFile(hba_file, 'local all,replication all scram-sha-256\n');
  await (await openEmbeddedPostgres({ data_dir: primaryDir, settings })).stop();
  // The packages bring no pg_basebackup.
  copyCluster(primaryDir, standbyDir);
  await writeFile(path.join(standbyDir, 'postgres', 'standby.signal'), '');
  const primary = await openEmbeddedPostgres({
    data_dir: primaryDir,
    settings: { ...settings, hba_file, synchronous_standby_names: standbyName },
  });
  after(async () => await primary.stop());
  const standby = await openEmbeddedPostgres({
    data_dir: standbyDir,
    create: false,
    settings: { ...settings, hba_file, primary_conninfo: conninfo(primary) },
  });
  after(async () => await standby.stop());
  await waitFor(async () => await isSynchronous(primary), { timeout_ms: 20_000, what: 'the standby' });
  return { primary, standby };
}

function conninfo({ connection: { host, port, user, password } }: EmbeddedPostgres): string {
  return `host=${host} port=${port} user=${user} password=${password} application_name=${standbyName}`;
}

async function isSynchronous(primary: EmbeddedPostgres): Promise<boolean> {
  const sql = `select 1 as found from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`;
  return (await ask(primary, sql)).length === 1;
}

async function ask({ connection }: EmbeddedPostgres, sql: string): Promise<unknown[]> {
  const client = new Client(connection);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
