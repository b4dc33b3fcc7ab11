import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { qrCode } from '../../panel/src/pages/account/qr-code.ts';

const drawn = (text: string): string =>
  qrCode(text)
    .map((row) => row.map((dark) => (dark ? '#' : '.')).join(''))
    .join('\n');

test('a short text is a code of version 1', () => {
  assert.equal(
    drawn('Chasqui'),
    [
      '#######..#....#######',
      '#.....#.##..#.#.....#',
      '#.###.#...###.#.###.#',
      '#.###.#...#...#.###.#',
      '#.###.#.#...#.#.###.#',
      '#.....#..#..#.#.....#',
      '#######.#.#.#.#######',
      '.........####........',
      '#.#.#.#..#.#....#..#.',
      '.##....##.#...##.####',
      '.....####.#.#...#.###',
      '.#..##..#.#...#.....#',
      '#.#..##..#..#.#.....#',
      '........#..#.#.###.#.',
      '#######...##.########',
      '#.....#..#.###......#',
      '#.###.#.#.##.#####.##',
      '#.###.#...#...#.##.#.',
      '#.###.#.#.#.#..###..#',
      '#.....#..##...#....#.',
      '#######.##..#.#.##.##',
    ].join('\n'),
  );
});

// Of what jsQR 1.4.0 reads back: one block, several, blocks of two lengths, a length of 16 bits, the largest.
for (const [length, size, hash] of [
  [26, 25, 'b8ed07e03a4539bc'],
  [62, 33, '6faa075e1fc2b98d'],
  [150, 49, '3dccb23cd168502b'],
  [181, 57, 'c91d49bf8b9ae615'],
  [213, 57, '5062ad29ae21490a'],
  [331, 69, '52a838dab644e205'],
  [666, 97, 'caca091d01af7b28'],
] as const) {
  test(`${length} bytes are ${size} modules wide and stay what a reader understood`, () => {
    const text = Array.from({ length }, (_each, at) => String.fromCodePoint(33 + ((at * 7) % 90))).join('');
    assert.equal(qrCode(text).length, size);
    assert.equal(createHash('sha256').update(drawn(text)).digest('hex').slice(0, 16), hash);
  });
}

test('text that does not fit is refused', () => {
  assert.throws(() => qrCode('x'.repeat(667)), RangeError);
});
