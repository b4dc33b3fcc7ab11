import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replyOutcome } from './reply.ts';

const outcome = (...lines: string[]) => replyOutcome({ code: 550, lines }, 'rcpt');

test('the enhanced code is told from the text, on every line that repeats it', () => {
  assert.deepEqual(outcome('5.7.26 Unauthenticated email from a.test', '5.7.26 is not accepted.', '5.7.26'), {
    kind: 'reply',
    phase: 'rcpt',
    code: 550,
    enhanced_code: '5.7.26',
    text: 'Unauthenticated email from a.test is not accepted.',
  });
  assert.deepEqual(outcome('5.1.1').enhanced_code, '5.1.1');
  assert.deepEqual(outcome('5.1.1').text, '');
});

test('text that only resembles an enhanced code stays text', () => {
  for (const text of ['5.1.1.1 is our address', '5.1 no', 'see 5.1.1 there', '3.1.1 no', '5.1.1234 no', '']) {
    assert.deepEqual([outcome(text).enhanced_code, outcome(text).text], [undefined, text]);
  }
  assert.equal(outcome('5.1.1 no', '5.2.2 is another').text, 'no 5.2.2 is another');
});

test('control characters do not get through, other text does', () => {
  assert.equal(outcome('5.0.0 a\0b\u001b[31m ñandú\u0085').text, 'a\u{fffd}b\u{fffd}[31m ñandú\u{fffd}');
});
