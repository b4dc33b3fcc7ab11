import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quote } from './quote.ts';

test('a reply is shown as one line in quotes that it cannot close', () => {
  assert.equal(quote('550 no\r\n such "user"\u0000”'), `"550 no such 'user' '"`);
  assert.equal(quote('a\u202Eb\u2028c\u200Bd'), '"a b c d"');
  assert.equal(quote(''), '""');
});

test('a long reply is cut between characters', () => {
  const shown = quote('😀'.repeat(1_000));
  assert.equal(Array.from(shown).length, 303);
  assert.ok(shown.isWellFormed() && shown.endsWith('😀…"'));
});
