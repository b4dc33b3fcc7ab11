import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { promises as dns } from 'node:dns';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { createAuthoritativeServer } from '../../protocol/dns/authoritative-server.ts';
import { recordSetsAt } from '../../protocol/dns/zone.ts';
import { dnsRecordsFor } from '../verification/dns-records.ts';
import { createPlatformZone } from './platform-zone.ts';
import type { PlatformZoneOptions } from './platform-zone.ts';

const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicKeyText = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

const zoneOptions: PlatformZoneOptions = {
  platform_domain: 'Chasqui.Test.',
  mx_addresses: ['192.0.2.10', '2001:db8::10'],
  verify_addresses: ['192.0.2.20'],
  spf_terms: 'ip4:192.0.2.0/24 ip6:2001:db8::/32 -all',
  name_servers: ['192.0.2.53', '2001:db8::53'],
  hostmaster: 'host.master@chasqui.test',
  ttl: 3600,
  findDkimPublicKey: async (selector, token) =>
    await Promise.resolve(token === 'tok3n' || selector + token === 's2half' ? publicKeyText : undefined),
};

async function resolverOf(t: TestContext, options = zoneOptions): Promise<dns.Resolver> {
  const server = createAuthoritativeServer({ zone: createPlatformZone(options) });
  t.after(async () => await server.stop());
  const { port } = await server.start({ host: '127.0.0.1', port: 0 });
  const resolver = new dns.Resolver({ timeout: 1000, tries: 1 });
  resolver.setServers([`127.0.0.1:${port}`]);
  return resolver;
}

async function txt(resolver: dns.Resolver, name: string): Promise<string[]> {
  return (await resolver.resolveTxt(name)).map((strings) => strings.join(''));
}

test('every name that customers are told to use answers', async (t) => {
  const resolver = await resolverOf(t);
  const records = dnsRecordsFor({
    domain: 'example.com',
    ownership_token: 'tok3n',
    platform_domain: 'chasqui.test',
  });
  assert.deepEqual(await resolver.resolve4(records.mx.value), ['192.0.2.10']);
  assert.deepEqual(await resolver.resolve6(records.mx.value), ['2001:db8::10']);
  assert.deepEqual(await resolver.resolve4(records.ownership_cname.value), ['192.0.2.20']);
  const include = /include:(\S+)/.exec(records.spf.value)?.[1] ?? '';
  assert.deepEqual(await txt(resolver, include), ['v=spf1 ip4:192.0.2.0/24 ip6:2001:db8::/32 -all']);
  for (const { value } of records.dkim) {
    const [record] = await txt(resolver, value);
    assert.equal(record, `v=DKIM1; k=rsa; p=${publicKeyText}`);
  }
});

test('a published key is one that a verifier can read', async (t) => {
  const [record] = await txt(await resolverOf(t), 'S1.Tok3n.dkim.chasqui.test');
  const der = Buffer.from(record?.split('p=')[1] ?? '', 'base64');
  assert.equal(createPublicKey({ key: der, format: 'der', type: 'spki' }).asymmetricKeyType, 'rsa');
});

test('the apex has SOA, NS, addresses and the MX of the report mailbox', async (t) => {
  const resolver = await resolverOf(t);
  const soa = await resolver.resolveSoa('chasqui.test');
  assert.deepEqual(
    [soa.nsname, soa.hostmaster, soa.minttl],
    ['ns1.chasqui.test', 'host\\.master.chasqui.test', 300],
  );
  assert.deepEqual(await resolver.resolveNs('chasqui.test'), ['ns1.chasqui.test', 'ns2.chasqui.test']);
  assert.deepEqual(await resolver.resolve4('chasqui.test'), ['192.0.2.20']);
  const [mx] = await resolver.resolveMx('chasqui.test');
  assert.deepEqual([mx?.exchange, mx?.priority], ['mx.chasqui.test', 10]);
});

test('name servers given as addresses are named, and names are kept', async (t) => {
  const resolver = await resolverOf(t);
  assert.deepEqual(await resolver.resolve4('ns1.chasqui.test'), ['192.0.2.53']);
  assert.deepEqual(await resolver.resolve6('ns2.chasqui.test'), ['2001:db8::53']);
  const named = await resolverOf(t, {
    ...zoneOptions,
    name_servers: ['ns.example.net', 'A.dns.chasqui.test', 'mx.chasqui.test'],
  });
  assert.deepEqual(await named.resolveNs('chasqui.test'), [
    'ns.example.net',
    'a.dns.chasqui.test',
    'mx.chasqui.test',
  ]);
  assert.deepEqual(await named.resolve4('a.dns.chasqui.test'), ['192.0.2.10']);
  assert.deepEqual(await named.resolve4('mx.chasqui.test'), ['192.0.2.10']);
  await assert.rejects(named.resolve4('dns.chasqui.test'), { code: 'ENODATA' });
});

test('the keys of the platform itself stand below its own name', async (t) => {
  const resolver = await resolverOf(t, {
    ...zoneOptions,
    findDkimPublicKey: async (_, token) => await Promise.resolve(token ?? 'OWN'),
  });
  assert.deepEqual(await txt(resolver, 's1._domainkey.chasqui.test'), ['v=DKIM1; k=rsa; p=OWN']);
  await assert.rejects(resolver.resolveTxt('_domainkey.chasqui.test'), { code: 'ENODATA' });
  await assert.rejects(resolver.resolveTxt('s3._domainkey.chasqui.test'), { code: 'ENOTFOUND' });
  await assert.rejects((await resolverOf(t)).resolveTxt('s1._domainkey.chasqui.test'), { code: 'ENOTFOUND' });
});

test('any domain may have its DMARC reports sent here', async (t) => {
  const resolver = await resolverOf(t);
  assert.deepEqual(await txt(resolver, '_dmarc.chasqui.test'), [
    'v=DMARC1; p=none; rua=mailto:dmarc@chasqui.test',
  ]);
  for (const domain of ['example.com', 'a.very.deep.example.org', 'com'])
    assert.deepEqual(await txt(resolver, `${domain}._report._dmarc.chasqui.test`), ['v=DMARC1']);
  await assert.rejects(resolver.resolveTxt('_report._dmarc.chasqui.test'), { code: 'ENODATA' });
});

test('names that lead to others exist without records, others do not exist', async () => {
  const zone = createPlatformZone(zoneOptions);
  for (const name of [
    'dkim.chasqui.test',
    'tok3n.dkim.chasqui.test',
    'half.dkim.chasqui.test',
    '_report._dmarc.chasqui.test',
  ])
    assert.deepEqual(await zone.lookup(name), [], name);
  for (const name of [
    'unknown.chasqui.test',
    'unknown.dkim.chasqui.test',
    's1.unknown.dkim.chasqui.test',
    's1.half.dkim.chasqui.test',
    's3.tok3n.dkim.chasqui.test',
    'x.s1.tok3n.dkim.chasqui.test',
    String.raw`s1\.tok3n.dkim.chasqui.test`,
    'x.mx.chasqui.test',
    'xdkim.chasqui.test',
    'constructor',
  ])
    assert.equal(await zone.lookup(name), undefined, name);
  assert.equal((await zone.lookup('s2.half.dkim.chasqui.test'))?.length, 1);
  assert.equal((await recordSetsAt(zone, 'chasqui.test'))?.length, 5);
});

test('a key that cannot be looked up is SERVFAIL and not "no such name"', async (t) => {
  const resolver = await resolverOf(t, {
    ...zoneOptions,
    findDkimPublicKey: async () => await Promise.reject(new Error('the database is gone')),
  });
  await assert.rejects(resolver.resolveTxt('s1.tok3n.dkim.chasqui.test'), { code: 'ESERVFAIL' });
  assert.deepEqual(await resolver.resolve4('mx.chasqui.test'), ['192.0.2.10']);
});

test('a zone that cannot work is refused when it is made', () => {
  for (const wrong of [
    { mx_addresses: ['192.0.2.300'] },
    { verify_addresses: ['example.com'] },
    { name_servers: [] },
    { name_servers: ['not a name'] },
    { platform_domain: 'bad..name' },
    { hostmaster: 'someone@' },
  ])
    assert.throws(() => createPlatformZone({ ...zoneOptions, ...wrong }), Error, JSON.stringify(wrong));
});
