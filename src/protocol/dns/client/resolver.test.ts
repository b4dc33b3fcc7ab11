import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { createAuthoritativeServer } from '../authoritative-server.ts';
import { createMemoryZone } from '../memory-zone.fixture.ts';
import { createResolver } from './resolver.ts';
import type { Resolver } from './resolver.ts';

const longText = 'k'.repeat(2000);
const zone = createMemoryZone('example.com', {
  'example.com': [
    { type: 'MX', ttl: 60, records: [{ preference: 5, exchange: 'mail.example.com' }] },
    { type: 'TXT', ttl: 60, records: ['first', longText] },
  ],
  'alias.example.com': [{ type: 'CNAME', ttl: 60, records: ['second.example.com'] }],
  'second.example.com': [{ type: 'CNAME', ttl: 60, records: ['example.com'] }],
  'null.example.com': [{ type: 'MX', ttl: 60, records: [{ preference: 0, exchange: '.' }] }],
});

async function serveZone(t: TestContext): Promise<Resolver> {
  const server = createAuthoritativeServer({ zone });
  t.after(async () => await server.stop());
  const { port } = await server.start({ host: '127.0.0.1', port: 0 });
  return createResolver({ servers: [`127.0.0.1:${port}`], timeout_ms: 20_000 });
}

type Respond = (query: Buffer) => Buffer | undefined;

/** A name server that answers with whatever bytes it is told. */
async function serveBytes(t: TestContext, respond: Respond): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (query, remote) => {
    const reply = respond(query);
    if (reply !== undefined) socket.send(reply, remote.port, remote.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  t.after(() => socket.close());
  return `127.0.0.1:${socket.address().port}`;
}

function withRcode(rcode: number): Respond {
  return (query) => {
    const reply = Buffer.from(query);
    // QR and RA.
    reply.writeUInt16BE(0x8080 | rcode, 2);
    return reply;
  };
}

test('records are found, TXT strings joined, a CNAME gives its first hop', async (t) => {
  const resolver = await serveZone(t);
  assert.deepEqual(await resolver.mx('example.com'), {
    kind: 'found',
    records: [{ exchange: 'mail.example.com', priority: 5 }],
  });
  assert.deepEqual(await resolver.txt('example.com'), { kind: 'found', records: ['first', longText] });
  assert.deepEqual(await resolver.cname('alias.example.com'), {
    kind: 'found',
    records: ['second.example.com'],
  });
  assert.deepEqual(await resolver.mx('null.example.com'), {
    kind: 'found',
    records: [{ exchange: '', priority: 0 }],
  });
});

test('a name that does not exist and one without the type are missing', async (t) => {
  const resolver = await serveZone(t);
  assert.deepEqual(await resolver.mx('nothing.example.com'), { kind: 'missing' });
  assert.deepEqual(await resolver.cname('example.com'), { kind: 'missing' });
});

test('an error is a value with its reason', async (t) => {
  const cases: [Respond, string][] = [
    [withRcode(2), 'servfail'],
    [withRcode(5), 'refused'],
    [withRcode(4), 'not_implemented'],
    [withRcode(1), 'malformed'],
    [(query) => Buffer.concat([query.subarray(0, 2), Buffer.from('not a DNS message')]), 'malformed'],
    // Not the id of the query: a forged datagram, which is ignored.
    [() => Buffer.from('not a DNS message at all'), 'timeout'],
    [() => undefined, 'timeout'],
  ];
  for (const [respond, reason] of cases) {
    const resolver = createResolver({ servers: [await serveBytes(t, respond)], timeout_ms: 1000 });
    assert.deepEqual(await resolver.txt('example.com'), { kind: 'error', reason });
  }
  const nowhere = createResolver({ servers: ['127.0.0.1:1'], timeout_ms: 300 });
  assert.deepEqual(await nowhere.mx('example.com'), { kind: 'error', reason: 'unreachable' });
});

test('a name that DNS cannot carry is an error value, not an exception', async (t) => {
  const resolver = await serveZone(t);
  for (const name of ['a..b', `${'x'.repeat(64)}.com`, 'with space.com', `${'abc.'.repeat(70)}com`])
    assert.deepEqual(await resolver.mx(name), { kind: 'error', reason: 'bad_name' });
});

test('a lost datagram is asked for again within the time', async (t) => {
  let seen = 0;
  const server = await serveBytes(t, (query) => {
    seen += 1;
    return seen === 1 ? undefined : withRcode(3)(query);
  });
  const resolver = createResolver({ servers: [server], timeout_ms: 6_000 });
  assert.deepEqual(await resolver.mx('example.com'), { kind: 'missing' });
});

test('a dead first server leaves time for the second', async (t) => {
  const dead = await serveBytes(t, () => undefined);
  const alive = await serveBytes(t, withRcode(3));
  const resolver = createResolver({ servers: [dead, alive], timeout_ms: 6_000 });
  assert.deepEqual(await resolver.mx('example.com'), { kind: 'missing' });
});

test('servers that never answer take no longer than the time allowed', async (t) => {
  let asked = 0;
  const dead = await serveBytes(t, () => void (asked += 1));
  const resolver = createResolver({ servers: [dead, dead, dead], timeout_ms: 100 });
  assert.deepEqual(await resolver.mx('example.com'), { kind: 'error', reason: 'timeout' });
  // The first takes all the time: each is given at least 100 ms.
  assert.ok(asked <= 1, String(asked));
});

test('an abort ends a query under way and refuses a later one', async (t) => {
  const asked = Promise.withResolvers<undefined>();
  const dead = await serveBytes(t, () => {
    asked.resolve(undefined);
    return undefined;
  });
  const resolver = createResolver({ servers: [dead], timeout_ms: 60_000 });
  const controller = new AbortController();
  const outcome = resolver.cname('example.com', { signal: controller.signal });
  await asked.promise;
  controller.abort();
  assert.deepEqual(await outcome, { kind: 'error', reason: 'cancelled' });
  assert.deepEqual(await resolver.cname('example.com', { signal: controller.signal }), {
    kind: 'error',
    reason: 'cancelled',
  });
});

test('aborting one query does not affect the others', async (t) => {
  const resolver = await serveZone(t);
  const controller = new AbortController();
  const aborted = resolver.mx('example.com', { signal: controller.signal });
  const other = resolver.mx('example.com');
  controller.abort();
  assert.equal((await aborted).kind, 'error');
  assert.equal((await other).kind, 'found');
});

test('an unusable server address is refused at once', () => {
  assert.throws(() => createResolver({ servers: ['nonsense'], timeout_ms: 100 }), TypeError);
  assert.doesNotThrow(() => createResolver({ servers: ['[::1]:5300'], timeout_ms: 100 }));
});
