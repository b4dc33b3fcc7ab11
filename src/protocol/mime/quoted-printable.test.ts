import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeQuotedPrintable, measureQuotedPrintable } from './quoted-printable.ts';
import { asReceived, decodeQuotedPrintable } from './sample-message.fixture.ts';
import { awkwardText, seededRandom } from './seeded-random.fixture.ts';

function encode(text: string): string {
  return Buffer.concat(encodeQuotedPrintable([text]).filter((piece) => Buffer.isBuffer(piece))).toString(
    'latin1',
  );
}

const table: [why: string, text: string, encoded: string][] = [
  ['RFC 2045 §6.7: "=" is escaped', 'a=b', 'a=3Db'],
  ['octets outside ASCII are escaped in upper case', 'ñ', '=C3=B1'],
  ['a blank at the end of a line is escaped', 'a \nb\t\r\n', 'a=20\r\nb=09\r\n'],
  ['a blank at the end of the text is escaped', 'a ', 'a=20'],
  ['a blank within a line stays', 'a b\tc', 'a b\tc'],
  ['only the last of several blanks is escaped', 'a  \n', 'a =20\r\n'],
  ['LF, CR and CRLF are line ends', 'a\nb\rc\r\nd', 'a\r\nb\r\nc\r\nd'],
  ['LF CR is two line ends', 'a\n\rb', 'a\r\n\r\nb'],
  ['controls are escaped', '\0\f\u007f', '=00=0C=7F'],
  ['75 columns are one row', 'x'.repeat(75), 'x'.repeat(75)],
  ['76 columns are two', 'x'.repeat(76), `${'x'.repeat(75)}=\r\nx`],
  ['an escape is not split', `${'x'.repeat(73)}=`, `${'x'.repeat(73)}=\r\n=3D`],
  ['nor is a character', `${'x'.repeat(64)}🙂`, `${'x'.repeat(64)}=\r\n=F0=9F=99=82`],
  [
    'a blank that has to be escaped moves to the next row',
    `${'x'.repeat(74)} \n`,
    `${'x'.repeat(74)}=\r\n=20\r\n`,
  ],
  ['half a surrogate pair is U+FFFD', 'a\ud83db', 'a=EF=BF=BDb'],
  ['nothing is nothing', '', ''],
];
for (const [why, text, encoded] of table) {
  test(why, () => {
    assert.equal(encode(text), encoded);
    assert.equal(measureQuotedPrintable([text]), encoded.length);
  });
}

test('any text comes back from rows of at most 76 columns, as long as measured', () => {
  const random = seededRandom(1);
  for (let round = 0; round < 1500; round += 1) {
    const text = awkwardText(random, 600);
    const encoded = encode(text);
    assert.equal(decodeQuotedPrintable(Buffer.from(encoded, 'latin1')), asReceived(text));
    assert.equal(measureQuotedPrintable([text]), encoded.length);
  }
});

test('a slot stands between soft breaks, or at the line ends that are there', () => {
  const shape = (pieces: Parameters<typeof encodeQuotedPrintable>[0]): string =>
    encodeQuotedPrintable(pieces)
      .map((piece) => (Buffer.isBuffer(piece) ? piece.toString('latin1') : '{}'))
      .join('');
  assert.equal(shape(['a ', { slot: 0 }, ' b']), 'a =\r\n{}=\r\n b');
  assert.equal(shape(['a\n', { slot: 0 }, '\nb']), 'a\r\n{}\r\nb');
  assert.equal(shape([{ slot: 0 }, { slot: 1 }]), '{}=\r\n{}');
  assert.equal(shape([{ slot: 0 }]), '{}');
});
