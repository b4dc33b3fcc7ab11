import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeBed, type Ready, type ServiceProcess } from '../support/service-process.ts';
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

test('what has the ports shared does not let another service take a part of them', async () => {
  const port = new URL(service.ready.base_url).port;
  const other = await bed.run(['serve', '--json', '--roles', 'api'], {
    CHASQUI_HTTP_PORT: port,
    CHASQUI_THREADS: '2',
  });
  assert.equal(other.code, 1);
  assert.match(other.stderr, /is in use by another process/);
});

test('all threads stop with the service', async () => {
  service.child.kill('SIGTERM');
  const { code } = await service.exited;
  assert.equal(code, 0);
  await assert.rejects(fetch(service.ready.base_url));
});
