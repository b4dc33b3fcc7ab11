import assert from 'node:assert/strict';
import { test } from 'node:test';
import { composeMessage } from './compose-message.ts';
import type { SlottedText } from './outgoing-message.ts';
import { asReceived, decodeQuotedPrintable, sampleMessage } from './sample-message.fixture.ts';
import { awkwardText, seededRandom } from './seeded-random.fixture.ts';
import { encodeSlotValue, maxSlotLength } from './slot-values.ts';

const urlCharacters = "ABCxyz019-._~:/?#[]@!$&'()*+,;=%";

function randomUrl(random: () => number): string {
  const length = Math.floor(random() ** 2 * (maxSlotLength + 1));
  return Array.from({ length }, () => urlCharacters[Math.floor(random() * urlCharacters.length)]).join('');
}

function filledIn(pieces: SlottedText, values: string[]): string {
  return pieces.map((piece) => (typeof piece === 'string' ? asReceived(piece) : values[piece.slot])).join('');
}

test('a rendered body says what the text with the values in it says, in lines of legal length', () => {
  const random = seededRandom(2);
  const seen = new Set<string>();
  for (let round = 0; round < 400; round += 1) {
    const values = Array.from({ length: 1 + Math.floor(random() * 6) }, () => randomUrl(random));
    const isPlain = random() < 0.3;
    const between = (): string =>
      isPlain ? '<a href="x">\n\t"'.slice(Math.floor(random() * 16)) : awkwardText(random, 200);
    const text = [
      between(),
      ...values.flatMap((_, slot) => [{ slot }, ...(random() < 0.8 ? [between()] : [])]),
    ];
    const composed = composeMessage(sampleMessage({ html: [...text, 'end\n'] }));
    const encoding = /Transfer-Encoding: (.*)\r\n/.exec(composed.header.toString())?.[1] ?? '';
    seen.add(encoding);
    const body = Buffer.concat(composed.render((slot) => values[slot] ?? ''));
    const longest = Math.max(
      ...body
        .toString('latin1')
        .split('\r\n')
        .map((line) => line.length),
    );
    assert.ok(longest <= (encoding === '7bit' ? 998 : 76), `${longest} columns in ${encoding}`);
    const decoded = encoding === '7bit' ? body.toString('latin1') : decodeQuotedPrintable(body);
    assert.equal(decoded, filledIn([...text, 'end\n'], values));
  }
  assert.deepEqual([...seen].sort(), ['7bit', 'quoted-printable']);
});

test('the size of a rendered body is what was measured with values of that size', () => {
  const html = ['<a href="', { slot: 0 }, '">ñ</a><a href="', { slot: 1 }, '">2</a>'];
  const composed = composeMessage(sampleMessage({ html }));
  const body = Buffer.concat(composed.render(() => 'https://t.example/c/abc'));
  assert.equal(composed.measure(23), composed.header.length + 2 + body.length);
});

test('each recipient has a body of their own', () => {
  const composed = composeMessage(sampleMessage({ text: ['see ', { slot: 7 }] }));
  const first = Buffer.concat(composed.render((slot) => `https://t.example/${slot}/a`));
  const second = Buffer.concat(composed.render((slot) => `https://t.example/${slot}/b`));
  assert.equal(first.toString(), 'see https://t.example/7/a\r\n');
  assert.equal(second.toString(), 'see https://t.example/7/b\r\n');
});

test('a value is broken into rows of at most 75 columns before their "=", never within an escape', () => {
  for (let before = 60; before < 90; before += 1) {
    const value = 'x'.repeat(before).padEnd(maxSlotLength, '=');
    const encoded = encodeSlotValue(value, 'quoted-printable');
    assert.equal(decodeQuotedPrintable(Buffer.from(encoded)), value);
  }
});

test('a value that could break its line is refused in every encoding', () => {
  for (const encoding of ['7bit', 'quoted-printable'] as const) {
    assert.equal(encodeSlotValue('x'.repeat(maxSlotLength), '7bit').length, maxSlotLength);
    for (const value of ['x'.repeat(maxSlotLength + 1), 'a\r\nb', 'a\nb', 'a\0b', 'a\tb', 'ñ']) {
      assert.throws(() => encodeSlotValue(value, encoding), RangeError);
    }
  }
});
