import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import type { CheckResult } from './check-result.ts';
import { domainName, publishDomain } from './published-domain.fixture.ts';

type Text = string | string[];

async function checkTexts(t: TestContext, texts: Text[]): Promise<CheckResult> {
  const { dns, check } = await publishDomain(t);
  dns.set(domainName, 'TXT', texts);
  return (await check()).spf;
}

async function assertVerified(t: TestContext, ...cases: Text[][]): Promise<void> {
  for (const texts of cases)
    assert.deepEqual(await checkTexts(t, texts), { status: 'verified', reason: null }, JSON.stringify(texts));
}

async function assertFailed(t: TestContext, reason: RegExp, ...cases: Text[][]): Promise<void> {
  for (const texts of cases) {
    const result = await checkTexts(t, texts);
    assert.equal(result.status, 'failed', JSON.stringify(texts));
    assert.match(result.reason ?? '', reason);
  }
}

test('the include verifies in any company, letter case and spacing', async (t) => {
  await assertVerified(
    t,
    ['v=spf1 include:spf.chasqui.test -all'],
    ['v=spf1 include:spf.chasqui.test'],
    ['v=spf1 +include:spf.chasqui.test ?all'],
    ['V=SPF1 INCLUDE:SPF.CHASQUI.TEST ~ALL'],
    ['v=spf1   ip4:192.0.2.0/24  include:spf.chasqui.test.  ~all '],
    ['v=spf1 include:_spf.example.org mx a:host.example include:spf.chasqui.test redirect=_spf.example.net'],
  );
});

test('other TXT records beside the SPF record do not matter', async (t) => {
  await assertVerified(
    t,
    ['google-site-verification=abc', 'v=spf1 include:spf.chasqui.test ~all', 'v=spf10 include:x -all'],
    ['v=spf2.0/pra include:x', 'v=spf1 include:spf.chasqui.test ~all', ' v=spf1 -all'],
  );
});

test('a record split in strings is read as one', async (t) => {
  await assertVerified(t, [['v=spf1 include:spf.cha', 'squi.test ~all']]);
  await assertVerified(t, [[`v=spf1 ${'ip4:192.0.2.1 '.repeat(17)}`, 'include:spf.chasqui.test ~all']]);
  await assertFailed(t, /no include:spf\.chasqui\.test/, [['v=spf1 include:spf.chasqui.test', '~all']]);
});

test('no SPF record fails', async (t) => {
  await assertFailed(
    t,
    /No SPF record found at example\.com/,
    ['v=spf10 include:spf.chasqui.test ~all'],
    ['v=spf1;include:spf.chasqui.test ~all'],
    ['include:spf.chasqui.test'],
    ['something else'],
  );
});

test('two SPF records fail even if both are right', async (t) => {
  const right = 'v=spf1 include:spf.chasqui.test ~all';
  await assertFailed(t, /2 SPF records/, [right, right], [right, 'v=spf1']);
});

test('a record without our include fails and is shown', async (t) => {
  await assertFailed(
    t,
    /SPF found "v=spf1 .*": it has no include:spf\.chasqui\.test/,
    ['v=spf1 include:spf.example.org ~all'],
    ['v=spf1 include:spf.chasqui.test.example.org ~all'],
    ['v=spf1 include:xspf.chasqui.test ~all'],
    ['v=spf1 redirect=spf.chasqui.test'],
    ['v=spf1 exists:spf.chasqui.test a:spf.chasqui.test ~all'],
  );
});

test('an include that does not pass, or stands behind "all", fails', async (t) => {
  await assertFailed(
    t,
    /no qualifier/,
    ['v=spf1 -include:spf.chasqui.test ~all'],
    ['v=spf1 ~include:spf.chasqui.test ~all'],
    ['v=spf1 ?include:spf.chasqui.test ~all'],
  );
  await assertFailed(
    t,
    /after "all"/,
    ['v=spf1 -all include:spf.chasqui.test'],
    ['v=spf1 a all include:spf.chasqui.test'],
    ['v=spf1 ~ALL include:spf.chasqui.test'],
  );
});

test('ten terms that query DNS are allowed and eleven are not', async (t) => {
  const others = 'a mx ptr exists:e.test include:i.test a/24 mx:m.test -a:b.test ~ptr:p.test';
  await assertVerified(
    t,
    [`v=spf1 ${others} ip4:192.0.2.1 ip6:2001:db8::1 exp=e.test include:spf.chasqui.test ~all`],
    [`v=spf1 ${others} include:spf.chasqui.test -all include:never.test include:read.test`],
  );
  await assertFailed(
    t,
    /11 terms .* 10 allowed/,
    [`v=spf1 ${others} a:one-more.test include:spf.chasqui.test ~all`],
    [`v=spf1 ${others} include:spf.chasqui.test redirect=r.test`],
  );
});
