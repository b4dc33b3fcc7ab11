import assert from 'node:assert/strict';
import { createHmac, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { RootSecret } from '../base/secrets.ts';
import { MailTokens } from './mail-token.ts';

const secret = new RootSecret('a root secret for tests, and for tests alone');
const tokens = new MailTokens(secret);
const mail_id = randomUUID();

test('a token is the id of its mail and eight bytes of HMAC-SHA-256, as in mail that was delivered long ago', () => {
  const id = mail_id.replaceAll('-', '');
  const mac = createHmac('sha256', secret.deriveKey('mail-token view')).update(id, 'hex').digest('hex');
  assert.equal(tokens.make('view', mail_id), id + mac.slice(0, 16));
});

test('a token names its mail in either case, for its own use only', () => {
  const token = tokens.make('bounce', mail_id);
  assert.equal(tokens.read('bounce', token.toUpperCase()), mail_id);
  assert.equal(tokens.read('unsubscribe', token), undefined);
  const other = new MailTokens(new RootSecret('another root secret for tests, and for tests alone'));
  assert.equal(other.read('bounce', token), undefined);
});

test('a token with any character changed, left out or added is refused', () => {
  const token = tokens.make('bounce', mail_id);
  for (let at = 0; at < token.length; at += 1) {
    const changed = token[at] === '0' ? '1' : '0';
    assert.equal(tokens.read('bounce', token.slice(0, at) + changed + token.slice(at + 1)), undefined);
    assert.equal(tokens.read('bounce', token.slice(0, at) + token.slice(at + 1)), undefined);
  }
  assert.equal(tokens.read('bounce', `${token}0`), undefined);
});
