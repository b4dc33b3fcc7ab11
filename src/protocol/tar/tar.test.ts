import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { blockBytes, maxMemberBytes, paddingOf, parseTarHeader, tarHeader } from './tar.ts';

const when = new Date('2026-11-16T00:00:00Z');

test('a header says what it was made of', () => {
  for (const member of [
    { name: 'manifest.json', size: 0 },
    { name: 'data/ñ/000001', size: maxMemberBytes },
  ]) {
    assert.deepEqual(parseTarHeader(tarHeader(member, when)), member);
  }
  assert.equal(parseTarHeader(Buffer.alloc(blockBytes)), undefined);
  assert.throws(() => tarHeader({ name: 'x'.repeat(101), size: 0 }, when), RangeError);
  assert.throws(() => tarHeader({ name: 'x', size: maxMemberBytes + 1 }, when), RangeError);
});

test('a header with any other byte is refused', () => {
  const header = tarHeader({ name: 'a', size: 5 }, when);
  for (let at = 0; at < blockBytes; at += 1) {
    const altered = Buffer.from(header);
    altered[at] = (altered[at] ?? 0) ^ 1;
    assert.throws(() => parseTarHeader(altered), `byte ${at}`);
  }
});

test('tar reads it', () => {
  const content = Buffer.from('hello');
  const archive = Buffer.concat([
    tarHeader({ name: 'folder/hello.txt', size: content.length }, when),
    content,
    Buffer.alloc(paddingOf(content.length) + 2 * blockBytes),
  ]);
  const list = (...words: string[]): string =>
    execFileSync('tar', words, { input: archive, encoding: 'utf8', env: { ...process.env, TZ: 'UTC' } });
  assert.match(list('tvf', '-'), /^-rw-------.* 5 2026-11-16 00:00.* folder\/hello\.txt\n$/);
  assert.equal(list('xOf', '-'), 'hello');
});
