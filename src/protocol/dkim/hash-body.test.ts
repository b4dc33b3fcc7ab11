import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { seededRandom } from '../mime/seeded-random.fixture.ts';
import { hashBody } from './hash-body.ts';

const sha256 = (text: string): string => createHash('sha256').update(text, 'latin1').digest('base64');

test('an empty body hashes as one line end, as RFC 6376 has it', () => {
  assert.equal(hashBody([]), 'frcCV1k9oG9oKj3dpUqdJg1PxRT2RSN/XKdLCPjaYaY=');
  assert.equal(hashBody(Buffer.alloc(0)), hashBody([]));
});

test('line ends at the end become one, and a missing one is added', () => {
  for (const end of ['', '\r\n', '\r\n\r\n', '\r\n'.repeat(1000)]) {
    assert.equal(hashBody(Buffer.from(`text${end}`)), sha256('text\r\n'), JSON.stringify(end.slice(0, 8)));
  }
  assert.equal(hashBody(Buffer.from('\r\n\r\n')), hashBody([]));
});

test('characters that only look like line ends stay', () => {
  for (const end of ['\n', '\r', '\n\n', '\r\r\n', '\n\r\n', ' \r\n', '\r\n\r']) {
    const kept = end.endsWith('\r\n') ? end : `${end}\r\n`;
    assert.equal(hashBody(Buffer.from(`text${end}`)), sha256(`text${kept}`), JSON.stringify(end));
  }
});

test('a body cut into pieces anywhere hashes as the whole', () => {
  const random = seededRandom(6376);
  for (let round = 0; round < 2000; round += 1) {
    const parts = Array.from({ length: 1 + random() * 12 }, () => {
      return ['\r\n', '\r\n\r\n', '\r', '\n', 'text', '.', 'é'][Math.floor(random() * 7)] ?? '';
    });
    const body = Buffer.from(parts.join(''), 'latin1');
    const pieces: Buffer[] = [];
    for (let at = 0; at < body.length;) {
      const end = at + Math.floor(random() * 4);
      pieces.push(body.subarray(at, end));
      at = end;
    }
    const content = body.toString('latin1').replace(/(?:\r\n)+$/, '');
    assert.equal(hashBody(pieces), sha256(`${content}\r\n`), JSON.stringify(parts));
  }
});
