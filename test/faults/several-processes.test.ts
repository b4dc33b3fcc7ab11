import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { Client } from 'pg';
import type { Environment } from '../../src/base/config.ts';
import { openEmbeddedPostgres } from '../../src/base/db/embedded/embedded-postgres.ts';
import {
  fatalLine,
  makeBed,
  type Bed,
  type Finished,
  type Ready,
  type ServiceProcess,
} from '../support/service-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { waitFor } from '../support/wait-for.ts';

const secret = 'one root secret for all the nodes here';

async function makeDatabase(t: TestContext, options = {}): Promise<TestDatabase> {
  const database = await createTestDatabase(options);
  t.after(async () => await database.drop());
  return database;
}

async function status({ base_url }: Ready, route: string, demo?: Ready['demo']): Promise<number> {
  const headers = demo && { authorization: `Bearer ${demo.api_key}`, 'x-instance-slug': demo.slug };
  const response = await fetch(`${base_url}${route}`, { headers: { connection: 'close', ...headers } });
  await response.arrayBuffer();
  return response.status;
}

async function stop({ child, exited }: ServiceProcess): Promise<void> {
  child.kill('SIGTERM');
  assert.equal((await exited).code, 0);
}

/** A start that must not succeed, told in one line. */
async function refusal(bed: Bed, env: Environment): Promise<string> {
  const { code, stdout, stderr }: Finished = await bed.run(['serve', '--json'], env);
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
  return fatalLine(stderr);
}

test('a port in use is told in one line, and nothing of the attempt is left', async (t) => {
  const bed = makeBed(t);
  const squatter = createServer().listen(0, '127.0.0.1');
  t.after(() => void squatter.close());
  await once(squatter, 'listening');
  const port = String((squatter.address() as AddressInfo).port);
  for (const key of ['CHASQUI_HTTP_PORT', 'CHASQUI_METRICS_PORT']) {
    const line = await refusal(bed, { [key]: port });
    assert.match(line, new RegExp(`^127\\.0\\.0\\.1:${port} is in use by another process`));
    assert.equal(bed.postgresPid(), undefined);
  }
});

test('nodes with different roles share one database and what they know', async (t) => {
  const env = { DATABASE_URL: (await makeDatabase(t, { empty: true })).url, CHASQUI_SECRET: secret };
  const bed = makeBed(t, env);
  // Together, on an empty database: one migrates and makes the demo, the other waits for it.
  const [api, web] = await Promise.all([bed.serve(['--roles', 'api']), bed.serve(['--roles', 'web'])]);
  const demos = [api.ready.demo, web.ready.demo].filter((demo) => demo !== undefined);
  assert.equal(demos.length, 1);
  const [demo] = demos;
  assert.deepEqual(
    [await status(api.ready, '/v1/fields', demo), await status(api.ready, '/docs')],
    [200, 404],
  );
  assert.deepEqual(
    [await status(web.ready, '/v1/fields', demo), await status(web.ready, '/docs')],
    [404, 200],
  );
  const second = await bed.serve(['--roles', 'api']);
  assert.equal(await status(second.ready, '/v1/fields', demo), 200);
  const id = demo?.api_key.split('.')[1] ?? '';
  await bed.json(['api-key', 'revoke', '--instance', demo?.slug ?? '', id]);
  for (const node of [api, second]) assert.equal(await status(node.ready, '/v1/fields', demo), 401);
  await Promise.all([stop(api), stop(web), stop(second)]);
});

test('a node with another root secret is refused', async (t) => {
  const env = { DATABASE_URL: (await makeDatabase(t)).url, CHASQUI_SECRET: secret, CHASQUI_DEMO: 'false' };
  const bed = makeBed(t, env);
  await stop(await bed.serve());
  const line = await refusal(bed, { CHASQUI_SECRET: 'another secret, also of 32 characters' });
  assert.match(line, /^This database was set up with another root secret\. Set CHASQUI_SECRET/);
  const doctor = await bed.run(['doctor'], { CHASQUI_SECRET: 'another secret, also of 32 characters' });
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /^FAIL {2}root secret /m);
  await stop(await bed.serve());
});

test('a secret that was deleted is asked for, and never made anew beside its database', async (t) => {
  const bed = makeBed(t);
  const first = await bed.serve();
  const { demo } = first.ready;
  await stop(first);
  const file = path.join(bed.data_dir, 'secret');
  const kept = readFileSync(file, 'utf8');
  rmSync(file);
  for (const env of [{}, { CHASQUI_THREADS: '2' }]) {
    const line = await refusal(bed, env);
    assert.match(
      line,
      /^The root secret is missing: .*\/secret is not there\. Nothing was changed\. Put that file back/,
    );
    assert.equal(existsSync(file), false);
  }
  const doctor = await bed.run(['doctor']);
  assert.match(doctor.stdout, /^FAIL {2}root secret +The root secret is missing/m);
  const create = ['domain', 'create', '--instance', demo?.slug ?? '', 'mail.acme.cl'];
  assert.match((await bed.run(create)).stderr, /The root secret is missing/);
  assert.equal(existsSync(file), false);
  const configured = await bed.serve([], { CHASQUI_SECRET: kept.trim() });
  assert.equal(await status(configured.ready, '/v1/fields', demo), 200);
  await stop(configured);
  writeFileSync(file, kept);
  await stop(await bed.serve());
});

test('a second node without the secret makes none', async (t) => {
  const env = { DATABASE_URL: (await makeDatabase(t)).url, CHASQUI_DEMO: 'false' };
  const [first, second] = [makeBed(t, env), makeBed(t, env)];
  await stop(await first.serve());
  assert.match(await refusal(second, {}), /^The root secret is missing: this database was set up with one/);
  assert.equal(existsSync(path.join(second.data_dir, 'secret')), false);
});

test('a database that a newer version has used is refused', async (t) => {
  const database = await makeDatabase(t);
  const client = new Client(database.connection);
  await client.connect();
  await client.query(
    "insert into schema_migrations (name, checksum) values ('9999_future__create.sql', 'x')",
  );
  await client.end();
  const line = await refusal(makeBed(t, { DATABASE_URL: database.url, CHASQUI_SECRET: secret }), {});
  assert.match(
    line,
    /^The database has migration 9999_future__create\.sql, which this version does not know/,
  );
});

test('a node that is told to stop while it waits for another one’s migration ends', async (t) => {
  const database = await makeDatabase(t);
  const other = new Client(database.connection);
  // The database is dropped with its sessions.
  other.on('error', () => undefined);
  await other.connect();
  t.after(async () => await other.end());
  await other.query('select pg_advisory_lock($1)', [0x636871]);
  const bed = makeBed(t, {
    DATABASE_URL: database.url,
    CHASQUI_SECRET: secret,
    CHASQUI_STOP_TIMEOUT_SECONDS: '1',
  });
  const child = bed.start(['serve', '--roles', 'jobs']);
  let log = '';
  child.stderr?.on('data', (text: Buffer) => (log += text.toString()));
  await waitFor(() => log.includes('waiting for another node'), { timeout_ms: 60_000, what: () => log });
  child.kill('SIGTERM');
  const [code] = (await once(child, 'exit')) as [number | null];
  assert.equal(code, 1);
  assert.equal(fatalLine(log), 'Stopped by SIGTERM before it was ready.');
});

test('services started together on one new data folder agree on one database and one secret', async (t) => {
  const bed = makeBed(t, {}, { without_cluster: true });
  const services = await Promise.all([1, 2, 3].map(async () => await bed.serve()));
  const demo = services.map(({ ready }) => ready.demo).find((found) => found !== undefined);
  for (const { ready } of services) assert.equal(await status(ready, '/v1/fields', demo), 200);
  const owner = services.filter(({ ready }) => !ready.database.includes('of the running service'));
  assert.equal(owner.length, 1);
  await Promise.all(services.map(stop));
  assert.equal(bed.postgresPid(), undefined);
});

test('a service takes over the embedded database when the process that owned it ends', async (t) => {
  const bed = makeBed(t);
  const first = await bed.serve();
  const { demo } = first.ready;
  const servesAgain = async ({ ready, stderr }: ServiceProcess): Promise<void> => {
    const works = async (): Promise<boolean> => (await status(ready, '/v1/fields', demo)) === 200;
    await waitFor(works, { timeout_ms: 10_000, interval_ms: 50, what: () => `recovery: ${stderr()}` });
  };
  const second = await bed.serve();
  assert.match(second.ready.database, /of the running service/);
  await stop(first);
  await servesAgain(second);
  const third = await bed.serve();
  assert.match(third.ready.database, /of the running service/);
  second.child.kill('SIGKILL');
  await second.exited;
  await servesAgain(third);
  await stop(third);
  assert.equal(bed.postgresPid(), undefined);
});

test('a service that came up on the database of a command keeps it when the command is done', async (t) => {
  const bed = makeBed(t, { CHASQUI_DEMO: 'false' });
  const command = await openEmbeddedPostgres({ data_dir: bed.data_dir });
  const service = await bed.serve();
  await command.stop();
  const ready = async (): Promise<boolean> => (await status(service.ready, '/readyz')) === 200;
  await waitFor(ready, { timeout_ms: 10_000, interval_ms: 50, what: 'readiness' });
  assert.ok(bed.postgresPid());
  await stop(service);
  assert.equal(bed.postgresPid(), undefined);
});
