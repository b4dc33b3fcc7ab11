import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parsePath } from './mailbox-path.ts';

const accepted: [string, string, string][] = [
  ['<a@b.example>', 'a@b.example', ''],
  ['  <a@b.example> SIZE=3', 'a@b.example', ' SIZE=3'],
  ["<o'hara+tag!#$%&*@b.example>", "o'hara+tag!#$%&*@b.example", ''],
  ['<"quoted local"@b.example>', '"quoted local"@b.example', ''],
  [String.raw`<"a\"b> <"@b.example> X`, String.raw`"a\"b> <"@b.example`, ' X'],
  ['<"a@b"@b.example>', '"a@b"@b.example', ''],
  ['<@one.example,@two.example:a@b.example>', 'a@b.example', ''],
  ['<a@[192.0.2.1]>', 'a@[192.0.2.1]', ''],
  ['<a@[IPv6:2001:db8::1]>', 'a@[IPv6:2001:db8::1]', ''],
  ['<a@localhost>', 'a@localhost', ''],
  ['<josé@ñandú.example>', 'josé@ñandú.example', ''],
  ['<Postmaster>', 'Postmaster', ''],
  [`<${'a'.repeat(64)}@b.example>`, `${'a'.repeat(64)}@b.example`, ''],
];
for (const [text, address, rest] of accepted) {
  test(`${text} is the path of ${address}`, () => {
    const path = parsePath(text);
    assert.equal(path?.mailbox?.address, address);
    assert.equal(path?.rest, rest);
  });
}

test('the null path is not a mailbox', () => {
  assert.deepEqual(parsePath('<> BODY=7BIT'), { mailbox: undefined, rest: ' BODY=7BIT' });
});

test('characters outside ASCII need SMTPUTF8, in the local part and in the domain', () => {
  assert.equal(parsePath('<a@b.example>')?.mailbox?.is_utf8, false);
  assert.equal(parsePath('<josé@b.example>')?.mailbox?.is_utf8, true);
  assert.equal(parsePath('<a@ñandú.example>')?.mailbox?.is_utf8, true);
});

const refused = [
  '',
  'a@b.example',
  '<a@b.example',
  '<a>',
  '<@b.example>',
  '<a@>',
  '<a@b..example>',
  '<a@.b.example>',
  '<a@-b.example>',
  '<a@b-.example>',
  '<.a@b.example>',
  '<a.@b.example>',
  '<a..b@b.example>',
  '<a b@b.example>',
  '<a@b@c.example>',
  '<"un"quoted"@b.example>',
  '<"open@b.example>',
  '<a@[192.0.2.256]>',
  '<a@[IPv6:nonsense]>',
  '<a@[2001:db8::1]>',
  `<${'a'.repeat(65)}@b.example>`,
  `<${'é'.repeat(33)}@b.example>`,
  `<a@${'b'.repeat(250)}.example>`,
];
for (const text of refused) {
  test(`${JSON.stringify(text)} is not a path`, () => assert.equal(parsePath(text), undefined));
}

test('a long line of whatever shape is judged at once', () => {
  const hard = [
    '<@a,'.repeat(3000),
    `<${'a.'.repeat(6000)}`,
    `<"${'\\"'.repeat(6000)}`,
    `<a@${'b-'.repeat(6000)}>`,
  ];
  const start = process.cpuUsage();
  for (const text of hard) assert.equal(parsePath(text), undefined);
  assert.ok(process.cpuUsage(start).user < 1_000_000);
});
