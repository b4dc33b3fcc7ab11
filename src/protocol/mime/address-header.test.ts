import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldMailboxes } from './address-header.ts';
import { headerLines } from './decode-header.fixture.ts';

const table: [why: string, name: string | undefined, mailbox: string][] = [
  ['no name is an address', undefined, 'a@example.com'],
  ['a blank name is left out', '  ', 'a@example.com'],
  ['atoms need no quotes', 'Ana Maria', 'Ana Maria <a@example.com>'],
  ['a dot needs quotes', 'Joe Q. Public', '"Joe Q. Public" <a@example.com>'],
  ['a comma needs quotes', 'Public, Joe', '"Public, Joe" <a@example.com>'],
  ['an address as a name is encoded', 'x@evil.example', '=?utf-8?q?x=40evil=2Eexample?= <a@example.com>'],
  ['so is what looks like one', 'CEO <c>', '=?utf-8?q?CEO_=3Cc=3E?= <a@example.com>'],
  [
    'quotes and backslashes are escaped',
    'Giant; "Big" \\ Box',
    String.raw`"Giant; \"Big\" \\ Box" <a@example.com>`,
  ],
  ['a name outside ASCII is encoded', 'José', '=?utf-8?q?Jos=C3=A9?= <a@example.com>'],
  ['what looks encoded is encoded', '=?utf-8?q?x?=', '=?utf-8?q?=3D=3Futf-8=3Fq=3Fx=3F=3D?= <a@example.com>'],
  ['a tab is encoded', 'a\tb', '=?utf-8?q?a=09b?= <a@example.com>'],
];
for (const [why, name, mailbox] of table) {
  test(why, () => {
    assert.equal(foldMailboxes('From', [{ address: 'a@example.com', name }]), `From: ${mailbox}\r\n`);
  });
}

test('a list is folded between mailboxes', () => {
  const mailboxes = Array.from({ length: 50 }, (_, index) => ({
    address: `recipient-${index}@example.com`,
    name: index % 3 === 0 ? `Persona número ${index}, de la lista` : undefined,
  }));
  const lines = headerLines(foldMailboxes('To', mailboxes));
  assert.ok(lines.every((line) => line.length <= 76));
  assert.equal(lines.join('').split(/, (?=recipient|=\?)/).length, 50);
});

test('a local part outside ASCII is written as it is', () => {
  assert.equal(
    foldMailboxes('To', [{ address: '用户@xn--fsqu00a.example' }]),
    'To: 用户@xn--fsqu00a.example\r\n',
  );
  assert.equal(foldMailboxes('To', [{ address: '"a b"@example.com' }]), 'To: "a b"@example.com\r\n');
});

test('long names and addresses stay within a line', () => {
  const address = `${'a'.repeat(64)}@${`${'b'.repeat(60)}.`.repeat(3)}com`;
  const field = foldMailboxes('Reply-To', [{ address, name: 'Un nombre largo '.repeat(60) }]);
  for (const line of headerLines(field)) assert.ok(line.length <= 76 || line === ` <${address}>`, line);
});

test('a header never holds characters that end a line or a mailbox', () => {
  for (const name of ['a\r\nBcc: b', 'a\nb', 'a\0', '\u007f']) {
    assert.throws(() => foldMailboxes('From', [{ address: 'a@example.com', name }]), TypeError);
  }
  const addresses = [
    'a@example.com\r\nBcc: b@c.example',
    'a@example.com, b@c.example',
    'a b@c.example',
    'a',
    '<a@b.example>',
    '',
  ];
  for (const address of addresses)
    assert.throws(() => foldMailboxes('From', [{ address }]), TypeError, address);
});
