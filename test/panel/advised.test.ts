import assert from 'node:assert/strict';
import { test } from 'node:test';
import { advisedOf } from '../../panel/src/pages/mail/advised.ts';

type Standing = Parameters<typeof advisedOf>[0];
type Cause = [code: Standing['code'], side: Standing['side']];
const of = (status: number, [code, side]: Cause, isRestricted = false) =>
  advisedOf({ status, code, side, isRestricted });

test('advice offers only actions that can help', () => {
  assert.deepEqual(of(3, ['delivered', 'none']), []);
  assert.deepEqual(of(5, ['server_unreachable', 'recipient_server']), ['retry']);
  assert.deepEqual(of(5, ['in_delivery', 'none']), [], 'it is being sent');
  assert.deepEqual(of(5, ['destination_paused', 'sender']), [], 'a retry would wait too');
  assert.deepEqual(of(6, ['spam', 'sender']), ['resend']);
  assert.deepEqual(of(6, ['mailbox_full', 'recipient']), ['resend']);
  assert.deepEqual(of(6, ['no_such_user', 'recipient'], true), ['lift'], 'the address may exist by now');
  assert.deepEqual(of(4, ['recipient_restricted', 'recipient'], true), ['lift', 'resend']);
});

test('a person who said no is not written to again by a button', () => {
  for (const code of [
    'recipient_unsubscribed',
    'consent_revoked',
    'recipient_blocked',
    'recipient_erased',
  ] as const) {
    assert.deepEqual(of(4, [code, 'recipient']), [], code);
  }
  assert.deepEqual(of(4, ['consent_missing', 'sender']), []);
});
