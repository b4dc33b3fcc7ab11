import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailboxKey } from './mailbox-key.ts';

const spellings = [
  'bomb@victim.example',
  ' BOMB@VICTIM.example. ',
  'bomb@victim．example',
  'bomb@victim。example｡',
  'bomb@ｖｉｃｔｉｍ.example',
  '"bomb"@victim.example',
  String.raw`"b\o\mb"@victim.example`,
  '" bomb "@victim.example',
  'bomb+1@victim.example',
  '"bomb+2"@victim.example',
  'ｂｏｍｂ@victim.example',
];
for (const spelling of spellings) {
  test(`${spelling} is bomb@victim.example`, () => assert.equal(mailboxKey(spelling), 'bomb@victim.example'));
}

test('an international domain has one key in both of its forms', () => {
  assert.equal(mailboxKey('ana@ñandú.cl'), mailboxKey('ana@XN--AND-6MA2C.cl'));
});

test('dots count, but for the provider that ignores them', () => {
  assert.notEqual(mailboxKey('a.na@example.com'), mailboxKey('ana@example.com'));
  assert.equal(mailboxKey('a.n.a+x@googlemail.com'), 'ana@gmail.com');
});

test('different people have different keys, and an invalid address has none', () => {
  const people = ['ana@example.com', 'bob@example.com', 'ana@example.org', '+ana@example.com'];
  assert.equal(new Set(people.map(mailboxKey)).size, people.length);
  assert.equal(mailboxKey('ana'), undefined);
});
