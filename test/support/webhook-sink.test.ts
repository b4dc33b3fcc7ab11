import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createMovableClock } from './movable-clock.ts';
import { waitFor } from './wait-for.ts';
import { startWebhookSink, type SinkOptions } from './webhook-sink.ts';

async function sinkFor(context: TestContext, options: SinkOptions = {}) {
  const sink = await startWebhookSink(options);
  context.after(sink.stop);
  return sink;
}

test('a request is recorded with its method, path, headers, raw body and the time of the given clock', async (t) => {
  const clock = createMovableClock('2030-01-01T00:00:00Z');
  const sink = await sinkFor(t, { clock });
  const body = Buffer.from([0x7b, 0xff, 0x00, 0x7d]);
  const response = await fetch(`${sink.url}/hook?a=1`, {
    method: 'POST',
    body,
    headers: { 'webhook-id': 'e1' },
  });
  assert.equal(response.status, 200);
  clock.advance(5000);
  await fetch(sink.url);

  const [first, second] = await sink.waitForRequests(2);
  assert.equal(first?.method, 'POST');
  assert.equal(first.path, '/hook?a=1');
  assert.equal(first.headers['webhook-id'], 'e1');
  assert.deepEqual(first.body, body);
  assert.equal(first.at.toISOString(), '2030-01-01T00:00:00.000Z');
  assert.equal(second?.at.toISOString(), '2030-01-01T00:00:05.000Z');
});

test('steps answer in sequence, the last one stays, and a function sees the request', async (t) => {
  const sink = await sinkFor(t);
  sink.respond({ status: 503, headers: { 'retry-after': '7' }, body: 'later' }, ({ path }) => ({
    body: path,
  }));
  const first = await fetch(sink.url);
  assert.equal(first.status, 503);
  assert.equal(first.headers.get('retry-after'), '7');
  assert.equal(await first.text(), 'later');
  assert.equal(await (await fetch(`${sink.url}/two`)).text(), '/two');
  assert.equal(await (await fetch(`${sink.url}/three`)).text(), '/three');
});

test('a redirect is only what the sink says: the client decides', async (t) => {
  const sink = await sinkFor(t, { respond: { status: 302, headers: { location: '/elsewhere' } } });
  assert.equal((await fetch(sink.url, { redirect: 'manual' })).status, 302);
  assert.equal(sink.requests.length, 1);
});

test('a hanging answer lasts until the client gives up', async (t) => {
  const sink = await sinkFor(t, { respond: 'hang' });
  const leaving = new AbortController();
  const left = assert.rejects(fetch(sink.url, { signal: leaving.signal }), { name: 'AbortError' });
  assert.equal((await sink.waitForRequests(1)).length, 1);
  await sleep(50);
  leaving.abort();
  await left;
});

test('a dropped connection reaches the client as a network error', async (t) => {
  const sink = await sinkFor(t, { respond: 'drop' });
  await assert.rejects(fetch(sink.url), TypeError);
  assert.equal(sink.requests.length, 1);
});

test('a delayed answer comes no sooner than told, and a client that leaves ends it', async (t) => {
  const sink = await sinkFor(t, { respond: { delay_ms: 60 } });
  const started = performance.now();
  await fetch(sink.url);
  assert.ok(performance.now() - started >= 55);
  sink.respond({ delay_ms: 600_000 });
  await assert.rejects(fetch(sink.url, { signal: AbortSignal.timeout(30) }));
});

test('a body without end flows until the client closes', async (t) => {
  let ended = false;
  async function* endless() {
    try {
      for (;;) {
        yield Buffer.alloc(16_384, 'x');
        await sleep(1);
      }
    } finally {
      ended = true;
    }
  }
  const sink = await sinkFor(t, { respond: { body: endless() } });
  const reader = (await fetch(sink.url)).body?.getReader();
  assert.ok((await reader?.read())?.value);
  await reader?.cancel();
  await waitFor(() => ended, { what: 'the end of the endless body' });
});

test('over TLS a client that trusts the certificate verifies it, others refuse', async (t) => {
  const sink = await sinkFor(t, { tls: true, respond: { status: 204 } });
  assert.match(sink.url, /^https:\/\/127\.0\.0\.1:\d+$/);
  const request = httpsRequest(sink.url, { method: 'POST', ca: sink.certificate?.cert, agent: false });
  request.end('{}');
  const [response] = (await once(request, 'response')) as [{ statusCode: number; resume(): void }];
  response.resume();
  assert.equal(response.statusCode, 204);
  assert.equal(sink.requests[0]?.body.toString(), '{}');

  const distrustful = httpsRequest(sink.url, { agent: false });
  distrustful.end();
  const [error] = (await once(distrustful, 'error')) as [{ code: string }];
  assert.equal(error.code, 'DEPTH_ZERO_SELF_SIGNED_CERT');
  assert.equal(sink.requests.length, 1);
});

test('connections are counted, and stopping cuts even those that never said anything', async () => {
  const sink = await startWebhookSink({ tls: true });
  assert.equal(sink.connections, 0);
  const socket = connect(sink.port, sink.host);
  await waitFor(() => sink.connections === 1, { what: 'the connection' });
  socket.on('error', () => {});
  const closed = once(socket, 'close');
  await sink.stop();
  await closed;
  assert.equal(sink.requests.length, 0);
  await sink.stop();
});

test('an exception of a step is thrown when the sink stops', async () => {
  const sink = await startWebhookSink({
    respond: () => {
      throw new Error('fault in the script');
    },
  });
  await assert.rejects(fetch(sink.url));
  await assert.rejects(sink.stop(), /fault in the script/);
});

test('waiting in vain says what for and how far it got', async (t) => {
  const sink = await sinkFor(t);
  await fetch(sink.url);
  await assert.rejects(
    sink.waitForRequests(2, 30),
    /waited 30 ms in vain for 2 requests at http.*\(1 came\)/,
  );
});

test('waiting is bounded when the condition never settles, and ends at once when it throws', async () => {
  const never = new Promise<true>(() => {});
  await assert.rejects(
    waitFor(async () => await never, { timeout_ms: 20, what: 'godot' }),
    /in vain for godot/,
  );
  const broken = () => {
    throw new Error('broken condition');
  };
  await assert.rejects(waitFor(broken), /broken condition/);
});

test('waiting gives the first truthy value, from a promise too', async () => {
  let asked = 0;
  const condition = async () => (asked += 1) === 3 && { asked };
  assert.deepEqual(await waitFor(condition, { interval_ms: 1 }), { asked: 3 });
});

test('the movable clock stands still, moves as told, and lends out copies', () => {
  const clock = createMovableClock('2026-02-28T23:59:59Z');
  clock.now().setFullYear(1999);
  assert.equal(clock.now().toISOString(), '2026-02-28T23:59:59.000Z');
  assert.equal(clock.advance(1000).toISOString(), '2026-03-01T00:00:00.000Z');
  clock.set(new Date('2020-01-01T00:00:00Z'));
  assert.equal(clock.now().toISOString(), '2020-01-01T00:00:00.000Z');
  assert.throws(() => clock.advance(Number.NaN), RangeError);
  assert.throws(() => createMovableClock('yesterday'), RangeError);
});
