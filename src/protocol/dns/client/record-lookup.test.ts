import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { startDnsServer, type Failure, type Records } from '../../../../test/support/dns-server.ts';
import { parseNameServer } from './dns-exchange.ts';
import { createRecordLookup } from './record-lookup.ts';

async function serve(t: TestContext, records: Records) {
  const server = await startDnsServer({ records });
  t.after(server.stop);
  return { server, lookUp: createRecordLookup({ servers: [server.address], timeout_ms: 20_000 }) };
}

test('records come with the time they may be kept', async (t) => {
  const { server, lookUp } = await serve(t, {});
  server.set('example.test', 'MX', ['10 mx1.example.test', '20 mx2.example.test'], { ttl: 77 });
  server.set('mx1.example.test', 'A', ['192.0.2.1'], { ttl: 5 });
  assert.deepEqual(await lookUp('Example.test', 'MX'), {
    kind: 'found',
    records: [
      { exchange: 'mx1.example.test', preference: 10 },
      { exchange: 'mx2.example.test', preference: 20 },
    ],
    ttl_seconds: 77,
    authentic: false,
  });
  const address = await lookUp('mx1.example.test', 'A');
  assert.deepEqual(address, { kind: 'found', records: ['192.0.2.1'], ttl_seconds: 5, authentic: false });
});

test('aliases are followed, and the shortest time on the way counts', async (t) => {
  const { server, lookUp } = await serve(t, {});
  server.set('alias.test', 'CNAME', ['second.test'], { ttl: 30 });
  server.set('second.test', 'CNAME', ['real.test'], { ttl: 900 });
  server.set('real.test', 'MX', ['5 mx.real.test'], { ttl: 600 });
  const found = await lookUp('alias.test', 'MX');
  assert.equal(found.kind === 'found' && found.ttl_seconds, 30);
  server.set('dangling.test', 'CNAME', ['gone.test']);
  const dangling = await lookUp('dangling.test', 'MX');
  assert.equal(dangling.kind === 'missing' && dangling.name_exists, false);
  server.set('circle.test', 'CNAME', ['circle.test']);
  assert.equal((await lookUp('circle.test', 'MX')).kind, 'error');
});

test('a name without the type is told from a name that does not exist', async (t) => {
  const { lookUp } = await serve(t, { 'example.test': { A: ['192.0.2.1'] } });
  const absent = { kind: 'missing', ttl_seconds: 60, authentic: false };
  assert.deepEqual(await lookUp('example.test', 'MX'), { ...absent, name_exists: true });
  assert.deepEqual(await lookUp('nothing.test', 'MX'), { ...absent, name_exists: false });
});

test('the resolver says whether DNSSEC holds, for TLSA too', async (t) => {
  const { server, lookUp } = await serve(t, { '_25._tcp.mx.test': { TLSA: ['3 1 1 abcd'] } });
  server.authenticate('_25._tcp.mx.test');
  server.authenticate('nothing.test');
  const tlsa = await lookUp('_25._tcp.mx.test', 'TLSA');
  assert.deepEqual(tlsa, {
    kind: 'found',
    records: [{ usage: 3, selector: 1, matching_type: 1, data: Buffer.from('abcd', 'hex') }],
    ttl_seconds: 300,
    authentic: true,
  });
  const missing = await lookUp('nothing.test', 'TLSA');
  assert.equal(missing.kind === 'missing' && missing.authentic, true);
});

test('an answer too large for a datagram comes over TCP', async (t) => {
  const many = Array.from({ length: 60 }, (_, index) => `${index} a-rather-long-name-${index}.example.test`);
  const { server, lookUp } = await serve(t, { 'example.test': { MX: many } });
  const found = await lookUp('example.test', 'MX');
  assert.equal(found.kind === 'found' && found.records.length, 60);
  assert.deepEqual(
    server.queriesFor('example.test').map(({ transport }) => transport),
    ['udp', 'tcp'],
  );
});

test('an error is a value with its reason', async (t) => {
  const { server, lookUp } = await serve(t, {});
  const cases: [Failure, string][] = [
    ['SERVFAIL', 'servfail'],
    ['REFUSED', 'refused'],
    ['FORMERR', 'malformed'],
  ];
  for (const [failure, reason] of cases) {
    server.fail('example.test', '*', failure);
    assert.deepEqual(await lookUp('example.test', 'MX'), { kind: 'error', reason });
  }
  for (const name of ['', 'a..b', `${'x'.repeat(64)}.test`, 'with space.test', `${'abc.'.repeat(70)}test`]) {
    assert.deepEqual(await lookUp(name, 'A'), { kind: 'error', reason: 'bad_name' });
  }
  server.fail('example.test', '*', 'TIMEOUT');
  const impatient = createRecordLookup({ servers: [server.address], timeout_ms: 300 });
  assert.deepEqual(await impatient('example.test', 'MX'), { kind: 'error', reason: 'timeout' });
  const nowhere = createRecordLookup({ servers: ['127.0.0.1:1'], timeout_ms: 300 });
  assert.deepEqual(await nowhere('example.test', 'MX'), { kind: 'error', reason: 'unreachable' });
});

test('a second server is asked when the first is silent or answers with an error', async (t) => {
  const { server } = await serve(t, { 'example.test': { A: ['192.0.2.1'] } });
  const { server: broken } = await serve(t, {});
  for (const failure of ['TIMEOUT', 'SERVFAIL'] as const) {
    broken.fail('*', '*', failure);
    const lookUp = createRecordLookup({ servers: [broken.address, server.address], timeout_ms: 6_000 });
    assert.equal((await lookUp('example.test', 'A')).kind, 'found');
  }
});

test('forged and mangled datagrams do not pass for answers', async (t) => {
  const socket = createSocket('udp4');
  t.after(() => socket.close());
  let mangle: (query: Buffer) => Buffer[] = () => [];
  socket.on('message', (query, { port, address }) => {
    for (const reply of mangle(query)) socket.send(reply, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const servers = [`127.0.0.1:${socket.address().port}`];
  const lookUp = createRecordLookup({ servers, timeout_ms: 300 });
  const reply = (query: Buffer, flags: number): Buffer => {
    const bytes = Buffer.from(query);
    bytes.writeUInt16BE(flags, 2);
    return bytes;
  };
  const otherId = (query: Buffer): Buffer => {
    const bytes = reply(query, 0x8183);
    bytes.writeUInt16BE((query.readUInt16BE(0) + 1) & 0xffff, 0);
    return bytes;
  };
  // One with another number is passed over; the true NXDOMAIN behind it counts.
  mangle = (query) => [Buffer.from('x'), otherId(query), reply(query, 0x8183)];
  assert.equal((await lookUp('example.test', 'MX')).kind, 'missing');
  mangle = (query) => [reply(query, 0x8183).subarray(0, 20)];
  assert.deepEqual(await lookUp('example.test', 'MX'), { kind: 'error', reason: 'malformed' });
  mangle = (query) => [reply(query, 0x0100)];
  assert.deepEqual(await lookUp('example.test', 'MX'), { kind: 'error', reason: 'malformed' });
  // Nothing, from a server that does not recurse, is a referral.
  mangle = (query) => [reply(query, 0x8100)];
  assert.deepEqual(await lookUp('example.test', 'MX'), { kind: 'error', reason: 'refused' });
});

test('addresses of name servers are read in every form, and others refused', () => {
  assert.deepEqual(parseNameServer('192.0.2.1'), { host: '192.0.2.1', port: 53 });
  assert.deepEqual(parseNameServer('192.0.2.1:5300'), { host: '192.0.2.1', port: 5300 });
  assert.deepEqual(parseNameServer('[::1]:5300'), { host: '::1', port: 5300 });
  assert.deepEqual(parseNameServer('2001:db8::1'), { host: '2001:db8::1', port: 53 });
  assert.throws(() => parseNameServer('nonsense'), TypeError);
});
