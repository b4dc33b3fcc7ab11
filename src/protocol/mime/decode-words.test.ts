import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeWords } from './decode-words.ts';
import { encodeWords } from './encoded-words.ts';
import { assertLinear } from './growth.fixture.ts';
import { awkwardHeaderText, seededRandom } from './seeded-random.fixture.ts';

const table: [why: string, value: string, text: string][] = [
  ['without words it stays as it is', 'Hola = ?utf-8?', 'Hola = ?utf-8?'],
  ['q', '=?utf-8?q?Ana_G=C3=B3mez?=', 'Ana Gómez'],
  ['b, in either case', '=?UTF-8?B?w7E=?=', 'ñ'],
  ['blanks between words are dropped', '=?utf-8?q?a?= \t =?utf-8?q?b?=', 'ab'],
  ['blanks beside other text stay', 'x =?utf-8?q?a?= y', 'x a y'],
  ['no blank at all between words', '=?utf-8?q?a?==?utf-8?q?b?=', 'ab'],
  ['a character split between words', '=?utf-8?q?=C3?= =?utf-8?b?sQ==?=', 'ñ'],
  ['charsets side by side', '=?iso-8859-1?q?=F1?= =?utf-8?q?=C3=B1?=', 'ññ'],
  ['a language after the charset', '=?utf-8*es?q?=C3=B1?=', 'ñ'],
  ['an unknown charset is guessed', '=?x-none?q?=C3=B1?=', 'ñ'],
  ['a charset that no mail has', '=?x-user-defined?q?=C3=B1?=', 'ñ'],
  ['octets that are not what they say', '=?utf-8?q?=F1?=', 'ñ'],
  ['a stateful charset', '=?iso-2022-jp?b?GyRCRnxLXBsoQg==?=', '日本'],
  ['an invalid escape', '=?utf-8?q?=0g=?=', '=0g='],
  ['what is not an encoded word', '=?utf-8?x?a?= =?utf-8?q?a', '=?utf-8?x?a?= =?utf-8?q?a'],
  ['only once', '=?utf-8?q?=3D=3Futf-8=3Fq=3Fx=3F=3D?=', '=?utf-8?q?x?='],
];
for (const [why, value, text] of table) {
  test(`${why}: ${value}`, () => assert.equal(decodeWords(value), text));
}

test('decode returns what encode was given', () => {
  const random = seededRandom(3);
  for (let round = 0; round < 2_000; round += 1) {
    const text = awkwardHeaderText(random, 200).toWellFormed();
    if (text.trim() !== '') assert.equal(decodeWords(encodeWords(text).join(' ')), text);
  }
});

test('a value of any length is decoded in time that grows with it', () => {
  const pieces = ['=?', '?=', '?', '=', 'q', '?q?', '?b?', 'utf-8', ' ', '_', 'AAAA', '=41', 'é'];
  const words = ['=?utf-8?q?x?= ', '=?utf-8?b?YWFh?=', '=?none?q?x?= ', '=?gb18030?b?xOM=?= '];
  assertLinear(decodeWords, { pieces: [...pieces, ...words], seed: 5, octets: 200_000, ns_per_octet: 500 });
});
