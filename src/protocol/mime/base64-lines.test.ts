import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { encodeBase64Lines, measureBase64Lines } from './base64-lines.ts';

test('any number of octets comes back from lines of 76 columns, as long as measured', () => {
  for (let size = 0; size < 400; size += 1) {
    const content = randomBytes(size);
    const encoded = encodeBase64Lines(content);
    const lines = encoded.toString('latin1').split('\r\n');
    assert.equal(measureBase64Lines(size), encoded.length);
    assert.ok(lines.slice(0, -1).every((line) => /^[A-Za-z0-9+/]{76}$/.test(line)));
    assert.ok(size === 0 || /^[A-Za-z0-9+/]{1,76}={0,2}$/.test(lines.at(-1) ?? ''));
    assert.deepEqual(Buffer.from(lines.join(''), 'base64'), content);
  }
});

test('an attachment of ten megabytes is encoded', () => {
  const content = Buffer.alloc(10 * 2 ** 20, 'chasqui');
  const encoded = encodeBase64Lines(content);
  assert.equal(encoded.length, measureBase64Lines(content.length));
  assert.ok(Buffer.from(encoded.toString('latin1'), 'base64').equals(content));
});
