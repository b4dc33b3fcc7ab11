import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { decode, encode, streamEncode } from 'dns-packet';
import { waitFor } from '../../../test/support/wait-for.ts';
import { createAuthoritativeServer } from './authoritative-server.ts';
import type { AuthoritativeServerOptions } from './authoritative-server.ts';
import { createMemoryZone } from './memory-zone.fixture.ts';

const hugeText = 'x'.repeat(3000);
const zone = createMemoryZone('chasqui.test', {
  'chasqui.test': [{ type: 'MX', ttl: 60, records: [{ preference: 10, exchange: 'mx.chasqui.test' }] }],
  'mx.chasqui.test': [
    { type: 'A', ttl: 60, records: ['192.0.2.2'] },
    { type: 'AAAA', ttl: 60, records: ['2001:db8::2'] },
  ],
  'huge.chasqui.test': [{ type: 'TXT', ttl: 60, records: [hugeText] }],
  'alias.chasqui.test': [{ type: 'CNAME', ttl: 60, records: ['mx.chasqui.test'] }],
});

interface Running {
  port: number;
  resolver: dns.Resolver;
}

async function serve(
  t: TestContext,
  options: Partial<AuthoritativeServerOptions> = {},
  host = '127.0.0.1',
): Promise<Running> {
  const server = createAuthoritativeServer({ zone, ...options });
  t.after(async () => await server.stop());
  const { port } = await server.start({ host, port: 0 });
  const resolver = new dns.Resolver({ timeout: 1000, tries: 1 });
  resolver.setServers([host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`]);
  return { port, resolver };
}

async function codeOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    () => 'answered',
    (error: unknown) => error instanceof Error && 'code' in error && error.code,
  );
}

const question = encode({ id: 7, questions: [{ name: 'mx.chasqui.test', type: 'A' }] });

test('an independent resolver reads every type', async (t) => {
  const rcodes: string[] = [];
  const { resolver } = await serve(t, { onAnswer: (rcode) => rcodes.push(rcode) });
  const [mx] = await resolver.resolveMx('chasqui.test');
  assert.deepEqual([mx?.exchange, mx?.priority], ['mx.chasqui.test', 10]);
  assert.deepEqual(await resolver.resolve4('mx.chasqui.test'), ['192.0.2.2']);
  assert.deepEqual(await resolver.resolve6('mx.chasqui.test'), ['2001:db8::2']);
  assert.deepEqual(await resolver.resolve4('alias.chasqui.test'), ['192.0.2.2']);
  assert.deepEqual(await resolver.resolveCname('alias.chasqui.test'), ['mx.chasqui.test']);
  assert.equal((await resolver.resolveSoa('chasqui.test')).nsname, 'ns1.chasqui.test');
  assert.deepEqual(await resolver.resolveNs('chasqui.test'), ['ns1.chasqui.test', 'ns2.chasqui.test']);
  assert.deepEqual(new Set(rcodes), new Set(['NOERROR']));
});

test('a resolver falls back to TCP for what does not fit a datagram', async (t) => {
  const { resolver } = await serve(t);
  const [strings] = await resolver.resolveTxt('huge.chasqui.test');
  assert.equal(strings?.join(''), hugeText);
});

test('a resolver tells missing names, missing types, foreign zones and failures apart', async (t) => {
  const errors: unknown[] = [];
  const rcodes: string[] = [];
  const failing = {
    ...zone,
    lookup: async (name: string) =>
      await (name.startsWith('fail.') ? Promise.reject(new Error('gone')) : zone.lookup(name)),
  };
  const { resolver } = await serve(t, {
    zone: failing,
    onError: (error) => errors.push(error),
    onAnswer: (rcode) => rcodes.push(rcode),
  });
  assert.equal(await codeOf(resolver.resolve4('nothing.chasqui.test')), 'ENOTFOUND');
  assert.equal(await codeOf(resolver.resolveTxt('mx.chasqui.test')), 'ENODATA');
  assert.equal(await codeOf(resolver.resolve4('example.org')), 'EREFUSED');
  assert.equal(await codeOf(resolver.resolve4('fail.chasqui.test')), 'ESERVFAIL');
  assert.deepEqual(rcodes, ['NXDOMAIN', 'NOERROR', 'REFUSED', 'SERVFAIL']);
  assert.equal(errors.length, 1);
});

test('a lookup that never ends is SERVFAIL in time', async (t) => {
  const stuck = { ...zone, lookup: async () => await new Promise<never>(() => undefined) };
  const { resolver } = await serve(t, { zone: stuck, lookup_timeout_ms: 50 });
  assert.equal(await codeOf(resolver.resolve4('mx.chasqui.test')), 'ESERVFAIL');
});

test('the server answers over IPv6', async (t) => {
  const { resolver } = await serve(t, {}, '::1');
  assert.deepEqual(await resolver.resolve4('mx.chasqui.test'), ['192.0.2.2']);
});

test('a source over its rate gets truncated answers and a resolver there still succeeds', async (t) => {
  const verdicts: string[] = [];
  const { port, resolver } = await serve(t, {
    rate_limit: { per_second: 0, burst: 3 },
    now: () => 0,
    onLimited: (verdict) => verdicts.push(verdict),
  });
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  const replies: Buffer[] = [];
  socket.on('message', (reply) => replies.push(reply));
  const limited = Promise.withResolvers<undefined>();
  socket.on('message', () => {
    if (replies.length === 6) limited.resolve(undefined);
  });
  for (let index = 0; index < 9; index += 1) socket.send(question, port, '127.0.0.1');
  await limited.promise;
  const truncated = replies.filter((reply) => decode(reply).flag_tc);
  assert.equal(replies.length - truncated.length, 3);
  assert.ok(truncated.every((reply) => reply.length <= question.length));
  assert.deepEqual(verdicts, ['drop', 'truncate', 'drop', 'truncate', 'drop', 'truncate']);
  // The next answer is a dropped one and the one after it truncated: the retry brings the resolver to TCP.
  const patient = new dns.Resolver({ timeout: 300, tries: 4 });
  patient.setServers(resolver.getServers());
  assert.deepEqual(await patient.resolve4('mx.chasqui.test'), ['192.0.2.2']);
});

test('a port that is taken is an error, and nothing is left listening', async (t) => {
  const taken = createSocket('udp4');
  taken.bind(0, '127.0.0.1');
  await once(taken, 'listening');
  const { port } = taken.address();
  const server = createAuthoritativeServer({ zone });
  t.after(async () => await server.stop());
  await assert.rejects(server.start({ host: '127.0.0.1', port }), { code: 'EADDRINUSE' });
  taken.close();
  await once(taken, 'close');
  assert.deepEqual(await server.start({ host: '127.0.0.1', port }), { host: '127.0.0.1', port });
  await server.stop();
  await server.stop();
});

test('stopping forgets what is still being looked up, over UDP and over TCP', async (t) => {
  const held = Promise.withResolvers<undefined>();
  const answers: string[] = [];
  const errors: unknown[] = [];
  let asked = 0;
  const slow = {
    ...zone,
    lookup: async (): Promise<undefined> => {
      asked += 1;
      return await held.promise;
    },
  };
  const server = createAuthoritativeServer({
    zone: slow,
    onAnswer: (rcode) => answers.push(rcode),
    onError: (error) => errors.push(error),
  });
  const { port } = await server.start({ host: '127.0.0.1', port: 0 });
  const replies: Buffer[] = [];
  const udp = createSocket('udp4').on('message', (reply) => replies.push(reply));
  t.after(() => udp.close());
  udp.send(question, port, '127.0.0.1');
  const tcp = connect(port, '127.0.0.1').on('data', (reply) => replies.push(reply));
  t.after(() => tcp.destroy());
  const ended = once(tcp, 'close');
  tcp.write(streamEncode({ id: 7, questions: [{ name: 'mx.chasqui.test', type: 'A' }] }));
  await waitFor(() => asked === 2, { what: 'both questions' });
  await server.stop();
  await ended;
  held.resolve(undefined);
  await waitFor(() => answers.length === 2, { what: 'the end of both lookups' });
  // What would be sent now on a closed socket throws within this turn, and fails the test as an unhandled rejection.
  await new Promise(setImmediate);
  assert.deepEqual([replies, errors], [[], []]);
});

test('queries that wait for their look-up are bounded over UDP; the rest is dropped until some are answered', async (t) => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  let asked = 0;
  const slow: typeof zone = {
    ...zone,
    async lookup(name) {
      asked += 1;
      await released;
      return await zone.lookup(name);
    },
  };
  const verdicts: string[] = [];
  const { port } = await serve(t, {
    zone: slow,
    max_pending_udp: 2,
    onLimited: (verdict) => verdicts.push(verdict),
  });
  const client = createSocket('udp4');
  t.after(() => client.close());
  let answers = 0;
  client.on('message', () => (answers += 1));
  for (let sent = 0; sent < 5; sent += 1) client.send(question, port, '127.0.0.1');
  await waitFor(() => verdicts.length === 3, { what: 'three that are dropped' });
  assert.equal(asked, 2);
  assert.deepEqual(new Set(verdicts), new Set(['drop']));
  release();
  await waitFor(() => answers === 2, { what: 'two answers' });
  client.send(question, port, '127.0.0.1');
  await waitFor(() => answers === 3, { what: 'an answer again' });
});
