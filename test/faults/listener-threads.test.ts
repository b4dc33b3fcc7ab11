import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { createTestDatabase } from '../support/test-database.ts';
import { fatalLine, finish, makeBed, type Ready, type ServiceProcess } from '../support/service-process.ts';
import { waitFor } from '../support/wait-for.ts';

const bed = makeBed({ after });
let service: ServiceProcess;

before(async () => {
  service = await bed.serve(['--roles', 'api,submission'], { CHASQUI_THREADS: '3' });
});

async function send({ base_url, demo }: Ready): Promise<number> {
  const response = await fetch(`${base_url}/v1/mails/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${demo?.api_key}`,
      'x-instance-slug': demo?.slug ?? '',
      'content-type': 'application/json',
      connection: 'close',
    },
    body: JSON.stringify({
      sender_email: `test@${demo?.slug}.sandbox.test`,
      to: [{ email: 'delivered@sandbox.test' }],
      subject: 'Threads',
      html: '<p>Hello</p>',
    }),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Threads that answered a request, by their log lines; the first one has no number. */
function threadsSeen(): Set<number> {
  const lines = service.stderr().split('\n').filter(Boolean);
  const requests = lines
    .map((line) => JSON.parse(line) as { operation?: string; thread?: number })
    .filter(({ operation }) => operation === 'send_mail');
  return new Set(requests.map(({ thread = 0 }) => thread));
}

async function countSends(): Promise<number> {
  const text = await (await fetch(`${service.ready.metrics_url}/metrics`)).text();
  const pattern = /^chasqui_http_request_duration_seconds_count\{[^}]*operation="send_mail"[^}]*\} (\d+)$/gm;
  return [...text.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0);
}

test('threads share one port, each takes its part, and metrics count all of them', async () => {
  let sent = 0;
  // The system spreads connections by a hash: of so many, each thread gets some.
  await waitFor(
    async () => {
      const statuses = await Promise.all(Array.from({ length: 10 }, async () => await send(service.ready)));
      assert.deepEqual(new Set(statuses), new Set([200]));
      sent += 10;
      return threadsSeen().size === 3;
    },
    { timeout_ms: 20_000, what: 'all three threads to answer' },
  );
  await waitFor(async () => (await countSends()) === sent, { what: 'the metrics of all threads' });
});

test('a service whose processes share ports does not share them with another service', async () => {
  const port = new URL(service.ready.base_url).port;
  const other = await bed.run(['serve', '--json', '--roles', 'api'], {
    CHASQUI_HTTP_PORT: port,
    CHASQUI_THREADS: '2',
  });
  assert.equal(other.code, 1);
  assert.match(other.stderr, /is in use by another process/);
});

test('told to stop, every thread says that it is not ready, and serves on until the delay is over', async (t) => {
  const other = makeBed(t, { CHASQUI_THREADS: '2', CHASQUI_SHUTDOWN_DELAY_SECONDS: '6' });
  const { child, ready, exited } = await other.serve(['--roles', 'api']);
  const began = performance.now();
  let hasExited = false;
  void exited.then(() => (hasExited = true));
  child.kill('SIGTERM');
  const readiness = async (): Promise<string> => {
    const response = await fetch(`${ready.base_url}/readyz`, { headers: { connection: 'close' } });
    const { detail } = (await response.json()) as { detail?: string };
    return `${response.status} ${detail}`;
  };
  const stopping = '503 The service is stopping.';
  // The system spreads connections: so many in a row are of both threads.
  await waitFor(async () => {
    const answers = await Promise.all(Array.from({ length: 16 }, readiness));
    return answers.every((answer) => answer === stopping);
  });
  assert.equal(await send(ready), 200);
  assert.ok(!hasExited, 'all of it while it waits');
  assert.equal((await exited).code, 0);
  assert.ok(performance.now() - began >= 6_000);
  await assert.rejects(fetch(ready.base_url));
});

test('a start that fails, wherever it runs out of connections, ends the process', async (t) => {
  const database = await createTestDatabase();
  const role = `limited_${process.pid}`;
  const administer = async (sql: string): Promise<void> => {
    const client = new Client(database.connection);
    await client.connect();
    await client.query(sql);
    await client.end();
  };
  const { user, password } = database.connection;
  await administer(`create role ${role} login password '${String(password)}' in role ${user}`);
  t.after(async () => {
    await administer(`drop owned by ${role} cascade; drop role ${role}`);
    await database.drop();
  });
  const other = makeBed(t, {
    DATABASE_URL: database.url.replace(/\/\/\w+:/, `//${role}:`),
    CHASQUI_SECRET: 'a root secret for tests, and for tests alone',
    // Several, so that one is ready when another one fails.
    CHASQUI_THREADS: '4',
  });
  const failures: string[] = [];
  for (const connections of [1, 2, 3, 4, 5, 6, 7]) {
    await administer(`alter role ${role} connection limit ${connections}`);
    const child = other.start(['serve', '--json', '--roles', 'api']);
    child.stdout?.once('data', () => void child.kill('SIGTERM'));
    const timer = setTimeout(() => void child.kill('SIGKILL'), 120_000);
    const { code, stderr } = await finish(child);
    clearTimeout(timer);
    assert.notEqual(code, null, `with ${connections} connections it stayed: ${stderr}`);
    if (code === 1) failures.push(stderr);
  }
  t.diagnostic(`${failures.length} of 7 starts failed`);
  const byThread = failures.filter((text) => text.includes('a listener thread failed'));
  assert.ok(byThread.length > 0, 'in one of them it was the thread that could not connect');
  for (const text of failures) assert.match(fatalLine(text), /too many connections for role/);
});

test('all threads stop with the service', async () => {
  service.child.kill('SIGTERM');
  const { code } = await service.exited;
  assert.equal(code, 0);
  await assert.rejects(fetch(service.ready.base_url));
});
