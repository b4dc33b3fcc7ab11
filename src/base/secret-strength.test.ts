import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { weaknessOf } from './secret-strength.ts';

test('random secrets of every usual form are accepted', () => {
  for (let count = 0; count < 2_000; count += 1) {
    for (const secret of [
      randomBytes(32).toString('base64'),
      randomBytes(24).toString('base64url'),
      randomBytes(32).toString('hex'),
      randomBytes(16).toString('hex'),
      crypto.randomUUID(),
    ]) {
      assert.equal(weaknessOf(secret), undefined, secret);
    }
  }
  assert.equal(weaknessOf('a phrase of several words that nobody else has written down'), undefined);
});

test('short, known, repeated and monotonous secrets are refused with the reason', () => {
  assert.match(weaknessOf('a1b2c3d4') ?? '', /at least 32/);
  for (const secret of [
    'change-me-change-me-change-me-change-me',
    'please_replace_this_with_a_long_random_text',
    'your-secret-here-make-it-long-and-random',
    'super secret key of our own mail service',
    'postgresPassword1postgresPassword2postgres',
  ]) {
    assert.match(weaknessOf(secret) ?? '', /placeholder/, secret);
  }
  for (const secret of [
    'x'.repeat(64),
    'Kq7vLm2pXw9z'.repeat(4),
    'kvbxzkvbxzvkbxzvkbxzkvbxzkvbxzvk'.repeat(4),
  ]) {
    assert.match(weaknessOf(secret) ?? '', /too little variety/, secret);
  }
});
