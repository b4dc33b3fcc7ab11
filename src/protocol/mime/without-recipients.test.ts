import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutRecipients } from './without-recipients.ts';

const message = (...fields: string[]): Buffer =>
  Buffer.from([...fields, '', 'To: ana@example.com', ''].join('\r\n'));
const ana = new Set(['ana@example.com']);
const headerWithout = (...fields: string[]): string =>
  withoutRecipients(message(...fields), ana)
    .toString()
    .split('\r\n\r\n')[0] ?? '';

test('a recipient is taken out of To and Cc, in any spelling, and the others stay', () => {
  const header = headerWithout(
    'From: a@example.org',
    'To: "Pérez, Ana" <ANA@Example.com>, Bob <bob@example.com>,\r\n friends: ana@example.com, cid@example.com;',
    'Cc: ana@example.com',
    'Subject: Hi',
  );
  assert.equal(
    header,
    ['From: a@example.org', 'To: Bob <bob@example.com>, cid@example.com', 'Subject: Hi'].join('\r\n'),
  );
});

test('fields that name the recipient otherwise go, and those of the writer stay', () => {
  const header = headerWithout(
    'Delivered-To: ana@example.com',
    'From: ana@example.com',
    'X-Campaign: 7',
    'To: susana@example.com',
  );
  assert.equal(header, ['From: ana@example.com', 'X-Campaign: 7', 'To: susana@example.com'].join('\r\n'));
});

test('does not change the body, nor a message without recipients', () => {
  assert.match(
    withoutRecipients(message('To: ana@example.com'), ana).toString(),
    /\r\nTo: ana@example\.com\r\n$/,
  );
  const other = message('To: bob@example.com');
  assert.equal(withoutRecipients(other, ana), other);
});
