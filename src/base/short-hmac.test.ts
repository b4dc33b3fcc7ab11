import assert from 'node:assert/strict';
import { createHmac, randomBytes, randomInt } from 'node:crypto';
import { test } from 'node:test';
import { ShortHmac } from './short-hmac.ts';

test('it is HMAC-SHA-256, whatever the lengths of key and input', () => {
  for (let round = 0; round < 200; round += 1) {
    const key = randomBytes(randomInt(1, 65));
    const [first, second] = [randomBytes(randomInt(0, 150)), randomBytes(randomInt(0, 150))];
    const short = new ShortHmac(key, 300);
    // Twice: what an earlier, longer input left behind does not count.
    short.digest(randomBytes(300));
    assert.equal(
      short.digest(first, second),
      createHmac('sha256', key).update(first).update(second).digest('binary'),
    );
    assert.equal(short.digest(first), createHmac('sha256', key).update(first).digest('binary'));
  }
});

test('an input or a key that is too long is an error, not another MAC', () => {
  assert.throws(() => new ShortHmac(randomBytes(65), 10), RangeError);
  const short = new ShortHmac(randomBytes(32), 10);
  assert.throws(() => short.digest(Buffer.alloc(6), Buffer.alloc(5)), RangeError);
});
