import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failed, shown } from './check-result.ts';
import { domainName, publishDomain } from './published-domain.fixture.ts';

test('a reason is bounded, on one line and without control characters', () => {
  const { reason } = failed({
    code: 'unreadable',
    reason: `a\r\nb\u0000c\u001B[31m\u0085\u2028\u202Ed\uD800${'e'.repeat(500)}`,
  });
  assert.ok(reason !== null);
  assert.equal(reason.length, 300);
  assert.doesNotMatch(reason, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  assert.match(reason, /^a b c \[31m d/);
  assert.ok(reason.endsWith('…'));
});

test('a value is not cut inside a character', () => {
  const cut = shown(`${'x'.repeat(98)}${'😀'.repeat(10)}`);
  assert.ok(cut.isWellFormed());
  assert.equal(cut, `${'x'.repeat(98)}…`);
});

test('a reason quotes records of the domain without control characters and shortened', async (t) => {
  const { dns, check } = await publishDomain(t);
  dns.set(domainName, 'TXT', [`v=spf1 \u001B]0;title\u0007 <script> ${'ip4:192.0.2.1 '.repeat(60)}`]);
  const { reason } = (await check()).spf;
  assert.ok(reason !== null && reason.length <= 300);
  assert.doesNotMatch(reason, /\p{Cc}/u);
  assert.match(reason, /it has no include:spf\.chasqui\.test/);
});
