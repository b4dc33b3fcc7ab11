import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeHeader } from './decode-header.fixture.ts';
import { encodeWords } from './encoded-words.ts';
import { awkwardText, seededRandom } from './seeded-random.fixture.ts';

const vectors: [text: string, words: string[]][] = [
  // The names of RFC 2047 §8, in UTF-8.
  ['Keith Moore', ['=?utf-8?q?Keith_Moore?=']],
  ['Keld Jørn Simonsen', ['=?utf-8?q?Keld_J=C3=B8rn_Simonsen?=']],
  ['André', ['=?utf-8?q?Andr=C3=A9?=']],
  ['Patrik Fältström', ['=?utf-8?q?Patrik_F=C3=A4ltstr=C3=B6m?=']],
  ['נתב', ['=?utf-8?b?16DXqteR?=']],
  // §4.2: these have a meaning inside a word and are escaped.
  ['?=_', ['=?utf-8?b?Pz1f?=']],
  ['a?b=c_d', ['=?utf-8?q?a=3Fb=3Dc=5Fd?=']],
  ['it is _', ['=?utf-8?q?it_is_=5F?=']],
  ['', []],
];
for (const [text, words] of vectors) {
  test(`${JSON.stringify(text)} is ${words.join(' ')}`, () => assert.deepEqual(encodeWords(text), words));
}

test('words hold whole characters and at most the columns asked for, and say together what was given', () => {
  const random = seededRandom(4);
  for (let round = 0; round < 600; round += 1) {
    const text = awkwardText(random, 300);
    const longest = 40 + Math.floor(random() * 36);
    const words = encodeWords(text, longest);
    for (const word of words)
      assert.ok(word.length <= longest && /^=\?utf-8\?[bq]\?[^ ?]+\?=$/.test(word), word);
    const decoded = words.map((word) => decodeHeader(`X:\t${word}\r\n`)).join('');
    assert.equal(decoded, text.toWellFormed());
  }
});
