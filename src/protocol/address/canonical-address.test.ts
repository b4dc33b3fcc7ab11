import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonicalAddress } from './canonical-address.ts';

const accepted: [string, string][] = [
  ['  Ana.Pérez+tag@Example.COM. ', 'Ana.Pérez+tag@example.com'],
  ['user@ñandú.cl', 'user@xn--and-6ma2c.cl'],
  ['user@BÜCHER.example', 'user@xn--bcher-kva.example'],
  ['"quoted local"@example.com', '"quoted local"@example.com'],
  [String.raw`"a\"b"@example.com`, String.raw`"a\"b"@example.com`],
  ["o'hara!#$%&*@example.com", "o'hara!#$%&*@example.com"],
  [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ['用户@例子.广告', '用户@xn--fsqu00a.xn--4rr70v'],
  ['x@sub.sandbox.test', 'x@sub.sandbox.test'],
];
for (const [given, canonical] of accepted) {
  test(`${given} is ${canonical}`, () => assert.equal(canonicalAddress(given)?.address, canonical));
}

const refused = [
  '',
  '@example.com',
  'user',
  'user@',
  'user@localhost',
  'user@-example.com',
  'user@example..com',
  'user@exa mple.com',
  'user@[192.0.2.1]',
  'user@192.0.2.1',
  '.user@example.com',
  'user.@example.com',
  'us..er@example.com',
  'us er@example.com',
  'a@b@example.com',
  'user@example.com\r\nBcc: x@y.example',
  'us\u0000er@example.com',
  'us\u200ber@example.com',
  'us\ner@example.com',
  '"un"quoted"@example.com',
  'name <user@example.com>',
  `${'a'.repeat(65)}@example.com`,
  `${'é'.repeat(33)}@example.com`,
  `a@${`${'b'.repeat(60)}.`.repeat(4)}${'c'.repeat(20)}.com`,
];
for (const given of refused) {
  test(`${JSON.stringify(given)} is not an address`, () => assert.equal(canonicalAddress(given), undefined));
}

test('a local part outside ASCII needs SMTPUTF8, a domain does not', () => {
  assert.equal(canonicalAddress('josé@example.com')?.is_utf8, true);
  assert.equal(canonicalAddress('jose@ñandú.cl')?.is_utf8, false);
});
