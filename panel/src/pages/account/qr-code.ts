/** QR codes of ISO/IEC 18004: bytes, error correction level M, versions 1 to 20 (666 bytes). */

/** Per version: codewords of error correction in each block, and how many blocks. */
const correction = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26] as const;
const blocks = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16] as const;

type Matrix = (boolean | undefined)[][];

/** Rows of modules; true is dark. Throws for a text that is too long. */
export function qrCode(text: string): boolean[][] {
  const bytes = new TextEncoder().encode(text);
  const version = correction.findIndex((_each, index) => bytes.length <= bytesIn(index + 1)) + 1;
  if (version === 0) throw new RangeError('The text is too long for a QR code.');
  const size = version * 4 + 17;
  const matrix: Matrix = Array.from({ length: size }, () => Array.from({ length: size }, () => undefined));
  drawPatterns(matrix, version);
  drawCodewords(matrix, interleave(codewordsOf(bytes, version), version));
  return matrix.map((row) => row.map((dark) => dark === true));
}

/** All modules but those of the patterns, of format and of version. */
function codewordsIn(version: number): number {
  const aligned = alignments(version).length;
  let modules = (16 * version + 128) * version + 64;
  if (version > 1) modules -= (25 * aligned - 10) * aligned - 55;
  if (version > 6) modules -= 36;
  return Math.floor(modules / 8);
}

const dataIn = (version: number): number =>
  codewordsIn(version) - (correction[version - 1] ?? 0) * (blocks[version - 1] ?? 0);
/** Less the mode and the length. */
const bytesIn = (version: number): number => dataIn(version) - (version > 9 ? 3 : 2);

/** Mode, length, bytes, terminator and padding. */
function codewordsOf(bytes: Uint8Array, version: number): number[] {
  const bits = `0100${binary(bytes.length, version > 9 ? 16 : 8)}${[...bytes].map((byte) => binary(byte, 8)).join('')}0000`;
  const words = (bits.match(/.{8}/g) ?? []).map((word) => Number.parseInt(word, 2));
  for (let pad = 0; words.length < dataIn(version); pad += 1) words.push(pad % 2 === 0 ? 0xec : 0x11);
  return words;
}

const binary = (value: number, width: number): string => value.toString(2).padStart(width, '0');

/** The blocks column by column, their data first; the last blocks have one codeword more. */
function interleave(data: number[], version: number): number[] {
  const count = blocks[version - 1] ?? 1;
  const length = correction[version - 1] ?? 0;
  const divisor = generator(length);
  const short = Math.floor(data.length / count);
  const long_from = count - (data.length % count);
  const parts = Array.from({ length: count }, (_each, index) => {
    const start = index * short + Math.max(0, index - long_from);
    return data.slice(start, start + short + (index >= long_from ? 1 : 0));
  });
  const column = (rows: number[][], index: number): number[] =>
    rows.flatMap((row) => (index < row.length ? [row[index] ?? 0] : []));
  const checks = parts.map((part) => remainder(part, divisor));
  return [
    ...Array.from({ length: short + 1 }, (_each, index) => column(parts, index)).flat(),
    ...Array.from({ length }, (_each, index) => column(checks, index)).flat(),
  ];
}

/** In GF(2^8) modulo x^8 + x^4 + x^3 + x^2 + 1. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d);
    product ^= ((b >>> bit) & 1) * a;
  }
  return product;
}

/** The Reed–Solomon generator polynomial without its leading 1. */
function generator(degree: number): number[] {
  const terms = Array.from({ length: degree }, (_each, at) => Number(at === degree - 1));
  for (let index = 0, root = 1; index < degree; index += 1, root = multiply(root, 2)) {
    for (let at = 0; at < degree; at += 1) terms[at] = multiply(terms[at] ?? 0, root) ^ (terms[at + 1] ?? 0);
  }
  return terms;
}

function remainder(data: number[], divisor: number[]): number[] {
  const rest = divisor.map(() => 0);
  for (const word of data) {
    const factor = word ^ (rest.shift() ?? 0);
    rest.push(0);
    for (const [index, term] of divisor.entries()) rest[index] = (rest[index] ?? 0) ^ multiply(term, factor);
  }
  return rest;
}

function alignments(version: number): number[] {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.ceil((version * 4 + 4) / (count * 2 - 2)) * 2;
  const last = version * 4 + 10;
  return [6, ...Array.from({ length: count - 1 }, (_each, index) => last - (count - 2 - index) * step)];
}

function drawPatterns(matrix: Matrix, version: number): void {
  const size = matrix.length;
  const set = (x: number, y: number, dark: boolean): void => {
    const row = matrix[y];
    if (row && x >= 0 && x < size) row[x] = dark;
  };
  for (let at = 0; at < size; at += 1) {
    set(6, at, at % 2 === 0);
    set(at, 6, at % 2 === 0);
  }
  /** Rings around a centre, from within. */
  const square = (x: number, y: number, rings: string): void => {
    const reach = rings.length - 1;
    for (let dy = -reach; dy <= reach; dy += 1) {
      for (let dx = -reach; dx <= reach; dx += 1) {
        set(x + dx, y + dy, rings[Math.max(Math.abs(dx), Math.abs(dy))] === '#');
      }
    }
  };
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const) {
    square(x, y, '##.#.');
  }
  const centres = alignments(version);
  const isCorner = (x: number, y: number): boolean =>
    (x === 6 && y === 6) || (x === 6 && y === centres.at(-1)) || (x === centres.at(-1) && y === 6);
  for (const x of centres) for (const y of centres) if (!isCorner(x, y)) square(x, y, '#.#');
  drawFormat(set, size);
  if (version > 6) drawVersion(set, { version, size });
}

type Set = (x: number, y: number, dark: boolean) => void;
const bitOf = (value: number, at: number): boolean => ((value >>> at) & 1) === 1;

/** Level M (00) and mask 0 (000), whose BCH remainder is 0, so that only the fixed mask of the format is left. */
const format = 0x5412;

function drawFormat(set: Set, size: number): void {
  for (let at = 0; at < 15; at += 1) {
    const dark = bitOf(format, at);
    if (at < 6) set(8, at, dark);
    else if (at < 8) set(8, at + 1, dark);
    else if (at === 8) set(7, 8, dark);
    else set(14 - at, 8, dark);
    if (at < 8) set(size - 1 - at, 8, dark);
    else set(8, size - 15 + at, dark);
  }
  set(8, size - 8, true);
}

function drawVersion(set: Set, { version, size }: { version: number; size: number }): void {
  let rest = version;
  for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let at = 0; at < 18; at += 1) {
    const [a, b] = [size - 11 + (at % 3), Math.floor(at / 3)];
    set(a, b, bitOf(bits, at));
    set(b, a, bitOf(bits, at));
  }
}

/**
 * Two columns at a time from the right, up and down, around the patterns. Any mask can be read; the choice between them
 * helps poor prints, not screens, so it is always mask 0.
 */
function drawCodewords(matrix: Matrix, words: number[]): void {
  const size = matrix.length;
  const bits = words.map((word) => binary(word, 8)).join('');
  let next = 0;
  for (let pair = size - 1; pair >= 1; pair -= 2) {
    const right = pair <= 6 ? pair - 1 : pair;
    const isUp = ((right + 1) & 2) === 0;
    for (let step = 0; step < size; step += 1) {
      const y = isUp ? size - 1 - step : step;
      const row = matrix[y] ?? [];
      for (const x of [right, right - 1]) {
        if (row[x] !== undefined) continue;
        row[x] = (bits[next] === '1') !== ((x + y) % 2 === 0);
        next += 1;
      }
    }
  }
}
