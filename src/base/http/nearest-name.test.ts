import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestName } from './nearest-name.ts';

const known = ['sender_email', 'to', 'cc', 'subject', 'html', 'text', 'custom_msg_id', 'custom_group_code'];

for (const [given, expected] of [
  ['subjct', 'subject'],
  ['Subject', 'subject'],
  ['customMsgId', 'custom_msg_id'],
  ['custom-group-cod', 'custom_group_code'],
  ['htm', 'html'],
  ['sender', 'sender_email'],
  ['from', 'sender_email'],
  ['From', 'sender_email'],
  ['body', 'html'],
  ['recipients', 'to'],
  ['too', 'to'],
  ['tags', undefined],
  ['colour', undefined],
  ['bbb', undefined],
  ['', undefined],
  ['constructor', undefined],
  ['__proto__', undefined],
] as const) {
  test(`nearest to ${given} is ${expected}`, () => assert.equal(nearestName(given, known), expected));
}

test('nearestName finds nothing for text longer than any name, and in an empty list', () => {
  assert.equal(nearestName('x'.repeat(65), known), undefined);
  assert.equal(nearestName('a', []), undefined);
});
