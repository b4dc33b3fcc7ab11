import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import tls from 'node:tls';
import { waitFor } from '../../test/support/wait-for.ts';
import { startWebhookSink, type SinkOptions, type WebhookSink } from '../../test/support/webhook-sink.ts';
import { createWebhookClient } from './webhook-client.ts';

const nowhere = async () => ({ kind: 'missing' }) as const;
const policy = { allow_insecure: true, addresses: nowhere };
const times = { connect_timeout_ms: 5_000, total_timeout_ms: 5_000 };

async function sinkFor(t: TestContext, options: SinkOptions = {}): Promise<WebhookSink> {
  const sink = await startWebhookSink(options);
  t.after(sink.stop);
  return sink;
}

function clientFor(t: TestContext, options: Partial<Parameters<typeof createWebhookClient>[0]> = {}) {
  const client = createWebhookClient({ policy, ...times, ...options });
  t.after(async () => await client.stop());
  return {
    post: async (url: string) => await client.post({ url, headers: { 'x-test': '1' }, body: '{"a":1}' }),
  };
}

test('a delivery is posted as it is, and what was said about it is kept', async (t) => {
  const sink = await sinkFor(t);
  sink.respond({ status: 201, headers: { 'x-hello': 'there' }, body: 'thank you' });
  const answer = await clientFor(t).post(`${sink.url}/hook?a=b`);
  assert.deepEqual([answer.status_code, answer.error, answer.body], [201, null, 'thank you']);
  assert.equal(answer.headers['x-hello'], 'there');
  const [request] = sink.requests;
  assert.deepEqual(
    [request?.method, request?.path, request?.body.toString()],
    ['POST', '/hook?a=b', '{"a":1}'],
  );
  assert.equal(request?.headers['x-test'], '1');
});

test('connections are used again', async (t) => {
  const sink = await sinkFor(t);
  const client = clientFor(t);
  for (let number = 0; number < 5; number += 1) await client.post(sink.url);
  assert.equal(sink.requests.length, 5);
  assert.ok(sink.connections <= 2, `${sink.connections} connections`);
});

test('a redirect is refused and not followed', async (t) => {
  const inside = await sinkFor(t);
  for (const status of [301, 302, 303, 307, 308]) {
    const sink = await sinkFor(t, { respond: { status, headers: { location: inside.url } } });
    const answer = await clientFor(t).post(sink.url);
    assert.deepEqual([answer.status_code, answer.error], [status, 'redirect_refused']);
  }
  assert.equal(inside.connections, 0);
});

test('an answer other than 2xx is an error that names it', async (t) => {
  const sink = await sinkFor(t, { respond: { status: 503, body: 'later' } });
  const answer = await clientFor(t).post(sink.url);
  assert.deepEqual([answer.status_code, answer.error, answer.body], [503, 'status_503', 'later']);
});

test('a request times out', async (t) => {
  const sink = await sinkFor(t, { respond: 'hang' });
  const began = performance.now();
  const answer = await clientFor(t, { total_timeout_ms: 400 }).post(sink.url);
  assert.deepEqual([answer.status_code, answer.error], [null, 'timeout']);
  // The client's own limit is ten seconds.
  assert.ok(performance.now() - began < 10_000);
});

async function* endless(): AsyncGenerator<Buffer> {
  for (;;) yield Buffer.alloc(16_384, 'x');
}
async function* dripping(): AsyncGenerator<Buffer> {
  for (;;) {
    yield Buffer.from('.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test('a body without end is cut off, and the status counts', async (t) => {
  for (const body of [endless, dripping]) {
    const sink = await sinkFor(t, { respond: () => ({ status: 200, body: body() }) });
    const answer = await clientFor(t, { total_timeout_ms: 1_500 }).post(sink.url);
    assert.deepEqual([answer.status_code, answer.error], [200, null]);
    assert.ok(answer.body.length <= 1_000);
  }
});

test('a lost connection, a refused one and nonsense are errors, never exceptions', async (t) => {
  const sink = await sinkFor(t, { respond: 'drop' });
  const client = clientFor(t);
  assert.equal((await client.post(sink.url)).error, 'connection_closed');
  await sink.stop();
  assert.equal((await client.post(sink.url)).error, 'connection_refused');
  assert.equal((await client.post('http://no-such-name.test/')).error, 'host_not_found');
});

test('characters that cannot be stored are replaced, and headers are bounded', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x-${index}`, 'v'.repeat(400)]));
  const sink = await sinkFor(t, {
    respond: { status: 200, body: Buffer.from([0, 0xff, 0x41]), headers: many },
  });
  // Twenty-four thousand octets of header are more than is read.
  assert.equal((await clientFor(t).post(sink.url)).error, 'malformed_response');
  sink.respond({ status: 200, body: Buffer.from([0, 0xff, 0x41]), headers: { 'x-long': 'v'.repeat(400) } });
  const answer = await clientFor(t).post(sink.url);
  assert.equal(answer.body, '\u{fffd}\u{fffd}A');
  assert.equal(answer.headers['x-long']?.length, 300);
});

test('an untrusted certificate, or one for another name, is refused', async (t) => {
  const sink = await sinkFor(t, { tls: true });
  const addresses = async () => ({ kind: 'found' as const, records: ['127.0.0.1'] });
  const post = async (url: string) => await clientFor(t, { policy: { ...policy, addresses } }).post(url);
  assert.match((await post(sink.url)).error ?? '', /^tls_.*self_signed/);
  assert.equal(sink.requests.length, 0);
  const trusted = tls.getCACertificates('default');
  t.after(() => tls.setDefaultCACertificates(trusted));
  tls.setDefaultCACertificates([...trusted, sink.certificate?.cert ?? '']);
  assert.equal((await post(sink.url)).error, null);
  assert.match((await post(`https://other.test:${sink.port}/`)).error ?? '', /^tls_.*altname/);
  assert.equal(sink.requests.length, 1);
});

test('the connected address is checked, not only the resolved one', async (t) => {
  const sink = await sinkFor(t);
  let asked = 0;
  const judged = {
    // Says yes to the name's address and no once it is connected to.
    get allow_insecure() {
      return (asked += 1) < 2;
    },
    addresses: async () => ({ kind: 'found' as const, records: ['127.0.0.1'] }),
  };
  const answer = await clientFor(t, { policy: judged }).post(`http://name.test:${sink.port}/`);
  assert.equal(answer.error, 'address_not_allowed');
  assert.equal(sink.requests.length, 0);
  await waitFor(() => asked === 2, { what: 'two judgements' });
});

test('running requests are aborted when the client stops', async (t) => {
  const sink = await sinkFor(t, { respond: 'hang' });
  const client = createWebhookClient({ policy });
  const answers = [1, 2].map(async () => await client.post({ url: sink.url, headers: {}, body: '{}' }));
  await sink.waitForRequests(2);
  await client.stop();
  for (const { error } of await Promise.all(answers)) assert.equal(error, 'stopped');
});
