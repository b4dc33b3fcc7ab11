import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { RootSecret } from '../base/secrets.ts';
import { MailTokens } from '../mails/mail-token.ts';
import { seededRandom } from '../protocol/mime/seeded-random.fixture.ts';
import { maxTargetLength, TrackingTokens } from './tracking-token.ts';

const mail_id = '019a84f2-7c00-7000-8000-2f6d1c3b5a7a';
const instance_id = 2 ** 40 + 7;
const mail = { mail_id, instance_id };
const secret = new RootSecret('a root secret for tests, and for tests alone');
const tokens = new TrackingTokens(secret);
const clickOn = (url: string): string => {
  const target = tokens.target(url);
  assert.ok(target, url);
  return tokens.of(mail).click(target) + target.tail;
};

test('a token names its mail and the target of its link', () => {
  assert.deepEqual(tokens.read(tokens.of(mail).open()), { mail_id, instance_id: null, url: null });
  for (const url of [
    'https://a.test/',
    'http://a.test/?b=c&d=%C3%B1#e',
    `https://a.test/${'x'.repeat(1_000)}`,
  ]) {
    assert.deepEqual(tokens.read(clickOn(url)), { mail_id, instance_id, url });
  }
});

test('a link of an earlier version still leads to its target', () => {
  for (const [mark, scheme] of [
    [0x11, 'http://'],
    [0x12, 'https://'],
  ] as const) {
    const target = Buffer.from('a.test/b?c=d');
    const subject = Buffer.from([mark, ...Buffer.from(mail_id.replaceAll('-', ''), 'hex')]);
    const mac = createHmac('sha256', secret.deriveKey('tracking-token'))
      .update(subject)
      .update(target)
      .digest();
    const token = Buffer.concat([subject, mac.subarray(0, 10), target]).toString('base64url');
    assert.deepEqual(tokens.read(token), { mail_id, instance_id: null, url: `${scheme}a.test/b?c=d` });
  }
});

test('a token is as short as it can be and carries no address', () => {
  assert.equal(tokens.of(mail).open().length, 36);
  assert.equal(clickOn('https://shop.example/a').length, 44 + Math.ceil(('shop.example/a'.length * 4) / 3));
  assert.match(clickOn('https://shop.example/a?b=c'), /^[\w-]+$/);
});

test('only http and https, printable and of bounded length, are targets', () => {
  const refused = [
    'javascript:alert(1)',
    'data:text/html,x',
    'ftp://a.test/',
    'mailto:a@b.test',
    '//a.test/',
    '/path',
    'https://',
    'https://a.test/\r\nSet-Cookie: a=b',
    'https://a.test/\n',
    'https://a.test/ b',
    'https://ñ.test/',
    `https://a.test/${'x'.repeat(maxTargetLength)}`,
    '',
  ];
  for (const url of refused) assert.equal(tokens.target(url), undefined, url);
});

test('a token with any character changed, left out or added is rejected', () => {
  const token = clickOn('https://shop.example/a?b=c');
  for (let at = 0; at < token.length; at += 1) {
    const other = token[at] === 'A' ? 'B' : 'A';
    assert.equal(tokens.read(token.slice(0, at) + other + token.slice(at + 1)), undefined);
    assert.equal(tokens.read(token.slice(0, at)), undefined);
    assert.equal(tokens.read(token.slice(0, at) + token.slice(at + 1)), undefined);
    assert.equal(tokens.read(`${token.slice(0, at)}A${token.slice(at)}`), undefined);
  }
});

test('the parts of two tokens make no third', () => {
  const [one, other] = [clickOn('https://a.test/1'), clickOn('https://b.test/2')];
  assert.equal(tokens.read(one.slice(0, 44) + other.slice(44)), undefined);
  assert.equal(tokens.read(tokens.of(mail).open() + one.slice(44)), undefined);
  assert.equal(tokens.read(one.slice(0, 44)), undefined);
});

test('the kind of a token cannot be changed', () => {
  for (const token of [clickOn('http://a.test/'), clickOn('https://a.test/'), tokens.of(mail).open()]) {
    const bytes = Buffer.from(token, 'base64url');
    const [own = 0] = bytes;
    for (const mark of [0x10, 0x11, 0x12, 0x13, 0x14, own + 0x10].filter((each) => each !== own)) {
      bytes[0] = mark;
      assert.equal(tokens.read(bytes.toString('base64url')), undefined, `${own} as ${mark}`);
    }
  }
});

test('tokens of another installation or another use, and noise, are rejected', () => {
  const foreign = new TrackingTokens(new RootSecret('another root secret, of somebody else entirely'));
  assert.equal(tokens.read(foreign.of(mail).open()), undefined);
  const hex = new MailTokens(secret).make('unsubscribe', mail_id);
  assert.equal(tokens.read(hex), undefined);
  assert.equal(tokens.read(Buffer.from(hex, 'hex').toString('base64url')), undefined);
  const random = seededRandom(3);
  const alphabet = 'ABCabc012-_';
  for (let round = 0; round < 5_000; round += 1) {
    const length = Math.floor(random() * 80);
    const noise = Array.from({ length }, () => alphabet[Math.floor(random() * alphabet.length)]).join('');
    assert.equal(tokens.read(noise), undefined);
  }
  for (const odd of ['', '/', '=', 'ñ'.repeat(36), '\0'.repeat(36), 'A'.repeat(100_000)]) {
    assert.equal(tokens.read(odd), undefined);
  }
});
