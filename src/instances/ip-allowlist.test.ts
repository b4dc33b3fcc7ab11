import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressAllowed, validateRanges, parseRange } from './ip-allowlist.ts';

const wrong = [
  '',
  'nonsense',
  '203.0.113',
  '203.0.113.256',
  '010.0.0.1',
  '0x7f.0.0.1',
  '2130706433',
  '203.0.113.0/33',
  '203.0.113.0/-1',
  '203.0.113.0/',
  '203.0.113.0/8/8',
  '2001:db8::/129',
  'fe80::1%eth0',
  ' 203.0.113.0/24',
  '203.0.113.0-203.0.113.9',
];
test('ranges that PostgreSQL rejects are refused, each with its place', () => {
  const violations = validateRanges(['203.0.113.0/24', ...wrong, '::/0']);
  assert.deepEqual(
    violations.map(({ pointer }) => pointer),
    wrong.map((_text, index) => `/ip_allowlist/${index + 1}`),
  );
});

test('an empty list allows every address', () => {
  assert.ok(addressAllowed('203.0.113.9', []));
  assert.ok(addressAllowed('nonsense', []));
});

test('a list allows addresses in one of its ranges and rejects what is not an address', () => {
  const ranges = ['203.0.113.0/24', '2001:db8::/32', '::ffff:198.51.100.0/120'].map(parseRange);
  for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1', '198.51.100.7']) {
    assert.ok(addressAllowed(address, ranges), address);
  }
  for (const address of ['203.0.114.9', '2001:db9::1', '', 'nonsense', '0xcb.0.113.9', '203.0.113.9:80']) {
    assert.ok(!addressAllowed(address, ranges), address);
  }
});

test('a link-local caller is judged without its zone', () => {
  assert.ok(addressAllowed('fe80::1%eth0', [parseRange('fe80::/10')]));
});
