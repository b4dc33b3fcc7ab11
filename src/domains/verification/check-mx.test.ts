import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import type { CheckResult } from './check-result.ts';
import { domainName, publishDomain } from './published-domain.fixture.ts';

async function checkMxRecords(t: TestContext, values: string[]): Promise<CheckResult> {
  const { dns, check } = await publishDomain(t);
  dns.set(domainName, 'MX', values);
  return (await check()).mx;
}

test('the letter case, the final dot, the priority and repetitions of the right MX do not matter', async (t) => {
  for (const values of [
    ['10 MX.Chasqui.TEST'],
    ['10 mx.chasqui.test.'],
    ['0 mx.chasqui.test'],
    ['65535 mx.chasqui.test'],
    ['10 mx.chasqui.test', '20 mx.chasqui.test'],
  ])
    assert.deepEqual(await checkMxRecords(t, values), { status: 'verified', reason: null });
});

test('a single foreign MX fails and is named', async (t) => {
  assert.deepEqual(await checkMxRecords(t, ['5 mail.example.com']), {
    status: 'failed',
    reason: 'MX found mail.example.com (priority 5), which is not mx.chasqui.test',
    code: 'wrong_value',
    found: ['5 mail.example.com'],
    suggested: undefined,
  });
});

test('one foreign MX beside ours fails, whatever its priority', async (t) => {
  assert.deepEqual(await checkMxRecords(t, ['10 mx.chasqui.test', '50 mail.example.com']), {
    status: 'failed',
    reason: 'MX found mail.example.com (priority 50), which is not mx.chasqui.test',
    code: 'wrong_value',
    found: ['50 mail.example.com'],
    suggested: undefined,
  });
  const several = await checkMxRecords(t, ['30 c.test', '10 a.test', '20 b.test', '1 mx.chasqui.test']);
  assert.equal(several.reason, 'MX found a.test (priority 10) and 2 more, which is not mx.chasqui.test');
});

test('a name that only resembles ours fails', async (t) => {
  for (const value of ['10 chasqui.test', '10 mx.chasqui.test.example.com', '10 xmx.chasqui.test'])
    assert.equal((await checkMxRecords(t, [value])).status, 'failed', value);
});

test('a null MX fails and is called by its name', async (t) => {
  const result = await checkMxRecords(t, ['0 .']);
  assert.equal(result.status, 'failed');
  assert.match(result.reason ?? '', /null MX.*mx\.chasqui\.test/);
});

test('many foreign MX records still make a short reason', async (t) => {
  const values = Array.from(
    { length: 60 },
    (_, index) => `${index} mail-${index}.${'x'.repeat(60)}.example.com`,
  );
  const result = await checkMxRecords(t, values);
  assert.equal(result.status, 'failed');
  assert.ok((result.reason ?? '').length <= 300);
});
