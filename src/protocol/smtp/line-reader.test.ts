import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineReader } from './line-reader.ts';

function readAll(reader: LineReader): string[] {
  const lines: string[] = [];
  for (let line = reader.nextLine(); line !== undefined; line = reader.nextLine()) {
    lines.push(line.toString('latin1'));
  }
  return lines;
}

test('lines come out whole however the bytes are cut', () => {
  const text = 'EHLO a\r\n\r\nMAIL\r\nbare\nRCPT\r\r\nrest';
  for (let size = 1; size <= text.length; size += 1) {
    const reader = new LineReader(100);
    const lines: string[] = [];
    for (let at = 0; at < text.length; at += size) {
      reader.push(Buffer.from(text.slice(at, at + size)));
      lines.push(...readAll(reader));
    }
    assert.deepEqual(lines, ['EHLO a', '', 'MAIL', 'bare\n', 'RCPT\r']);
    assert.equal(reader.buffered, 4);
  }
});

test('a line at the bound is whole, one past it is longer than the bound, and the next is read as ever', () => {
  for (const size of [1, 3, 64, 1000]) {
    for (const length of [10, 11, 12, 13, 14, 500]) {
      const reader = new LineReader(10);
      const text = `${'x'.repeat(length)}\r\nNOOP\r\n`;
      const lines: string[] = [];
      for (let at = 0; at < text.length; at += size) {
        reader.push(Buffer.from(text.slice(at, at + size)));
        lines.push(...readAll(reader));
        assert.ok(reader.buffered <= 13 + size);
      }
      assert.equal(lines.length, 2);
      assert.equal((lines[0]?.length ?? 0) > 10, length > 10);
      assert.equal(lines[1], 'NOOP');
    }
  }
});

test('raw chunks and lines can alternate', () => {
  const reader = new LineReader(100);
  reader.push(Buffer.from('DATA\r\nbody bo'));
  assert.equal(reader.nextLine()?.toString(), 'DATA');
  assert.equal(reader.nextChunk()?.toString(), 'body bo');
  reader.push(Buffer.from('dy.QUIT\r\n'));
  const chunk = reader.nextChunk() ?? Buffer.alloc(0);
  reader.putBack(chunk.subarray(3));
  assert.equal(reader.nextLine()?.toString(), 'QUIT');
  assert.equal(reader.buffered, 0);
});
