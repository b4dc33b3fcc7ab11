import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressesIn, recogniserOf, withMark } from './recognise.ts';

const recognises = recogniserOf({
  instance_id: 1,
  emails: ['ana@example.com', 'ana@xn--and-6ma2c.cl', '"ana m"@example.com', 'ñandú@example.com'],
  phones: ['+56912345678'],
  codes: ['A-1'],
});

function withoutAddresses(text: string, mark: string): string | undefined {
  const places = addressesIn(text, recognises);
  return places.length > 0 ? withMark(text, places, mark) : undefined;
}

/** Texts, and what is left of them. */
const texts: [text: string, left: string | undefined][] = [
  ['ana@example.com', '-'],
  ['Write to Ana@Example.COM.', 'Write to -.'],
  ['Ana <ana@example.com>, "Eva" <eva@example.com>', 'Ana <->, "Eva" <eva@example.com>'],
  ['ana@example.com,ana@ñandú.cl;x', '-,-;x'],
  ['https://example.com/?to=ana@example.com&x=1', 'https://example.com/?to=-&x=1'],
  ['mailto:ana@example.com', 'mailto:-'],
  ["‘ana@example.com’ and 'ana@example.com'", "‘-’ and '-'"],
  ['...ana@example.com...', '...-...'],
  ['to "ana m"@example.com', 'to -'],
  ['ñandú@example.com', '-'],
  ['susana@example.com', undefined],
  ['ana+news@example.com', undefined],
  ['ana.ana@example.com', undefined],
  ["o'ana@example.com", undefined],
  ['ana@example.com.ar', undefined],
  ['ana@example.community', undefined],
  ['ana@sub.example.com', undefined],
  ['ana example.com', undefined],
  ['@example.com ana@ @', undefined],
  ['+56912345678 A-1', undefined],
  ['', undefined],
];
for (const [text, left] of texts) {
  test(`withoutAddresses turns ${JSON.stringify(text)} into ${JSON.stringify(left)}`, () => {
    assert.equal(withoutAddresses(text, '-'), left);
  });
}

test('a placeholder is not taken for an address', () => {
  const text = 'ana@example.com,ana@example.com ana@example.com';
  const left = withoutAddresses(text, '[erased]');
  assert.equal(left, '[erased],[erased] [erased]');
  assert.equal(withoutAddresses(left ?? '', '[erased]'), undefined);
});

test('a text that is made to be slow is read in time', () => {
  for (const part of ['@', '=@', 'ana@example.', "'@a.b", '"@', 'a@b.cl']) {
    const text = part.repeat(65_536 / part.length);
    const began = process.threadCpuUsage();
    withoutAddresses(text, '');
    assert.ok(process.threadCpuUsage(began).user < 2_000_000, part);
  }
});
