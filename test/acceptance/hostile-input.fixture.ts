/** A generator of the same numbers for the same seed (mulberry32). */
export function createRandom(seed: number): {
  next(): number;
  pick<T>(from: readonly T[]): T;
  bytes(length: number): Buffer;
} {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    pick: (from) => from[Math.floor(next() * from.length)] as (typeof from)[number],
    bytes: (length) => Buffer.from(Array.from({ length }, () => Math.floor(next() * 256))),
  };
}

const long = 'x'.repeat(3_000);

/** For a segment of a path, as written on the wire. */
export const hostileSegments: readonly string[] = [
  '0',
  '-1',
  '1.5',
  '1e3',
  '0x10',
  '9223372036854775808',
  '9007199254740993',
  '9'.repeat(400),
  'null',
  '__proto__',
  '%00',
  '%0d%0aX:y',
  '%',
  '%zz',
  '%ED%A0%80',
  '%F0%9F%98%80',
  '..%2f..%2fetc%2fpasswd',
  "'%20or%201=1--",
  '%25s%25n',
  long,
];

/** For the value of a query parameter, as written on the wire. */
export const hostileValues: readonly string[] = [
  ...hostileSegments,
  '',
  '+',
  '1&page=2',
  '2026-02-30',
  '9999-12-31',
  '0000-00-00',
  'Etc/Nowhere',
  'true',
  '%5B%5D',
  '%5C',
];

/** JSON texts that stand where a value is expected, whatever it should be. */
export const hostileJson: readonly string[] = [
  'null',
  'true',
  '7',
  '-1',
  '0.5',
  '1e400',
  '-1e400',
  '18446744073709551616',
  '9007199254740993',
  '""',
  '"x"',
  `"${'x'.repeat(200_000)}"`,
  '"\\u0000"',
  '"\\ud800"',
  '"\\ud83d\\ude00"',
  '"\\u202e\\u0007\\u001b[2J"',
  '"\\r\\nBcc: a@b.c"',
  '"%s%n%x ${x} {{ x }} <script>"',
  '[]',
  '[[]]',
  '[null]',
  `[${'1,'.repeat(5_000)}1]`,
  '{}',
  '{"":{}}',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{}}}',
  '{"toString":1,"length":-1}',
];

/** Whole bodies. */
export const hostileBodies: readonly (string | Buffer)[] = [
  ...hostileJson,
  '',
  ' ',
  '{',
  '{"a"',
  "{'a':1}",
  '{"a":01}',
  '{"a":NaN}',
  '\uFEFF',
  '[',
  '['.repeat(100_000),
  '['.repeat(100_000) + ']'.repeat(100_000),
  '{"a":'.repeat(100_000),
  `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
  `{${Array.from({ length: 20_000 }, (_none, index) => `"k${index}":1`).join()}}`,
  Buffer.from([0xff, 0xfe, 0x00]),
  Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
];

const part = (header: string, content: string): string => `--b\r\n${header}\r\n\r\n${content}\r\n`;
const named = (name: string): string => `content-disposition: form-data; name="${name}"`;

/** Forms with the boundary `b`, for an operation that takes files in `field`. */
export function hostileForms(field: string): (string | Buffer)[] {
  const file = (filename: string, more = ''): string =>
    part(`${named(field)}; filename="${filename}"${more}`, 'content');
  return [
    '',
    '--b',
    '--b--',
    '--b\r\n\r\n\r\n--b--',
    'nonsense',
    part(named('x'), 'y'),
    `${part(named('to'), '[')}--b--`,
    `${part(named('to'), '['.repeat(50_000))}--b--`,
    `${part(named('to'), '{"__proto__":{"x":1}}')}--b--`,
    `${part(named('__proto__'), 'x')}--b--`,
    `${part(named(''), 'x')}--b--`,
    `${part('nonsense', 'x')}--b--`,
    `${part(`${named('x')}\r\ncontent-transfer-encoding: nonsense`, 'x')}--b--`,
    `${part(named(field), 'text where a file belongs')}--b--`,
    `${file('')}--b--`,
    `${file('\0.txt')}--b--`,
    `${file('../../etc/passwd')}--b--`,
    `${file('x'.repeat(5_000))}--b--`,
    `${file('a\\"b\t\u0007.txt')}--b--`,
    `${file('x', '\r\ncontent-type: a\0b')}--b--`,
    `${file('x', `\r\ncontent-type: ${'x/'.repeat(3_000)}`)}--b--`,
    `${file('x', "; filename*=utf-8''%ff%zz")}--b--`,
    `${part(`${named('x')}; filename="y"`, 'a file where text belongs')}--b--`,
    `${part(named('x'), 'y').repeat(500)}--b--`,
    `${file('x').repeat(50)}--b--`,
    `${part(`x-long: ${'x'.repeat(100_000)}`, 'y')}--b--`,
    Buffer.from(`${part(named('subject'), '\u00ff\u00fe')}--b--`, 'latin1'),
  ];
}

/** The example with one hostile value in the place of each of its values in turn, as JSON text. */
export function spoiled(example: unknown): string[] {
  const mark = '@@hostile@@';
  const texts = [...spots(example)].map((path) => JSON.stringify(replaceAt(example, path, mark)));
  return texts.flatMap((text) => hostileJson.map((json) => text.replace(`"${mark}"`, () => json)));
}

function* spots(value: unknown, path: string[] = []): Generator<string[]> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) yield* spots(child, [...path, key]);
}

function replaceAt(value: unknown, [key, ...rest]: string[], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = replaceAt(copy[key], rest, replacement);
  return copy;
}
