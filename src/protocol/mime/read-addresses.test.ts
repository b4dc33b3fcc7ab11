import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressParser } from 'postal-mime';
import { foldMailboxes } from './address-header.ts';
import { assertLinear } from './growth.fixture.ts';
import { readAddresses } from './read-addresses.ts';
import { seededRandom } from './seeded-random.fixture.ts';

const listed = (value: string): [address: string, name: string][] =>
  readAddresses(value).mailboxes.map(({ address, name }) => [address, name]);

/** As programs write them: one mailbox each. */
const legal: [value: string, address: string, name: string][] = [
  ['ana@example.com', 'ana@example.com', ''],
  ['<ana@example.com>', 'ana@example.com', ''],
  ['Ana Soto 2 <ana.soto+x_y-z@mail.example.com>', 'ana.soto+x_y-z@mail.example.com', 'Ana Soto 2'],
  ['Ana  Soto <ana@example.com>', 'ana@example.com', 'Ana Soto'],
  ['  ana@example.com  ', 'ana@example.com', ''],
  ['Ana María <ana@example.com>', 'ana@example.com', 'Ana María'],
  ['Ana<ana@example.com>', 'ana@example.com', 'Ana'],
  ['"Gómez, Ana" <ana@example.com>', 'ana@example.com', 'Gómez, Ana'],
  ['" Ana "  <ana@example.com>', 'ana@example.com', 'Ana'],
  [
    String.raw`"Ana \"la jefa\" \\" <ana@example.com>`,
    'ana@example.com',
    String.raw`Ana "la jefa" \ `.trim(),
  ],
  ['John Q. Public <jqp@example.com>', 'jqp@example.com', 'John Q. Public'],
  ['Acme Inc. <sales@example.com>', 'sales@example.com', 'Acme Inc.'],
  ["Miles O'Brien <miles@example.com>", 'miles@example.com', "Miles O'Brien"],
  ['Ana & Co / 24-7! <a@example.com>', 'a@example.com', 'Ana & Co / 24-7!'],
  ['=?utf-8?q?Ana_G=C3=B3mez?= <ana@example.com>', 'ana@example.com', 'Ana Gómez'],
  ['=?UTF-8?B?QW5hIEc=?= =?UTF-8?B?w7NtZXo=?= <ana@example.com>', 'ana@example.com', 'Ana Gómez'],
  ['"=?utf-8?q?G=C3=B3mez=2C?= Ana" <ana@example.com>', 'ana@example.com', 'Gómez, Ana'],
  ['=?iso-8859-1?q?Mu=F1oz?= <m@example.com>', 'm@example.com', 'Muñoz'],
  ['"ana@client.example" <app@example.com>', 'app@example.com', 'ana@client.example'],
  ['ana@example.com (Ana Gómez)', 'ana@example.com', 'Ana Gómez'],
  ['Ana (home (not work)) <ana@example.com>', 'ana@example.com', 'Ana'],
  [String.raw`ana@example.com (a \) b)`, 'ana@example.com', 'a ) b'],
  ['(x) ana (y) @ (z) example.com', 'ana@example.com', ''],
  ['Ana < ana@example.com >', 'ana@example.com', 'Ana'],
  ['"two words"@example.com', '"two words"@example.com', ''],
  [String.raw`"a\"b"@example.com`, String.raw`"a\"b"@example.com`, ''],
  ["o'hara+tag!#$%&*@example.com", "o'hara+tag!#$%&*@example.com", ''],
  ['josé@ñandú.cl', 'josé@ñandú.cl', ''],
  ['Ana\t <ana@example.com>', 'ana@example.com', 'Ana'],
];
for (const [value, address, name] of legal) {
  test(`${value} is one mailbox`, () => {
    assert.deepEqual(readAddresses(value), { mailboxes: [{ address, name }], is_plain: true });
  });
}

/** Malformed mailbox lists (RFC 5322 §3.4); other programs read most of them as another author. */
const hostile = [
  '',
  ' ',
  'nobody',
  'ceo@bank.example (a (b) <app@own.example>',
  'ceo@bank.example <app@own.example>',
  'ceo@bank.example, <app@own.example',
  'ceo@bank.example: app@own.example;',
  'g: app@own.example;',
  'undisclosed-recipients:;',
  'app@own.example;',
  'CEO <app@own.example',
  'CEO app@own.example>',
  '<<app@own.example>>',
  '<ceo@bank.example><app@own.example>',
  '<ceo@bank.example> <app@own.example>',
  '<ceo@bank.example> app@own.example',
  'app@own.example ceo@bank.example',
  'ceo@bank.example@own.example',
  '<ceo@bank.example@own.example>',
  '<@bank.example:app@own.example>',
  '<app>',
  '<>',
  'CEO <>',
  '"ceo@bank.example" "x" app@own.example',
  '"ceo@bank.example <app@own.example>',
  '"ceo" app@own.example',
  String.raw`ceo\@bank.example <app@own.example>`,
  String.raw`"ceo\" <app@own.example>`,
  'ceo)bank <app@own.example>',
  'ceo]bank <app@own.example>',
  'ceo[bank <app@own.example>',
  'ceo\u0000 <app@own.example>',
  'app@own\u0000.example',
  '"ceo\u0000" <app@own.example>',
  '"ceo\u007f" <app@own.example>',
  'a\u0001b <app@own.example>',
  ',app@own.example',
  'app@own.example,',
  'app@own.example,,',
  'a@b.example,, c@d.example',
  'app@own.example (',
  '(app@own.example',
];
for (const value of hostile) {
  test(`${JSON.stringify(value)} is not a plain list of mailboxes`, () => {
    const { mailboxes, is_plain } = readAddresses(value);
    assert.ok(!is_plain || mailboxes.length === 0, JSON.stringify(mailboxes));
  });
}

test('reads lists and groups, and skips what is not an address', () => {
  const cases: [value: string, addresses: string[]][] = [
    ['a@b.example, C <c@d.example>', ['a@b.example', 'c@d.example']],
    ['Friends: a@b.example, <c@d.example>;', ['a@b.example', 'c@d.example']],
    ['F: a@b.example;, c@d.example', ['a@b.example', 'c@d.example']],
    ['undisclosed-recipients:;', []],
    ['nobody, a@b.example', ['a@b.example']],
    ['x y@z.example, <broken, a@b.example', ['a@b.example']],
    ['"Doe, John" <j@d.example>,(a, b) a@b.example,', ['j@d.example', 'a@b.example']],
    ['a@b.example, "never closed, c@d.example', ['a@b.example']],
  ];
  for (const [value, addresses] of cases) {
    assert.deepEqual(
      listed(value).map(([address]) => address),
      addresses,
      value,
    );
  }
});

test('no more are read than are asked for', () => {
  assert.equal(readAddresses('a@b.example, '.repeat(1_000), 2).mailboxes.length, 2);
});

test('a header of too many words is given up', () => {
  const named = (words: number): string => `${'a '.repeat(words)}<a@b.example>`;
  assert.equal(readAddresses(named(49_000)).mailboxes.length, 1);
  assert.deepEqual(readAddresses(named(50_000)), { mailboxes: [], is_plain: false });
});

const pieces = [
  ['a', 'B c', 'x@y.z', '@', '.', '-', "'", ' ', '\t', '<', '>', '"', ',', ';', ':', '(', ')', '\\'],
  ['=?utf-8?q?x?=', '=?utf-8?q?=22=3C=40?=', '=', 'é', '<a@b.c>', '"N" ', 'N ', '\r\n ', '[', ']', '!'],
].flat();

test('an accepted mailbox, written again, is the same mailbox to another parser', () => {
  const random = seededRandom(7);
  let passed = 0;
  for (let round = 0; round < 100_000; round += 1) {
    const length = 1 + random() * 7;
    const value = Array.from({ length }, () => pieces[Math.floor(random() * pieces.length)]).join('');
    const { mailboxes, is_plain } = readAddresses(value);
    const [mailbox, second] = mailboxes;
    if (!is_plain || !mailbox || second || !/^[\w.-]+@[\w.-]+$/.test(mailbox.address)) continue;
    passed += 1;
    const [field = ''] = foldMailboxes('From', [mailbox]).split('\r\n');
    const seen = addressParser(field.slice('From:'.length));
    assert.deepEqual(
      seen.map(({ address, name }) => ({ address, name: name || mailbox.address })),
      [{ address: mailbox.address, name: mailbox.name || mailbox.address }],
      `${JSON.stringify(value)} became ${field}`,
    );
    assert.equal(field.match(/[<@]/g)?.length, field.includes('<') ? 2 : 1, field);
  }
  assert.ok(passed > 2_000, `${passed} passed`);
});

test('a header of any length is read in time that grows with it', () => {
  assertLinear(readAddresses, {
    pieces: [...pieces, 'g:', 'a@b.c,', '()', '((', String.raw`\"`, String.raw`("\)`, '=?a?b?AA?= '],
    around: [
      ['', ''],
      ['"', ''],
      ['(', ' <a@b.c>'],
    ],
    seed: 17,
    octets: 100_000,
    ns_per_octet: 500,
  });
});
