import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { Client } from 'pg';
import { openEmbeddedPostgres } from '../../src/base/db/embedded/embedded-postgres.ts';
import type { Environment } from '../../src/base/config.ts';
import { makeBed, type Ready, type ServiceProcess } from '../support/service-process.ts';
import { waitFor } from '../support/wait-for.ts';

/** One installation for all tests here: the first one starts it for the first time, the others again. */
const bed = makeBed({ after });
const cli = path.resolve(import.meta.dirname, '../../bin/chasqui');
let demo: NonNullable<Ready['demo']>;

/** Bounds are for a machine with a core to spare; on a busier one everything takes longer. */
function slack(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
}

/** Starts the service; whatever becomes of the test, it does not outlive it. */
async function serve(t: TestContext, env: Environment = {}): Promise<ServiceProcess> {
  const service = await bed.serve([], env);
  t.after(async () => {
    service.child.kill('SIGKILL');
    await service.exited;
  });
  return service;
}

async function get(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return await fetch(url, { headers: { connection: 'close', ...headers } });
}

async function getFields(base_url: string): Promise<number> {
  const { api_key, slug } = demo;
  const headers = { authorization: `Bearer ${api_key}`, 'x-instance-slug': slug };
  return (await get(`${base_url}/v1/fields`, headers)).status;
}

async function openClient(t: TestContext): Promise<Client> {
  const { connection } = await openEmbeddedPostgres({ data_dir: bed.data_dir });
  const client = new Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  t.after(async () => await client.end());
  return client;
}

/** Has requests for the fields wait for a table that is locked, and gives the way to let them go on. */
async function holdFields(t: TestContext): Promise<{ held(): Promise<void>; release(): Promise<void> }> {
  const [holder, watcher] = [await openClient(t), await openClient(t)];
  await holder.query('begin; lock table fields in access exclusive mode');
  const waiting = async () => (await watcher.query('select from pg_locks where not granted')).rowCount === 1;
  return {
    held: async () => void (await waitFor(waiting, { what: 'the request to wait for the table' })),
    release: async () => void (await holder.query('commit')),
  };
}

/** A request whose body is begun and not finished. */
async function beginUpload(t: TestContext, base_url: string): Promise<Socket> {
  const { hostname, port } = new URL(base_url);
  const socket = connect(Number(port), hostname === 'localhost' ? '127.0.0.1' : hostname);
  t.after(() => void socket.destroy());
  await once(socket, 'connect');
  socket.write(
    [
      'POST /v1/fields HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${demo.api_key}`,
      `X-Instance-Slug: ${demo.slug}`,
      'Content-Type: application/json',
      'Content-Length: 20',
      '',
      '{"name":',
    ].join('\r\n'),
  );
  return socket;
}

test('the first start tells where everything is and puts a key that works into a private file', async (t) => {
  const began = performance.now();
  const child = bed.start(['serve'], { CHASQUI_PRINT_CREDENTIALS: 'false' });
  let text = '';
  let log = '';
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await waitFor(() => /password are in .*\n/.test(log), {
    timeout_ms: 30_000,
    what: () => `the first start: ${text}${log}`,
  });
  const first_ms = Math.round(performance.now() - began);
  t.diagnostic(`first start, which makes the embedded database: ready in ${first_ms} ms`);
  assert.ok(first_ms < 10_000 * slack());
  const find = (what: RegExp): string => what.exec(log)?.[1] ?? assert.fail(`no ${what} in ${log}`);
  const file = find(/password are in ([^\s"]+)/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  demo = JSON.parse(readFileSync(file, 'utf8')) as NonNullable<Ready['demo']>;
  const base_url = find(/running api on (http[^\s,]+)/);
  assert.equal(await getFields(base_url), 200);
  assert.equal((await get(`${base_url}/readyz`)).status, 200);
  assert.equal((await get(`${base_url}/no-such-page`)).status, 404);
  await waitFor(() => log.includes('"status":404'), { what: () => `the request in the log: ${log}` });
  assert.equal(text, '', 'the banner is for terminals');
  for (const secret of [demo.api_key, demo.password]) assert.ok(!log.includes(secret));
  for (const line of log.trim().split('\n')) assert.equal(typeof JSON.parse(line), 'object');
  assert.doesNotMatch(log, /"route":"\/readyz"/, 'probes that pass are not logged');
  child.kill('SIGTERM');
  const [code] = await once(child, 'exit');
  assert.equal(code, 0);
  assert.equal(bed.postgresPid(), undefined);
});

test('a second start shows no key, is fast, and has the data', async (t) => {
  const { child, ready, ready_ms, stdout, stderr, exited } = await serve(t);
  t.diagnostic(`second start: ready in ${ready_ms} ms`);
  assert.ok(ready_ms < 3_000 * slack());
  assert.equal(ready.demo, undefined);
  assert.doesNotMatch(stdout(), /chq\./);
  assert.equal(stdout().trim().split('\n').length, 1, 'one JSON object and nothing else');
  assert.equal(await getFields(ready.base_url), 200);
  child.kill('SIGINT');
  assert.equal((await exited).code, 0);
  // As docs/operating.md says: what it answers is on standard output, what it logs on standard error.
  const said = (text: string): unknown[] =>
    text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg?: string }).msg);
  assert.deepEqual(said(stdout()), [undefined]);
  assert.ok(
    ['request', 'stopping', 'stopped'].every((line) => said(stderr()).includes(line)),
    stderr(),
  );
});

test('both listeners tell that the service is ready; only operators read metrics', async (t) => {
  const { child, ready, exited } = await serve(t);
  for (const url of [ready.base_url, ready.metrics_url]) {
    assert.deepEqual(await (await get(`${url}/readyz`)).json(), { status: 'ready', warnings: [] });
    assert.deepEqual(await (await get(`${url}/healthz`)).json(), { status: 'ok' });
  }
  await getFields(ready.base_url);
  const metrics = await get(`${ready.metrics_url}/metrics`);
  assert.equal(metrics.status, 200);
  assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  const text = await metrics.text();
  assert.match(text, /^# TYPE chasqui_http_request_duration_seconds histogram$/m);
  assert.match(text, /^chasqui_http_request_duration_seconds_count\{.*operation="list_fields".*\} 1$/m);
  const hidden = await get(`${ready.base_url}/metrics`);
  assert.equal(hidden.status, 404);
  assert.match(hidden.headers.get('content-type') ?? '', /^application\/problem\+json/);
  child.kill('SIGTERM');
  assert.equal((await exited).code, 0);
});

test('told to stop, it finishes the requests under way and then ends with its database', async (t) => {
  const { child, ready, stderr, exited } = await serve(t);
  const fields = await holdFields(t);
  const upload = await beginUpload(t, ready.base_url);
  const answer = getFields(ready.base_url);
  await fields.held();
  child.kill('SIGTERM');
  await waitFor(() => stderr().includes('"stopping"'), { what: 'the service to begin to stop' });
  await assert.rejects(get(`${ready.base_url}/healthz`), 'new connections are refused');
  await fields.release();
  assert.equal(await answer, 200);
  upload.end('"x","y": 1}\n');
  const [head] = (await once(upload, 'data')) as [Buffer];
  assert.match(head.toString(), /^HTTP\/1\.1 422 /);
  assert.equal((await exited).code, 0);
  assert.equal(bed.postgresPid(), undefined);
});

test('told to stop, it waits for requests that never end only as long as it may', async (t) => {
  const { child, ready, exited } = await serve(t, { CHASQUI_STOP_TIMEOUT_SECONDS: '1' });
  const fields = await holdFields(t);
  await beginUpload(t, ready.base_url);
  const answer = assert.rejects(getFields(ready.base_url));
  await fields.held();
  const began = performance.now();
  child.kill('SIGTERM');
  const { code, stderr } = await exited;
  const stopMs = Math.round(performance.now() - began);
  t.diagnostic(`stopped with stuck requests after ${stopMs} ms`);
  assert.equal(code, 0);
  assert.ok(stopMs >= 1_000 && stopMs < 10_000, `${stopMs} ms`);
  assert.match(stderr, /aborting work that did not end within the stop timeout/);
  await answer;
  assert.equal(bed.postgresPid(), undefined);
});

test('a log that cannot be written, as on a full disk, disturbs neither requests nor the stop', async () => {
  const program = ['sh', '-c', 'exec "$@" 2>/dev/full', 'sh', process.execPath, cli];
  const { child, ready, exited } = await bed.serve(['--roles', 'api'], {}, program);
  for (let request = 0; request < 20; request += 1) assert.equal(await getFields(ready.base_url), 200);
  child.kill('SIGTERM');
  assert.equal((await exited).code, 0);
});

test('a signal that comes twice at once, as from a terminal, stops it in good order all the same', async (t) => {
  const { child, stderr, exited } = await serve(t);
  child.kill('SIGINT');
  child.kill('SIGINT');
  assert.equal((await exited).code, 0);
  assert.match(stderr(), /"stopped"/);
});

test('after kill -9 its database ends by itself, and the next start has the data', async (t) => {
  const { child, exited } = await serve(t);
  assert.ok(bed.postgresPid());
  const began = performance.now();
  child.kill('SIGKILL');
  await exited;
  await waitFor(() => bed.postgresPid() === undefined, { timeout_ms: 10_000, what: 'the end of PostgreSQL' });
  t.diagnostic(`PostgreSQL ended ${Math.round(performance.now() - began)} ms after kill -9`);
  const next = await serve(t);
  t.diagnostic(`start after kill -9: ready in ${next.ready_ms} ms`);
  assert.equal(await getFields(next.ready.base_url), 200);
  next.child.kill('SIGTERM');
  assert.equal((await next.exited).code, 0);
});

test('started again at once after kill -9, it waits for the old database to end', async (t) => {
  const { child, exited } = await serve(t);
  child.kill('SIGKILL');
  await exited;
  const next = await serve(t);
  assert.equal(await getFields(next.ready.base_url), 200);
  next.child.kill('SIGTERM');
  assert.equal((await next.exited).code, 0);
});
