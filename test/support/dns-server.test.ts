import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import {
  AUTHENTIC_DATA,
  decode,
  DNSSEC_OK,
  encode,
  RECURSION_DESIRED,
  type DecodedPacket,
  type OptAnswer,
} from 'dns-packet';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test, type TestContext } from 'node:test';
import { startDnsServer, type DnsServer, type Records } from './dns-server.ts';

async function serverFor(context: TestContext, records: Records = {}) {
  const dns = await startDnsServer({ records });
  context.after(dns.stop);
  const resolver = new Resolver({ timeout: 200, tries: 1 });
  resolver.setServers([dns.address]);
  return { dns, resolver };
}

interface AskOptions {
  flags?: number;
  edns?: Partial<OptAnswer>;
}

/** One question by UDP, to see what a stub resolver hides: flags, the case of the question. */
async function ask(dns: DnsServer, name: string, options: AskOptions = {}): Promise<DecodedPacket> {
  const { flags = RECURSION_DESIRED, edns } = options;
  const opt = { type: 'OPT', name: '.', extendedRcode: 0, ednsVersion: 0, flags: 0 } as const;
  const additionals = edns ? [{ ...opt, udpPayloadSize: 512, flag_do: false, options: [], ...edns }] : [];
  const query = encode({ type: 'query', id: 7, flags, questions: [{ type: 'A', name }], additionals });
  const socket = createSocket('udp4');
  socket.send(query, dns.port, dns.host);
  const [packet] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  return decode(packet);
}

test('MX and address records are answered, and each query is recorded', async (t) => {
  const { dns, resolver } = await serverFor(t, {
    'example.test': { MX: ['10 mx1.example.test', { preference: 20, exchange: 'mx2.example.test' }] },
    'mx1.example.test': { A: ['127.0.0.2'], AAAA: ['::1'] },
  });
  const records = await resolver.resolveMx('example.test');
  assert.deepEqual(records.map(({ priority, exchange }) => `${priority} ${exchange}`).sort(), [
    '10 mx1.example.test',
    '20 mx2.example.test',
  ]);
  assert.deepEqual(await resolver.resolve4('mx1.example.test'), ['127.0.0.2']);
  assert.deepEqual(await resolver.resolve6('mx1.example.test'), ['::1']);
  assert.deepEqual(
    dns.queries.map(({ name, type, transport }) => `${name} ${type} ${transport}`),
    ['example.test MX udp', 'mx1.example.test A udp', 'mx1.example.test AAAA udp'],
  );
  assert.equal(dns.queriesFor('MX1.example.test', 'A').length, 1);
  assert.equal(dns.queriesFor('untouched.test').length, 0);
});

test('the null MX is the root name', async (t) => {
  const { resolver } = await serverFor(t, { 'nomail.test': { MX: ['0 .'] } });
  const [record] = await resolver.resolveMx('nomail.test');
  assert.equal(record?.priority, 0);
  assert.equal(record?.exchange, '');
});

test('a TXT over 255 bytes comes in several strings, and given strings keep their cuts', async (t) => {
  const long = `v=DKIM1; p=${'A'.repeat(400)}`;
  const { resolver } = await serverFor(t, { 'k.test': { TXT: [long, ['v=spf1 ', '-all'], ''] } });
  const records = await resolver.resolveTxt('k.test');
  assert.deepEqual(records.map((strings) => strings.join('')).sort(), ['', long, 'v=spf1 -all']);
  assert.ok(records.some((strings) => strings.length === 2 && strings[0]?.length === 255));
  assert.ok(records.some((strings) => strings[0] === 'v=spf1 ' && strings[1] === '-all'));
});

test('an alias is followed to its end, while a CNAME query gives only that alias', async (t) => {
  const { dns, resolver } = await serverFor(t, {
    's1._domainkey.example.test': { CNAME: ['s1.token.dkim.p.test'] },
    's1.token.dkim.p.test': { CNAME: ['key.p.test'] },
    'key.p.test': { TXT: ['v=DKIM1; p=AA'], A: ['127.0.0.9'] },
  });
  assert.deepEqual(await resolver.resolveTxt('s1._domainkey.example.test'), [['v=DKIM1; p=AA']]);
  assert.deepEqual(await resolver.resolveCname('s1._domainkey.example.test'), ['s1.token.dkim.p.test']);
  const { answers = [] } = await ask(dns, 's1._domainkey.example.test');
  assert.deepEqual(
    answers.map(({ type, name }) => `${name} ${type}`),
    ['s1._domainkey.example.test CNAME', 's1.token.dkim.p.test CNAME', 'key.p.test A'],
  );
});

test('an alias that leads nowhere, in circles, or to a failure is answered as a resolver would', async (t) => {
  const { dns, resolver } = await serverFor(t, {
    'dangling.test': { CNAME: ['gone.test'] },
    'a.test': { CNAME: ['b.test'] },
    'b.test': { CNAME: ['a.test'] },
    'c.test': { CNAME: ['down.test'] },
  });
  dns.fail('down.test', '*', 'REFUSED');
  await assert.rejects(resolver.resolve4('dangling.test'), { code: 'ENOTFOUND' });
  await assert.rejects(resolver.resolve4('a.test'), { code: 'ESERVFAIL' });
  await assert.rejects(resolver.resolve4('c.test'), { code: 'EREFUSED' });
});

test('a missing name is NXDOMAIN; a name without the type, or with names below it, is NODATA', async (t) => {
  const { resolver } = await serverFor(t, { 'deep.down.test': { A: ['127.0.0.1'] } });
  await assert.rejects(resolver.resolve4('missing.test'), { code: 'ENOTFOUND' });
  await assert.rejects(resolver.resolve4('own.test'), { code: 'ENOTFOUND' });
  await assert.rejects(resolver.resolveMx('deep.down.test'), { code: 'ENODATA' });
  await assert.rejects(resolver.resolve4('down.test'), { code: 'ENODATA' });
});

test('records can be set and removed while it runs', async (t) => {
  const { dns, resolver } = await serverFor(t);
  dns.set('new.test', 'A', ['127.0.0.3'], { ttl: 5 });
  assert.deepEqual(await resolver.resolve4('new.test', { ttl: true }), [{ address: '127.0.0.3', ttl: 5 }]);
  dns.set('new.test', 'A', ['127.0.0.4']);
  dns.set('new.test', 'TXT', ['x']);
  assert.deepEqual(await resolver.resolve4('new.test'), ['127.0.0.4']);
  dns.remove('new.test', 'A');
  await assert.rejects(resolver.resolve4('new.test'), { code: 'ENODATA' });
  dns.remove('new.test');
  await assert.rejects(resolver.resolve4('new.test'), { code: 'ENOTFOUND' });
});

test('each failure reaches the client as itself, the most exact one counts, and it can recover', async (t) => {
  const { dns, resolver } = await serverFor(t, { 'x.test': { A: ['127.0.0.1'], TXT: ['x'] } });
  const failures = [
    ['SERVFAIL', 'ESERVFAIL'],
    ['REFUSED', 'EREFUSED'],
    ['NXDOMAIN', 'ENOTFOUND'],
    ['FORMERR', 'EFORMERR'],
    ['TIMEOUT', 'ETIMEOUT'],
  ] as const;
  for (const [failure, code] of failures) {
    dns.fail('x.test', 'A', failure);
    await assert.rejects(resolver.resolve4('X.test'), { code }, failure);
  }
  assert.deepEqual(await resolver.resolveTxt('x.test'), [['x']]);
  dns.fail('*', '*', 'REFUSED');
  await assert.rejects(resolver.resolve4('x.test'), { code: 'ETIMEOUT' });
  await assert.rejects(resolver.resolveTxt('x.test'), { code: 'EREFUSED' });
  dns.recover('x.test');
  await assert.rejects(resolver.resolve4('x.test'), { code: 'EREFUSED' });
  dns.recover();
  assert.deepEqual(await resolver.resolve4('x.test'), ['127.0.0.1']);
});

test('an answer too large for UDP is truncated and fetched again over TCP', async (t) => {
  const texts = Array.from({ length: 20 }, (_, index) => `${index} ${'t'.repeat(200)}`);
  const { dns, resolver } = await serverFor(t, { 'large.test': { TXT: texts } });
  assert.equal((await resolver.resolveTxt('large.test')).length, 20);
  assert.deepEqual(
    dns.queries.map(({ transport }) => transport),
    ['udp', 'tcp'],
  );
});

test('an answer is bounded to 512 bytes, or with EDNS to the size that the client names', async (t) => {
  const addresses = Array.from({ length: 30 }, (_, index) => `127.0.1.${index}`);
  const { dns } = await serverFor(t, { 'many.test': { A: addresses } });
  const plain = await ask(dns, 'many.test');
  assert.equal(plain.flag_tc, true);
  assert.equal(plain.answers?.length, 0);
  const roomy = await ask(dns, 'many.test', { edns: { udpPayloadSize: 1232 } });
  assert.equal(roomy.flag_tc, false);
  assert.equal(roomy.answers?.length, 30);
  assert.equal(roomy.additionals?.[0]?.type, 'OPT');
  assert.equal((await ask(dns, 'many.test', { edns: { udpPayloadSize: 600 } })).flag_tc, true);
  assert.deepEqual(
    dns.queries.map(({ edns }) => edns),
    [undefined, 1232, 600],
  );
});

test('TRUNCATE sends a small answer over TCP too', async (t) => {
  const { dns, resolver } = await serverFor(t, { 'x.test': { A: ['127.0.0.1'] } });
  dns.fail('x.test', 'A', 'TRUNCATE');
  assert.deepEqual(await resolver.resolve4('x.test'), ['127.0.0.1']);
  assert.deepEqual(
    dns.queries.map(({ transport }) => transport),
    ['udp', 'tcp'],
  );
});

test('several questions may share a TCP connection, cut anywhere', async (t) => {
  const { dns } = await serverFor(t, { 'x.test': { A: ['127.0.0.1'] } });
  const query = encode({ type: 'query', id: 1, questions: [{ type: 'A', name: 'x.test' }] });
  const framed = Buffer.concat([Buffer.from([0, query.length]), query]);
  const socket = connect(dns.port, dns.host);
  socket.write(Buffer.concat([framed, framed.subarray(0, 5)]));
  const [first] = (await once(socket, 'data')) as [Buffer];
  socket.write(framed.subarray(5));
  const [second] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  assert.deepEqual(first, second);
  assert.equal(first.readUInt16BE(0), first.length - 2);
  assert.equal(decode(first.subarray(2)).answers?.length, 1);
});

test('names match in any case and the question comes back as it was asked', async (t) => {
  const { dns } = await serverFor(t, { 'Example.TEST.': { A: ['127.0.0.1'] } });
  const reply = await ask(dns, 'eXaMpLe.tEsT');
  assert.equal(reply.questions?.[0]?.name, 'eXaMpLe.tEsT');
  assert.equal(reply.answers?.length, 1);
});

test('TLSA records are served, with the AD bit only for authentic names and who asks for it', async (t) => {
  const digest = 'ab'.repeat(32);
  const { dns, resolver } = await serverFor(t, {
    '_25._tcp.mx.test': { TLSA: [`3 1 1 ${digest}`] },
    'alias.test': { CNAME: ['signed.test'] },
    'signed.test': { A: ['127.0.0.1'] },
  });
  const [record] = await resolver.resolveTlsa('_25._tcp.mx.test');
  assert.deepEqual([record?.certUsage, record?.selector, record?.match], [3, 1, 1]);
  assert.equal(Buffer.from(record?.data ?? new ArrayBuffer()).toString('hex'), digest);

  const wanted = { flags: RECURSION_DESIRED | AUTHENTIC_DATA };
  assert.equal((await ask(dns, 'signed.test', wanted)).flag_ad, false);
  dns.authenticate('signed.test');
  assert.equal((await ask(dns, 'signed.test', wanted)).flag_ad, true);
  assert.equal((await ask(dns, 'signed.test')).flag_ad, false);
  assert.equal((await ask(dns, 'alias.test', wanted)).flag_ad, false);
  dns.authenticate('alias.test');
  assert.equal((await ask(dns, 'alias.test', { edns: { flags: DNSSEC_OK } })).flag_ad, true);
  assert.equal((await ask(dns, 'alias.test', wanted)).flag_ad, true);
  dns.authenticate('signed.test', false);
  assert.equal((await ask(dns, 'alias.test', wanted)).flag_ad, false);
});

test('a packet that makes no sense is answered with a format error and asks nothing', async (t) => {
  const { dns } = await serverFor(t);
  const socket = createSocket('udp4');
  socket.send(Buffer.from('beef01000001000000000000ff', 'hex'), dns.port, dns.host);
  const [packet] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  assert.equal(packet.readUInt16BE(0), 0xbeef);
  assert.equal(packet.readUInt16BE(2) & 0xf, 1);
  assert.equal(dns.queries.length, 0);
});

test('a server stopped in the middle of a test answers nothing and may be stopped again', async (t) => {
  const { dns, resolver } = await serverFor(t, { 'x.test': { A: ['127.0.0.1'] } });
  await dns.stop();
  await assert.rejects(resolver.resolve4('x.test'), { code: 'ECONNREFUSED' });
  assert.equal(dns.queries.length, 0);
});
