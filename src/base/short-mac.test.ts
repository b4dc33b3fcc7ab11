import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { ShortMac } from './short-mac.ts';

test('it is HMAC-SHA256, whatever the lengths of key and message', () => {
  for (const keyLength of [0, 1, 32, 63, 64]) {
    const key = Buffer.alloc(keyLength, 'k');
    const mac = new ShortMac(key, 2_000);
    for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 1_990]) {
      const message = Buffer.alloc(length, 'm');
      const expected = createHmac('sha256', key).update('a part').update(message).digest('hex');
      assert.equal(mac.hex(Buffer.from('a part'), message), expected);
      const bytes = mac.latin1(Buffer.from('a part'), message);
      assert.equal(Buffer.from(bytes, 'latin1').toString('hex'), expected);
    }
  }
});

// RFC 4231 §4.3.
test('it gives what the RFC gives', () => {
  const mac = new ShortMac(Buffer.from('Jefe'), 100);
  assert.equal(
    mac.hex(Buffer.from('what do ya want for nothing?')),
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  );
});

test('a key or a message that is too long is refused', () => {
  assert.throws(() => new ShortMac(Buffer.alloc(65), 10), RangeError);
  assert.throws(() => new ShortMac(Buffer.alloc(32), 10).hex(Buffer.alloc(11)), RangeError);
});
