import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeHeader, headerLines } from './decode-header.fixture.ts';
import { foldCustomHeader, foldDisplayText, foldHeader } from './fold-header.ts';
import { awkwardHeaderText, seededRandom } from './seeded-random.fixture.ts';

const exact: [why: string, name: string, value: string, field: string][] = [
  ['ASCII stays as it is', 'X-A', 'plain text', 'X-A: plain text\r\n'],
  [
    'RFC 2047 §8: a word outside ASCII is encoded',
    'X-A',
    'Keld Jørn Simonsen',
    'X-A: Keld =?utf-8?q?J=C3=B8rn?= Simonsen\r\n',
  ],
  [
    'blanks between encoded words are inside them',
    'X-A',
    'más aún',
    'X-A: =?utf-8?q?m=C3=A1s_a=C3=BAn?=\r\n',
  ],
  ['what is mostly outside ASCII is in base64', 'X-A', '日本語', 'X-A: =?utf-8?b?5pel5pys6Kqe?=\r\n'],
  ['blanks around a value are dropped', 'X-A', ' \t a \t', 'X-A: a\r\n'],
  ['an empty value is a name', 'X-A', '', 'X-A:\r\n'],
  ['a value of blanks is a name', 'X-A', ' \t ', 'X-A:\r\n'],
  [
    '78 columns are one line',
    'X-A',
    `${'x'.repeat(36)} ${'y'.repeat(36)}`,
    `X-A: ${'x'.repeat(36)} ${'y'.repeat(36)}\r\n`,
  ],
  [
    '79 columns are two, the blank begins the second',
    'X-A',
    `${'x'.repeat(36)} ${'y'.repeat(37)}`,
    `X-A: ${'x'.repeat(36)}\r\n ${'y'.repeat(37)}\r\n`,
  ],
  [
    'a tab folds like a space',
    'X-A',
    `${'x'.repeat(70)}\t${'y'.repeat(70)}`,
    `X-A: ${'x'.repeat(70)}\r\n\t${'y'.repeat(70)}\r\n`,
  ],
  ['a value encoded already keeps its meaning', 'X-A', '=?utf-8?q?=C3=A4?=', 'X-A: =?utf-8?q?=C3=A4?=\r\n'],
  [
    'a long value without blanks stays beside its name',
    'X-A',
    'x'.repeat(993),
    `X-A: ${'x'.repeat(993)}\r\n`,
  ],
];
for (const [why, name, value, field] of exact) {
  test(why, () => assert.equal(foldHeader(name, value), field));
}

test('a value without blanks that no line can hold is encoded', () => {
  const field = foldHeader('X-A', 'x'.repeat(994));
  assert.match(field, /^X-A: =\?utf-8\?q\?x+\?=\r\n =\?/);
  assert.ok(headerLines(field).every((line) => line.length <= 76));
  assert.equal(decodeHeader(field), 'x'.repeat(994));
});

const custom: [why: string, name: string, value: string, field: string][] = [
  ['a word that fits on a line of its own', 'X-A', 'x'.repeat(77), `X-A: ${'x'.repeat(77)}\r\n`],
  [
    'a word that no line of 78 columns can hold',
    'X-A',
    'x'.repeat(78),
    `X-A: =?utf-8?q?${'x'.repeat(59)}?=\r\n =?utf-8?q?${'x'.repeat(19)}?=\r\n`,
  ],
  [
    'such a word between others',
    'X-A',
    `a ${'x'.repeat(100)} b`,
    `X-A: a\r\n =?utf-8?q?${'x'.repeat(59)}?=\r\n =?utf-8?q?${'x'.repeat(41)}?= b\r\n`,
  ],
  [
    'a field of identifiers, which nobody would decode',
    'References',
    `<${'x'.repeat(100)}@a.example> <b@c.example>`,
    `References: <${'x'.repeat(100)}@a.example>\r\n <b@c.example>\r\n`,
  ],
];
for (const [why, name, value, field] of custom) {
  test(`a customer's header: ${why}`, () => {
    assert.equal(foldCustomHeader(name, value), field);
    assert.equal(decodeHeader(field), value);
  });
}

test('a value of the longest length without a blank comes back from lines of 76 columns', () => {
  const value = 'https://example.com/'.padEnd(995, 'orders/2026-12-');
  const field = foldCustomHeader('X', value);
  assert.ok(headerLines(field).every((line) => line.length <= 76));
  assert.match(field, /^X: =\?utf-8\?q\?/);
  assert.equal(decodeHeader(field), value);
});

test('a run of blanks that no line can hold is encoded', () => {
  const value = `a${' '.repeat(1200)}b`;
  const field = foldHeader('X-A', value);
  assert.ok(headerLines(field).every((line) => line.length <= 76));
  assert.equal(decodeHeader(field), value);
});

test('the longest name leaves room for an encoded value on the next line', () => {
  const field = foldHeader('n'.repeat(126), 'ñandú '.repeat(20));
  assert.equal(headerLines(field)[0], `${'n'.repeat(126)}:`);
  assert.ok(
    headerLines(field)
      .slice(1)
      .every((line) => line.length <= 76),
  );
  assert.equal(decodeHeader(field), 'ñandú '.repeat(20).trim());
});

test('an encoded word in a text for people is encoded like any other text', () => {
  for (const text of ['=?utf-8?q?a?=', 'a =?utf-8?b?YQ==?= b', 'what=?']) {
    assert.equal(decodeHeader(foldDisplayText('Subject', text)), text);
  }
});

test('any text comes back from lines of legal length, none of them blank', () => {
  const random = seededRandom(3);
  for (let round = 0; round < 1500; round += 1) {
    const value = awkwardHeaderText(random, 1000);
    const name = `X-${'n'.repeat(Math.floor(random() * 125))}`;
    const field = foldDisplayText(name, value);
    assert.equal(decodeHeader(field), value.toWellFormed().replaceAll(/^[ \t]+|[ \t]+$/g, ''));
    assert.match(field, /^[\t\r\n\x20-\x7e]*$/);
    for (const [index, line] of headerLines(field).entries()) {
      assert.ok(line.length <= 998 && (index === 0 || /^[ \t]+[^ \t]/.test(line)), line);
      if (/=\?utf-8\?[bq]\?[^ ]*\?=/.test(line)) assert.ok(line.length <= 76, line);
      for (const [word] of line.matchAll(/=\?utf-8\?[bq]\?[^ ]*?\?=/g)) assert.ok(word.length <= 75, word);
    }
  }
});

test('a header never holds characters that end a line', () => {
  for (const control of ['\r', '\n', '\r\n', '\0', '\u000b', '\u001b', '\u007f']) {
    assert.throws(() => foldHeader('X-A', `a${control}Bcc: b`), TypeError);
    assert.throws(() => foldHeader(`X-A${control}`, 'a'), TypeError);
  }
  for (const name of ['', 'X A', 'X:', 'Ñ']) assert.throws(() => foldHeader(name, 'a'), TypeError);
});
