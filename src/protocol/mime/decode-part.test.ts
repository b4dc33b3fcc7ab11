import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeQuotedPrintable } from './decode-quoted-printable.ts';
import { partBytes, partText } from './decode-part.ts';
import { assertLinear } from './growth.fixture.ts';
import { encodeQuotedPrintable } from './quoted-printable.ts';
import { readParts, type Part } from './read-parts.ts';
import { awkwardText, seededRandom } from './seeded-random.fixture.ts';

const decoded = (text: string): string =>
  decodeQuotedPrintable(Buffer.from(text, 'latin1')).toString('latin1');

const table: [encoded: string, text: string][] = [
  ['', ''],
  ['=41=42=c3=C3', 'AB\xc3\xc3'],
  ['a=\r\nb=\nc', 'abc'],
  ['a\r\nb', 'a\r\nb'],
  ['=', '='],
  ['a=4', 'a=4'],
  ['=0G=G0=gg=', '=0G=G0=gg='],
  ['==41', '=A'],
  ['=\r41', '=\r41'],
  ['=3D41', '=41'],
  ['a=\r\n', 'a'],
  ['a=\r', 'a=\r'],
];
for (const [encoded, text] of table) {
  test(`${JSON.stringify(encoded)} stands for ${JSON.stringify(text)}`, () => {
    assert.equal(decoded(encoded), text);
  });
}

test('decode returns what encode was given', () => {
  const random = seededRandom(11);
  for (let round = 0; round < 2_000; round += 1) {
    const text = awkwardText(random, 300).toWellFormed();
    const octets = encodeQuotedPrintable([text]) as Buffer[];
    const lines = text.replaceAll(/\r\n|\r|\n/g, '\r\n');
    assert.equal(decodeQuotedPrintable(Buffer.concat(octets)).toString(), lines);
  }
});

test('text of any kind is decoded in time that grows with it', () => {
  const pieces = ['=', '=41', '=4', '=\r\n', '=\n', '\r\n', 'a', ' ', '=c3', '\r', 'A'.repeat(75) + '=\r\n'];
  const read = (text: string): unknown => decodeQuotedPrintable(Buffer.from(text, 'latin1'));
  assertLinear(read, { pieces, seed: 13, octets: 1_000_000, ns_per_octet: 50 });
});

function part(encoding: string, body: string, charset = 'utf-8'): Part {
  const header = `Content-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n`;
  return readParts(Buffer.from(header + body, 'latin1')).parts[0] as Part;
}

test('base64 with anything between is decoded in time that grows with it', () => {
  const read = (text: string): unknown => partBytes(part('base64', text));
  const pieces = ['A', 'AAAA\r\n', '=', '!', 'é', 'A===', '\r\n', ' '];
  assertLinear(read, { pieces, seed: 19, octets: 1_000_000, ns_per_octet: 100 });
});

test('the text of a part is read in its charset, or in what it turns out to be', () => {
  assert.equal(partText(part('quoted-printable', '=C3=B1'), 100), 'ñ');
  assert.equal(partText(part('base64', 'w7E='), 100), 'ñ');
  assert.equal(partText(part('8bit', '\xf1', 'iso-8859-1'), 100), 'ñ');
  assert.equal(partText(part('8bit', '\xf1'), 100), 'ñ');
  assert.equal(partText(part('8bit', '\xc3\xb1', 'no-such-charset'), 100), 'ñ');
  assert.equal(partText(part('8bit', '\xc3\xb1\xc3\xb1'), 3), 'ñ');
});
