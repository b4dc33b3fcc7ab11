import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../mime/seeded-random.fixture.ts';
import type { Phase } from './basic-codes.ts';
import { classify, type Failure, type ReplyOutcome, type Verdict } from './classify.ts';
import { providerReplies } from './provider-replies.fixture.ts';

const goOn = { last_attempt: false };
const phases: Phase[] = ['greeting', 'ehlo', 'starttls', 'mail', 'rcpt', 'data', 'body'];

/** A verdict in the words of the table. */
function say(verdict: Verdict): string {
  if (verdict.verdict === 'sent') return 'sent';
  const throttled = verdict.throttled ? ' throttled' : '';
  if (verdict.verdict === 'bounced') return `${verdict.type} ${verdict.reason}${throttled}`;
  const after = verdict.retry_after_seconds === undefined ? '' : ` after=${verdict.retry_after_seconds}`;
  return `retry-${verdict.if_expired} ${verdict.reason}${throttled}${after}`;
}

test('the table has replies of many providers', () => {
  assert.ok(providerReplies.length >= 80, `${providerReplies.length} replies`);
  assert.ok(new Set(providerReplies.map(({ provider }) => provider)).size >= 25);
});

for (const { provider, outcome, expected } of providerReplies) {
  const { code, enhanced, text, phase } = outcome;
  test(`${provider} at ${phase}: ${code} ${enhanced ?? '-'} ${text.slice(0, 60)} → ${expected}`, () => {
    assert.equal(say(classify(outcome, goOn)), expected);
  });
}

test('a connection that fails is tried again, and is a soft bounce once the time is over', () => {
  const failures: Failure[] = ['timeout', 'refused', 'unreachable', 'closed', 'tls', 'protocol', 'dns'];
  for (const failure of failures) {
    for (const phase of phases) {
      assert.equal(say(classify({ failure, phase }, goOn)), `retry-soft connection_${failure}`);
      const last = classify({ failure, phase }, { last_attempt: true });
      assert.equal(say(last), `soft connection_${failure}`);
    }
  }
});

test('the last attempt turns every deferral into the bounce that was announced', () => {
  for (const { outcome } of providerReplies) {
    const early = classify(outcome, goOn);
    const last = classify(outcome, { last_attempt: true });
    if (early.verdict !== 'deferred') assert.deepEqual(last, early);
    else assert.equal(last.verdict === 'bounced' && last.type, early.if_expired);
  }
});

test('a positive reply is a delivery only after the message', () => {
  const reply: ReplyOutcome = { code: 250, enhanced: '2.1.5', text: 'Ok', phase: 'rcpt' };
  assert.equal(say(classify(reply, goOn)), 'retry-soft connection_protocol');
  assert.equal(say(classify({ ...reply, code: 354, phase: 'body' }, goOn)), 'retry-soft connection_protocol');
  assert.equal(say(classify({ ...reply, code: 299, phase: 'body' }, goOn)), 'sent');
  assert.equal(say(classify({ ...reply, code: 999, phase: 'body' }, goOn)), 'retry-soft connection_protocol');
});

test('words in an address are not read as words of the server', () => {
  const texts = ['<spam@blacklist.example>: unknown user', 'no such user virus+dmarc-fail@spamhaus.example'];
  for (const text of texts) {
    const reply: ReplyOutcome = { code: 550, enhanced: null, text, phase: 'rcpt' };
    assert.equal(say(classify(reply, goOn)), 'hard no_such_user');
  }
});

test('no reply before RCPT restricts a recipient, and no 4xx bounces, whatever the words', () => {
  const random = seededRandom(7);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
  for (let round = 0; round < 5000; round += 1) {
    const code = 400 + Math.floor(random() * 200);
    const enhanced =
      random() < 0.3
        ? null
        : `${pick([2, 4, 5])}.${pick([0, 1, 2, 3, 4, 5, 6, 7, 9])}.${pick([0, 1, 2, 6, 10])}`;
    const outcome = { code, enhanced, text: pick(providerReplies).outcome.text, phase: pick(phases) };
    const verdict = classify(outcome, goOn);
    const detail = JSON.stringify({ outcome, verdict });
    assert.notEqual(verdict.verdict, 'sent', detail);
    if (code < 500) assert.equal(verdict.verdict, 'deferred', detail);
    if (verdict.verdict === 'bounced' && ['greeting', 'ehlo', 'starttls', 'mail'].includes(outcome.phase)) {
      assert.notEqual(verdict.type, 'hard', detail);
    }
    if (verdict.verdict === 'deferred' && code === 421) assert.ok(verdict.throttled, detail);
  }
});

test('a reply made to be slow to read is read at once', () => {
  const texts = [
    'user '.repeat(50_000),
    'spf'.repeat(100_000),
    'a'.repeat(300_000),
    '<'.repeat(300_000),
    'mailbox : '.repeat(30_000),
  ];
  const started = process.cpuUsage();
  for (const text of texts) classify({ code: 550, enhanced: null, text, phase: 'body' }, goOn);
  assert.ok(process.cpuUsage(started).user < 500_000);
});
