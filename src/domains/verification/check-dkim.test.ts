import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DnsServer } from '../../../test/support/dns-server.ts';
import { publishDomain } from './published-domain.fixture.ts';

const hostName = 's1._domainkey.example.com';
const otherHost = 's2._domainkey.example.com';
const targetName = 's1.tok3n.dkim.chasqui.test';

/** A chain of so many CNAME records from the selector to the end. */
function chain(dns: DnsServer, hops: number, end = targetName): void {
  const names = [hostName, ...Array.from({ length: hops - 1 }, (_, index) => `hop${index}.example.net`), end];
  for (const [index, name] of names.slice(0, -1).entries()) dns.set(name, 'CNAME', [names[index + 1] ?? end]);
}

test('letter case and a final dot do not matter', async (t) => {
  const { dns, check } = await publishDomain(t);
  dns.set(hostName, 'CNAME', ['S1.TOK3N.dkim.Chasqui.Test.']);
  assert.deepEqual((await check()).dkim, { status: 'verified', reason: null });
});

test('both keys must answer: a zone that is not delegated verifies no domain', async (t) => {
  for (const selector of ['s1', 's2']) {
    const { dns, check } = await publishDomain(t, 'mail.acme.cl');
    assert.equal((await check()).dkim.status, 'verified');
    const target = `${selector}.tok3n.dkim.mail.acme.cl`;
    dns.remove(target);
    const { dkim, mx } = await check();
    assert.equal(dkim.status, 'failed');
    assert.equal(mx.status, 'verified');
    assert.equal(
      dkim.reason,
      `The CNAME is right, but ${target} has no key: the platform's zone is not delegated, which its operator has to do`,
    );
  }
});

test('a record that is not a DKIM key and one that cannot be read have different reasons', async (t) => {
  const { dns, check } = await publishDomain(t, 'mail.acme.cl');
  const target = 's2.tok3n.dkim.mail.acme.cl';
  dns.set(target, 'TXT', ['parked']);
  assert.match((await check()).dkim.reason ?? '', /s2\.tok3n.* says "parked", which is not a DKIM key/);
  dns.fail(target, 'TXT', 'SERVFAIL');
  const { dkim } = await check();
  assert.equal(dkim.status, 'failed');
  assert.match(dkim.reason ?? '', /The key at s2\.tok3n\.dkim\.mail\.acme\.cl could not be read: .*SERVFAIL/);
});

test('no key is asked for below a reserved platform domain, which cannot be delegated', async (t) => {
  const { dns, check } = await publishDomain(t);
  dns.remove(targetName);
  assert.equal((await check()).dkim.status, 'verified');
  assert.deepEqual(dns.queriesFor(targetName, 'TXT'), []);
});

test('either selector missing fails and is named', async (t) => {
  for (const host of [hostName, otherHost]) {
    const { dns, check } = await publishDomain(t);
    dns.remove(host);
    const { dkim } = await check();
    assert.equal(dkim.status, 'failed');
    assert.match(dkim.reason ?? '', new RegExp(`No CNAME record found at ${host}`));
  }
});

test('both selectors missing are both named', async (t) => {
  const { dns, check } = await publishDomain(t);
  dns.remove(hostName);
  dns.remove(otherHost);
  const { reason } = (await check()).dkim;
  assert.ok(reason?.includes(hostName) && reason.includes(otherHost), String(reason));
});

test('a copy of the key as TXT fails and the reason says that a CNAME is needed', async (t) => {
  const { dns, check } = await publishDomain(t);
  dns.remove(hostName, 'CNAME');
  dns.set(hostName, 'TXT', ['v=DKIM1; k=rsa; p=AAAA']);
  const { dkim } = await check();
  assert.equal(dkim.status, 'failed');
  assert.match(
    dkim.reason ?? '',
    /s1\._domainkey\.example\.com has a TXT record.*must be a CNAME to s1\.tok3n/,
  );
});

test('another target fails, that of the other selector or of another token included', async (t) => {
  for (const target of ['s2.tok3n.dkim.chasqui.test', 's1.other.dkim.chasqui.test', 'dkim.example.org']) {
    const { dns, check } = await publishDomain(t);
    dns.set(hostName, 'CNAME', [target]);
    const { dkim } = await check();
    assert.equal(dkim.status, 'failed');
    assert.equal(dkim.reason, `CNAME ${hostName} leads to ${target}, which is not ${targetName}`);
  }
});

test('a chain of aliases is followed for eight hops and no further', async (t) => {
  const { dns, check } = await publishDomain(t);
  for (const hops of [2, 8]) {
    chain(dns, hops);
    assert.equal((await check()).dkim.status, 'verified', `${hops} hops`);
  }
  chain(dns, 9);
  const { dkim } = await check();
  assert.equal(dkim.status, 'failed');
  assert.match(dkim.reason ?? '', /within 8 steps/);
});

test('a chain that ends elsewhere or in nothing fails with its last name', async (t) => {
  const { dns, check } = await publishDomain(t);
  chain(dns, 3, 'end.example.net');
  assert.match((await check()).dkim.reason ?? '', /leads to end\.example\.net/);
});

test('circles are found', async (t) => {
  const { dns, check } = await publishDomain(t);
  for (const [first, second] of [
    [hostName, hostName],
    ['a.example.net', hostName],
    ['a.example.net', 'A.example.net'],
  ] as const) {
    dns.set(hostName, 'CNAME', [first]);
    dns.set('a.example.net', 'CNAME', [second]);
    const { dkim } = await check();
    assert.equal(dkim.status, 'failed');
    assert.match(dkim.reason ?? '', /circle/);
  }
});

test('an error at a later hop fails and names the hop', async (t) => {
  const { dns, check } = await publishDomain(t);
  chain(dns, 3);
  dns.fail('hop0.example.net', '*', 'SERVFAIL');
  assert.match((await check()).dkim.reason ?? '', /hop0\.example\.net .*SERVFAIL/);
});
