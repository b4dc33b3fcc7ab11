import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRandom } from '../../../test/acceptance/hostile-input.fixture.ts';
import { JsonMeter } from './json-meter.ts';

/** The refusal of a text that comes in pieces of this many octets. */
function refusal(
  text: string | Buffer,
  { values = 20_000, numbers = 0, piece = 65_536 } = {},
): string | undefined {
  const octets = Buffer.from(text as string);
  const meter = new JsonMeter({ values, numbers });
  for (let at = 0; at < octets.length; at += piece) {
    const problem = meter.read(octets.subarray(at, at + piece));
    if (problem) {
      assert.equal(problem.code, 'bad_request');
      return problem.message;
    }
  }
  return undefined;
}

const tooMany = 'The body is made of more than 3 values.';
const counted: [text: string, values: number][] = [
  ['7', 1],
  ['""', 1],
  ['[]', 1],
  [' { } ', 1],
  ['[ [ ] ]', 2],
  ['{"a":1}', 2],
  ['{"a" : "b,c[{" }', 2],
  [String.raw`["\",\",\""]`, 2],
  [String.raw`["\\",1]`, 3],
  ['[1,2]', 3],
  ['[{},[]]', 3],
  ['{"ñ":[true]}', 3],
];
for (const [text, values] of counted) {
  test(`${text} is made of ${values} values, in pieces of any length`, () => {
    for (let piece = 1; piece <= Buffer.byteLength(text); piece += 1) {
      assert.equal(refusal(text, { values, piece }), undefined);
      assert.equal(refusal(text, { values: values - 1, piece })?.endsWith(` ${values - 1} values.`), true);
    }
  });
}

test('values are counted to the limit and refused beyond it', () => {
  assert.equal(refusal('[1,2,3]', { values: 3 }), tooMany);
  assert.equal(refusal(`[${'{},'.repeat(19_998)}{}]`), undefined);
  assert.match(refusal(`[${'{},'.repeat(19_999)}{}]`) ?? '', /more than 20000 values/);
});

/** With two numbers allowed: what is left to count. */
const withNumbers: [text: string, values: number][] = [
  ['[1, 2,3 ]', 2],
  ['[1,2,3,4]', 3],
  ['[[1,2],[3,4]]', 5],
  ['{"a":1,"b":2,"c":[3,4]}', 5],
  ['[1,"a",2]', 3],
  ['["1,2","3"]', 3],
  ['[{},{},1,2]', 4],
];
for (const [text, values] of withNumbers) {
  test(`${text} is made of ${values} values and of numbers, in pieces of any length`, () => {
    for (let piece = 1; piece <= text.length; piece += 1) {
      assert.equal(refusal(text, { values, numbers: 2, piece }), undefined);
      assert.ok(refusal(text, { values: values - 1, numbers: 2, piece }));
    }
  });
}

test('32 levels pass, 33 do not', () => {
  const nested = (levels: number) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
  assert.equal(refusal(nested(32)), undefined);
  assert.equal(refusal(nested(34)), 'The body is nested deeper than 32 levels.');
  assert.equal(refusal('['.repeat(1_000_000)), 'The body is nested deeper than 32 levels.');
  assert.equal(refusal('[[],'.repeat(30)), undefined);
});

const object = (members: number, name = (index: number) => `k${index}`): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: members }, (_, index) => [name(index), ''])));

test('an object has 1,000 members, each object for itself', () => {
  assert.equal(refusal(`[${object(1_000)},{"a":${object(1_000)}},${object(1_000)}]`), undefined);
  const message = 'The body is made of an object with more than 1000 members.';
  assert.equal(refusal(`[${object(1_001)}]`), message);
  assert.equal(refusal(`{"a":{${'"b":{"c":1},'.repeat(1_001)}}}`), message);
});

test('names have a mebibyte together, texts as much as they like', () => {
  const list = (count: number) =>
    `[${`${object(1_000, (index) => `${index}`.padEnd(100))},`.repeat(count)}1]`;
  assert.equal(refusal(list(10)), undefined);
  assert.equal(refusal(list(11)), 'The body is made of more than 1048576 bytes of names.');
  assert.equal(refusal(`{"a":"${'x'.repeat(20_000_000)}"}`), undefined);
});

test('two million characters may be escaped', () => {
  assert.equal(refusal(`["${String.raw`\n`.repeat(2_000_000)}"]`), undefined);
  const message = 'The body is made of more than 2000000 escaped characters.';
  assert.equal(refusal(`["${String.raw`\"`.repeat(2_000_001)}"]`), message);
});

/** A document of every kind of value, and of how many. */
function randomDocument(
  random: ReturnType<typeof createRandom>,
  depth = 0,
): { text: string; values: number } {
  const scalars = [
    '1',
    '-1e3',
    'true',
    'null',
    '""',
    '"a"',
    String.raw`"\\"`,
    String.raw`"\"[{,:"`,
    '"ñ,😀"',
  ];
  const kind = depth > 6 ? 0 : Math.floor(random.next() * 4);
  if (kind < 2) return { text: random.pick(scalars), values: 1 };
  const items = Array.from({ length: Math.floor(random.next() * 5) }, () =>
    randomDocument(random, depth + 1),
  );
  const blank = random.pick(['', ' ', '\n\t']);
  const name = (index: number) => (kind === 2 ? '' : `${JSON.stringify(`${index}"\\:,{`)}${blank}:`);
  const text = items.map((item, index) => `${blank}${name(index)}${blank}${item.text}${blank}`).join(',');
  const values = items.reduce((sum, item) => sum + item.values, 1);
  return { text: kind === 2 ? `[${text}${blank}]` : `{${text}${blank}}`, values };
}

test('any document is counted exactly, in pieces of any length', () => {
  const random = createRandom(17);
  for (let round = 0; round < 3_000; round += 1) {
    const { text, values } = randomDocument(random);
    JSON.parse(text);
    const piece = 1 + Math.floor(random.next() * 20);
    assert.equal(refusal(text, { values, piece }), undefined, text);
    if (values > 1) assert.ok(refusal(text, { values: values - 1, piece }), text);
  }
});

/** Microseconds of processor for each octet that is looked at. */
function cost(text: string): number {
  const octets = Buffer.from(text);
  const start = process.cpuUsage();
  new JsonMeter({ values: 1e9 }).read(octets);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / octets.length;
}

test('counting takes time in proportion to the text, whatever it is', () => {
  const pieces = [
    '"a",',
    '{},',
    '"",',
    String.raw`"\\",`,
    ' ',
    '1',
    '"',
    '\\',
    String.raw`"\"`,
    ':',
    '}',
    ']',
  ];
  for (const piece of pieces) {
    const text = `["${piece.repeat(4_000_000 / piece.length)}`;
    assert.ok(cost(text) < 0.25, `${piece} costs ${cost(text)} µs`);
    assert.ok(cost(text.slice(2)) < 0.25, `${piece} costs ${cost(text.slice(2))} µs`);
  }
});
