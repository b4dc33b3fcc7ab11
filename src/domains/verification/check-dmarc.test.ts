import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import type { CheckResult } from './check-result.ts';
import { publishDomain } from './published-domain.fixture.ts';

type Text = string | string[];

async function checkTexts(t: TestContext, texts: Text[]): Promise<CheckResult> {
  const { dns, check } = await publishDomain(t);
  dns.set('_dmarc.example.com', 'TXT', texts);
  return (await check()).dmarc;
}

async function assertVerified(t: TestContext, ...records: Text[]): Promise<void> {
  for (const record of records)
    assert.deepEqual(await checkTexts(t, [record]), { status: 'verified', reason: null }, String(record));
}

async function assertFailed(t: TestContext, reason: RegExp, ...records: Text[]): Promise<void> {
  for (const record of records) {
    const result = await checkTexts(t, [record]);
    assert.equal(result.status, 'failed', String(record));
    assert.match(result.reason ?? '', reason);
    assert.match(result.reason ?? '', /_dmarc\.example\.com/);
  }
}

test('any policy with an address for reports verifies', async (t) => {
  await assertVerified(
    t,
    'v=DMARC1; p=none; rua=mailto:someone@example.org',
    'v=DMARC1;p=quarantine;rua=mailto:someone@example.org',
    'v=DMARC1; p=reject; rua=mailto:someone@example.org; pct=50; adkim=s',
  );
});

test('whitespace, order, letter case of tags and unknown tags do not matter', async (t) => {
  await assertVerified(
    t,
    'v = DMARC1 ;\tp = none ; rua = mailto:a@example.org ; ',
    'v=DMARC1; rua=mailto:a@example.org; p=none',
    'v=DMARC1; fo=1; x-new=thing; RUA=MAILTO:a@example.org; P=Reject;;',
    'v=DMARC1; broken; p=none; =; rua=mailto:a@example.org',
    ['v=DMARC1; p=no', 'ne; rua=mailto:a@example.org'],
  );
});

test('several report addresses, sizes and escapes are understood; one good address is enough', async (t) => {
  await assertVerified(
    t,
    'v=DMARC1; p=none; rua=mailto:a@example.org!10m',
    'v=DMARC1; p=none; rua=mailto:a@example.org!512,mailto:b@example.net!1G',
    'v=DMARC1; p=none; rua=https://example.org/report , mailto:b@example.net',
    'v=DMARC1; p=none; rua=mailto:nobody, mailto:b@example.net',
    'v=DMARC1; p=none; rua=mailto:a%21b@example.org',
    'v=DMARC1; p=none; rua=mailto:first.last+dmarc@xn--bcher-kva.example',
  );
});

test('no usable report address fails', async (t) => {
  await assertFailed(
    t,
    /no rua/,
    'v=DMARC1; p=none',
    'v=DMARC1; p=none; rua=',
    'v=DMARC1; p=none; ruf=mailto:a@b.test',
  );
  await assertFailed(
    t,
    /rua has no valid mailto/,
    'v=DMARC1; p=none; rua=a@example.org',
    'v=DMARC1; p=none; rua=https://example.org/report',
    'v=DMARC1; p=none; rua=mailto:',
    'v=DMARC1; p=none; rua=mailto:@example.org',
    'v=DMARC1; p=none; rua=mailto:a@',
    'v=DMARC1; p=none; rua=mailto:a@localhost',
    'v=DMARC1; p=none; rua=mailto:a b@example.org',
    'v=DMARC1; p=none; rua=mailto:a..b@example.org',
    'v=DMARC1; p=none; rua=mailto:a@-example.org',
    'v=DMARC1; p=none; rua=mailto:a@example.org!10x',
    'v=DMARC1; p=none; rua=mailto:a@example.org!',
    'v=DMARC1; p=none; rua=mailto:a%zz@example.org',
  );
});

test('with an address for reports, a policy that is missing or unknown counts as none', async (t) => {
  await assertVerified(
    t,
    'v=DMARC1; rua=mailto:a@example.org',
    'v=DMARC1; sp=reject; rua=mailto:a@example.org',
    'v=DMARC1; p=monitor; rua=mailto:a@example.org',
    'v=DMARC1; p=; rua=mailto:a@example.org',
  );
  await assertFailed(t, /no rua/, 'v=DMARC1', 'v=DMARC1; sp=none', 'v=DMARC1; p=monitor');
});

test('the tags of RFC 9989 and those that it removed are read', async (t) => {
  await assertVerified(
    t,
    'v=DMARC1; p=reject; sp=quarantine; np=reject; t=y; rua=mailto:a@example.org',
    'v=DMARC1; p=none; psd=n; rua=mailto:a@example.org',
    'v=DMARC1; p=none; psd=y; np=unknown; rua=mailto:a@example.org',
    'v=DMARC1; p=quarantine; pct=0; rf=afrf; ri=3600; rua=mailto:a@example.org',
    'v=DMARC1; p=none; fo=0:1:d:s; adkim=r; aspf=s; ruf=mailto:a@example.org; rua=mailto:a@example.org',
  );
});

test('a tag that occurs twice invalidates the record', async (t) => {
  await assertFailed(
    t,
    /occurs twice/,
    'v=DMARC1; p=none; p=reject; rua=mailto:a@b.test',
    'v=DMARC1; p=none; rua=mailto:a@b.test; np=none; np=none',
  );
});

test('a record that does not begin with the version is not a DMARC record', async (t) => {
  await assertFailed(
    t,
    /does not begin with v=DMARC1/,
    'v=dmarc1; p=none; rua=mailto:a@example.org',
    'v=DMARC10; p=none; rua=mailto:a@example.org',
    'v=DMARC1 p=none rua=mailto:a@example.org',
    'p=none; v=DMARC1; rua=mailto:a@example.org',
    ' v=DMARC1; p=none; rua=mailto:a@example.org',
  );
});

test('other TXT records do not matter, a second DMARC record does', async (t) => {
  const right = 'v=DMARC1; p=none; rua=mailto:a@example.org';
  assert.equal((await checkTexts(t, ['hello', right, 'v=spf1 -all'])).status, 'verified');
  const twice = await checkTexts(t, [right, 'v=DMARC1; p=reject']);
  assert.equal(twice.status, 'failed');
  assert.match(twice.reason ?? '', /2 DMARC records found at _dmarc\.example\.com/);
});

test('a hostile record takes no time to refuse', async (t) => {
  const spaces = ' '.repeat(20_000);
  const started = process.cpuUsage();
  await assertFailed(t, /no rua/, `v=DMARC1;${spaces}p${spaces}x;${spaces}`);
  await assertFailed(t, /rua/, `v=DMARC1;p=none;rua=${spaces}x${spaces}mailto:${'a.'.repeat(10_000)}`);
  assert.ok(process.cpuUsage(started).user < 2_000_000);
});
