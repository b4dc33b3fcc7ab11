import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createResolver } from '../../protocol/dns/client/resolver.ts';
import { checkDomain } from './check-domain.ts';
import { domainName, publishDomain } from './published-domain.fixture.ts';

const verifiedResult = { status: 'verified', reason: null };
const checks = ['mx', 'spf', 'dkim', 'dmarc'] as const;

test('a domain that publishes everything is verified in all four, and owned', async (t) => {
  const { check } = await publishDomain(t);
  assert.deepEqual(await check({ check_ownership: true }), {
    mx: verifiedResult,
    spf: verifiedResult,
    dkim: verifiedResult,
    dmarc: verifiedResult,
    ownership: { verified: true, reason: null },
  });
});

test('ownership already proven is not looked up again', async (t) => {
  const { dns, check } = await publishDomain(t);
  assert.equal((await check({ check_ownership: false })).ownership, null);
  assert.deepEqual(dns.queriesFor('tok3n.example.com'), []);
});

test('missing ownership has its reason and spoils nothing else', async (t) => {
  const { dns, check } = await publishDomain(t);
  dns.remove('tok3n.example.com');
  const missing = await check({ check_ownership: true });
  assert.equal(missing.ownership?.verified, false);
  assert.match(missing.ownership.reason ?? '', /tok3n\.example\.com.*verify\.chasqui\.test/);
  for (const name of checks) assert.deepEqual(missing[name], verifiedResult);
  dns.set('tok3n.example.com', 'CNAME', ['verify.elsewhere.test']);
  assert.match((await check({ check_ownership: true })).ownership?.reason ?? '', /verify\.elsewhere\.test/);
});

test('only the check whose record is missing fails, and names it', async (t) => {
  const cases = [
    ['mx', 'example.com', 'MX'],
    ['spf', 'example.com', 'TXT'],
    ['dkim', 's2._domainkey.example.com', 'CNAME'],
    ['dmarc', '_dmarc.example.com', 'TXT'],
  ] as const;
  for (const [failing, name, type] of cases) {
    const { dns, check } = await publishDomain(t);
    dns.remove(name, type);
    const result = await check();
    for (const other of checks)
      assert.equal(result[other].status, other === failing ? 'failed' : 'verified', `${failing}: ${other}`);
    assert.ok(result[failing].reason?.includes(name), String(result[failing].reason));
  }
});

test('every error of the name servers is a failed record with a reason, never an exception', async (t) => {
  const { dns, check } = await publishDomain(t);
  const cases = [
    ['SERVFAIL', /SERVFAIL/],
    ['REFUSED', /refused/],
    ['FORMERR', /unreadable/],
    ['NXDOMAIN', /No .* found/],
    ['TIMEOUT', /did not answer in time/],
  ] as const;
  for (const [failure, reason] of cases) {
    dns.fail('*', '*', failure);
    const result = await check({ timeout_ms: 1000, check_ownership: true });
    for (const name of checks) {
      assert.equal(result[name].status, 'failed');
      assert.match(result[name].reason ?? '', reason);
    }
    assert.equal(result.ownership?.verified, false);
    dns.recover();
  }
  assert.deepEqual((await check()).mx, verifiedResult);
});

test('one record that cannot be read leaves the others verified', async (t) => {
  const { dns, check } = await publishDomain(t);
  dns.fail('example.com', 'MX', 'SERVFAIL');
  const result = await check();
  assert.deepEqual(
    checks.map((name) => result[name].status),
    ['failed', 'verified', 'verified', 'verified'],
  );
  assert.equal(result.mx.reason, 'MX of example.com could not be read: the name servers answered SERVFAIL');
});

test('name servers that never answer give four failures within the deadline', async (t) => {
  const { dns, check } = await publishDomain(t);
  dns.fail('*', '*', 'TIMEOUT');
  const started = performance.now();
  const result = await check({ timeout_ms: 60_000, deadline_ms: 500, check_ownership: true });
  const took = performance.now() - started;
  assert.ok(took < 20_000, `${took} ms`);
  for (const name of checks) {
    assert.equal(result[name].status, 'failed');
    assert.match(result[name].reason ?? '', /did not answer in time/);
  }
});

test('the deadline covers a chain that is slow at each step, and what was answered counts', async (t) => {
  const { dns, check } = await publishDomain(t);
  dns.set('s1._domainkey.example.com', 'CNAME', ['slow.example.net']);
  dns.fail('slow.example.net', 'CNAME', 'TIMEOUT');
  const started = performance.now();
  const result = await check({ timeout_ms: 60_000, deadline_ms: 2_500 });
  assert.ok(performance.now() - started < 20_000);
  assert.deepEqual(
    checks.map((name) => result[name].status),
    ['verified', 'verified', 'failed', 'verified'],
  );
  assert.match(result.dkim.reason ?? '', /slow\.example\.net .*did not answer in time/);
});

test('all queries go out at once', async (t) => {
  const { dns, check } = await publishDomain(t);
  dns.fail('*', '*', 'TIMEOUT');
  await check({ timeout_ms: 60_000, deadline_ms: 1000, check_ownership: true });
  const asked = new Set(dns.queries.map(({ name, type }) => `${name} ${type}`));
  assert.deepEqual([...asked].sort(), [
    '_dmarc.example.com TXT',
    'example.com MX',
    'example.com TXT',
    's1._domainkey.example.com CNAME',
    's2._domainkey.example.com CNAME',
    'tok3n.example.com CNAME',
  ]);
});

test('a validation asks again each time and sees the change', async (t) => {
  const { dns, check } = await publishDomain(t);
  assert.equal((await check()).mx.status, 'verified');
  dns.set(domainName, 'MX', ['10 mx.elsewhere.test']);
  assert.equal((await check()).mx.status, 'failed');
  dns.set(domainName, 'MX', ['10 mx.chasqui.test']);
  assert.equal((await check()).mx.status, 'verified');
  assert.equal(dns.queriesFor(domainName, 'MX').length, 3);
});

test('a domain whose record names are too long fails with reasons', async (t) => {
  const { dns } = await publishDomain(t);
  const domain = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`;
  const result = await checkDomain(
    { domain, ownership_token: 'tok3n', platform_domain: 'chasqui.test', check_ownership: true },
    createResolver({ servers: [dns.address], timeout_ms: 1000 }),
    { deadline_ms: 5000 },
  );
  for (const name of checks) {
    assert.equal(result[name].status, 'failed');
    assert.ok((result[name].reason ?? '').length <= 300);
  }
});
