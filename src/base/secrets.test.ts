import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashToken, newToken, RootSecret, tokenMatches } from './secrets.ts';

const secret = new RootSecret('a root secret that only this test knows');

test('tokens are 32 random bytes in 43 URL-safe characters, and never the same twice', () => {
  const tokens = Array.from({ length: 1_000 }, newToken);
  assert.ok(tokens.every((token) => /^[A-Za-z0-9_-]{43}$/.test(token)));
  assert.equal(new Set(tokens).size, tokens.length);
});

test('a token matches its own hash and no other', () => {
  const token = newToken();
  assert.equal(hashToken(token).length, 32);
  assert.equal(tokenMatches(token, hashToken(token)), true);
  assert.equal(
    tokenMatches(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`, hashToken(token)),
    false,
  );
  assert.equal(tokenMatches('', hashToken(token)), false);
  assert.equal(tokenMatches(token, Buffer.alloc(32)), false);
});

test('keys are of 256 bits, the same on every node, different per use and per root', () => {
  assert.equal(secret.deriveKey('jwt').length, 32);
  assert.deepEqual(
    secret.deriveKey('jwt'),
    new RootSecret('a root secret that only this test knows').deriveKey('jwt'),
  );
  assert.notDeepEqual(secret.deriveKey('jwt'), secret.deriveKey('dkim'));
  assert.notDeepEqual(secret.deriveKey('jwt'), new RootSecret('another').deriveKey('jwt'));
});

test('the derivation does not change from one release to the next', () => {
  // What is encrypted in databases out there could not be read any more.
  assert.equal(secret.fingerprint(), 'EGW2mx6AFm366eofoMamw29axklt15F3Pi-NMxXy_R0');
});

test('a fingerprint tells roots apart and neither holds nor is any key in use', () => {
  assert.notEqual(secret.fingerprint(), new RootSecret('another').fingerprint());
  assert.doesNotMatch(secret.fingerprint(), /root secret/);
});

test('decrypt returns what was encrypted, also when it is empty or binary', () => {
  for (const plaintext of [
    Buffer.from('ñandú'),
    Buffer.alloc(0),
    Buffer.from([0, 255, 10]),
    Buffer.alloc(70_000, 7),
  ]) {
    const sealed = secret.encrypt('dkim', plaintext, 'domain 1');
    assert.deepEqual(secret.decrypt('dkim', sealed, 'domain 1'), plaintext);
    assert.equal(sealed.length, plaintext.length + 28);
  }
});

test('the same text is never encrypted to the same bytes', () => {
  const sealed = [1, 2].map(() => secret.encrypt('dkim', Buffer.from('x'), 'domain 1').toString('hex'));
  assert.notEqual(sealed[0], sealed[1]);
});

test('decrypt fails with another root, use or row, and after a change of one bit', () => {
  const sealed = secret.encrypt('dkim', Buffer.from('private key'), 'domain 1');
  assert.throws(() => new RootSecret('another').decrypt('dkim', sealed, 'domain 1'));
  assert.throws(() => secret.decrypt('webhook', sealed, 'domain 1'));
  assert.throws(() => secret.decrypt('dkim', sealed, 'domain 2'));
  for (const place of [0, 12, 28, sealed.length - 1]) {
    const changed = Buffer.from(sealed);
    changed.writeUInt8(changed.readUInt8(place) ^ 1, place);
    assert.throws(() => secret.decrypt('dkim', changed, 'domain 1'), `byte ${place}`);
  }
});

test('a shortened seal is refused, also one that keeps only part of the tag', () => {
  const sealed = secret.encrypt('dkim', Buffer.alloc(0), 'domain 1');
  for (let length = 0; length < sealed.length; length += 1) {
    assert.throws(() => secret.decrypt('dkim', sealed.subarray(0, length), 'domain 1'), `${length} bytes`);
  }
});
