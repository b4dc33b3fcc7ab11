import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressParser } from 'postal-mime';
import { readAddresses } from './read-addresses.ts';
import { seededRandom } from './seeded-random.fixture.ts';

test('mailboxes are read in every form, those of groups too', () => {
  const cases: [string, [address: string, name: string][]][] = [
    ['ana@example.com', [['ana@example.com', '']]],
    ['<ana@example.com>', [['ana@example.com', '']]],
    ['Ana María <ana@example.com>', [['ana@example.com', 'Ana María']]],
    ['Ana-Luz  G. <ana+x@example.com>', [['ana+x@example.com', 'Ana-Luz  G.']]],
    ['" Ana "  <ana@example.com>', [['ana@example.com', 'Ana']]],
    ['"Gómez, Ana" <ana@example.com>', [['ana@example.com', 'Gómez, Ana']]],
    ['ana@example.com (Ana)', [['ana@example.com', 'Ana']]],
    [
      'a@example.com, B <b@example.com>',
      [
        ['a@example.com', ''],
        ['b@example.com', 'B'],
      ],
    ],
    [
      'Friends: a@example.com, <b@example.com>;',
      [
        ['a@example.com', ''],
        ['b@example.com', ''],
      ],
    ],
    ['=?utf-8?q?Ana_G=C3=B3mez?= <ana@example.com>', [['ana@example.com', 'Ana Gómez']]],
    ['nobody', [['', 'nobody']]],
  ];
  for (const [value, expected] of cases) {
    assert.deepEqual(
      readAddresses(value).map(({ address, name }) => [address, name]),
      expected,
      value,
    );
  }
});

test('the short way says what the parser says, whatever the header', () => {
  const random = seededRandom(7);
  const pieces = [
    'a',
    'B c',
    'x@y.z',
    '@',
    '.',
    '-',
    '+',
    "'",
    '_',
    ' ',
    '  ',
    '\t',
    '<',
    '>',
    '"',
    ',',
    ';',
    ':',
  ];
  pieces.push('(', ')', '\\', '=?utf-8?q?x?=', '=', 'é', '<a@b.c>', '"N" ', 'N ', '\r\n ', '\u00a0', '!');
  for (let round = 0; round < 50_000; round += 1) {
    const value = Array.from(
      { length: random() * 7 },
      () => pieces[Math.floor(random() * pieces.length)],
    ).join('');
    const parsed = addressParser(value, { flatten: true });
    const expected = parsed.map(({ address = '', name }) => ({ address, name }));
    assert.deepEqual(readAddresses(value), expected, JSON.stringify(value));
  }
});

test('a header of any length is read in time that grows with it', () => {
  const start = process.cpuUsage();
  for (const filling of [' ', 'a', '.', '"', ' <', 'a@']) readAddresses(`a${filling.repeat(200_000)}`);
  assert.ok(process.cpuUsage(start).user < 2_000_000);
});
