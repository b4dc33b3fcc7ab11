import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { Client } from 'pg';
import { openEmbeddedPostgres } from '../../src/base/db/embedded/embedded-postgres.ts';
import { migrate } from '../../src/base/db/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';

const migrations = path.resolve(import.meta.dirname, '../../migrations');

/** What is made last is taken down first; the test's own hooks run the other way round. */
function takeDown(t: TestContext): (step: () => unknown) => void {
  const steps: (() => unknown)[] = [];
  t.after(async () => {
    for (const step of steps.toReversed()) await step();
  });
  return (step) => void steps.push(step);
}

async function startOn(
  database: TestDatabase,
  later: ReturnType<typeof takeDown>,
): Promise<{ service: TestService; tenant: Tenant }> {
  const service = await startTestService({ database });
  later(async () => await service.stop());
  return { service, tenant: await service.tenant() };
}

async function send({ api, instance }: Tenant): Promise<number> {
  const { status } = await api.post('/v1/mails/send', {
    sender_email: `test@${instance.slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Space',
    html: `<p>${'x'.repeat(20_000)}</p>`,
  });
  return status;
}

async function readiness({ base_url }: TestService): Promise<{ status: number; detail: string | undefined }> {
  const response = await fetch(`${base_url}/readyz`);
  const { detail } = (await response.json()) as { detail?: string };
  return { status: response.status, detail };
}

async function heals(t: TestContext, service: TestService, tenant: Tenant): Promise<void> {
  const began = performance.now();
  await waitFor(async () => (await send(tenant)) === 200 && (await readiness(service)).status === 200, {
    timeout_ms: 15_000,
    interval_ms: 50,
    what: 'a send and readiness',
  });
  t.diagnostic(`healed in ${Math.round(performance.now() - began)} ms`);
}

test('a database that turned read-only makes the service not ready, and back again without a restart', async (t) => {
  const later = takeDown(t);
  const database = await createTestDatabase();
  later(async () => await database.drop());
  const { service, tenant } = await startOn(database, later);
  const admin = new Client(database.connection);
  admin.on('error', () => undefined);
  await admin.connect();
  later(async () => await admin.end());
  assert.equal(await send(tenant), 200);
  assert.equal((await readiness(service)).status, 200);
  const name = database.connection.database;
  await admin.query(`alter database ${name} set default_transaction_read_only = on`);
  await admin.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [name],
  );
  const isReadOnly = async (): Promise<boolean> =>
    (await readiness(service)).detail === 'The database is read-only.';
  await waitFor(isReadOnly, { what: 'the word of /readyz' });
  // Every connection begins a session that stays read-only.
  for (const status of await Promise.all(Array.from({ length: 20 }, async () => await send(tenant)))) {
    assert.equal(status, 503);
  }
  await admin.query(`alter database ${name} reset default_transaction_read_only`);
  await heals(t, service, tenant);
});

/** A file system of its own that can be filled. */
async function makeSmallDisk(later: ReturnType<typeof takeDown>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'chq-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=300m,mode=755', 'none', folder], { stdio: 'pipe' });
  later(async () => {
    execFileSync('umount', [folder]);
    await rm(folder, { recursive: true });
  });
  await chmod(folder, 0o755);
  return folder;
}

/** Writes until nothing fits any more. */
function fill(file: string): void {
  const handle = openSync(file, 'w');
  for (const size of [1024 * 1024, 4096]) {
    const piece = Buffer.alloc(size);
    try {
      while (writeSync(handle, piece) === size);
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, 'ENOSPC');
    }
  }
  closeSync(handle);
}

function canMount(): boolean {
  const folder = path.join(tmpdir(), `chq-mount-${process.pid}`);
  mkdirSync(folder);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', folder], { stdio: 'pipe' });
    execFileSync('umount', [folder]);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const skip = !canMount() && 'a file system cannot be mounted here';
test('a full disk makes the service not ready, and space brings it back', { skip }, async (t) => {
  const later = takeDown(t);
  const disk = await makeSmallDisk(later);
  const postgres = await openEmbeddedPostgres({
    data_dir: path.join(disk, 'data'),
    settings: { shared_buffers: '32MB', max_wal_size: '64MB', min_wal_size: '64MB' },
  });
  later(async () => await postgres.stop());
  const { connection } = postgres;
  await migrate(connection, migrations);
  const url = `postgresql://${connection.user}:${connection.password}@localhost/${connection.database}?host=${encodeURIComponent(connection.host)}`;
  const { service, tenant } = await startOn({ connection, url, drop: async () => undefined }, later);
  assert.equal(await send(tenant), 200);
  fill(path.join(disk, 'filler'));
  await waitFor(async () => (await send(tenant)) === 503, { interval_ms: 50, what: 'a refused send' });
  const isFull = async (): Promise<boolean> =>
    (await readiness(service)).detail === 'The disk of the database is full.';
  await waitFor(isFull, { what: 'the word of /readyz' });
  rmSync(path.join(disk, 'filler'));
  await heals(t, service, tenant);
});
