import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createAuthThrottle } from './auth-throttle.ts';
import { base64, begin, ehlo, mail, plain } from './dialogue.fixture.ts';

/** Lines after EHLO under TLS, and how the last answer begins. */
const authTable: [string, string[], string][] = [
  ['AUTH PLAIN with an initial response', [plain('\0user\0secret')], '235 2.7.0'],
  ['AUTH PLAIN without an initial response is asked for one', ['AUTH PLAIN'], '334'],
  ['AUTH PLAIN after the empty challenge', ['AUTH PLAIN', base64('\0user\0secret')], '235 2.7.0'],
  ['AUTH PLAIN as oneself', [plain('user\0user\0secret')], '235 2.7.0'],
  ['AUTH PLAIN for someone else', [plain('other\0user\0secret')], '535 5.7.8'],
  ['AUTH PLAIN with a wrong password', [plain('\0user\0wrong')], '535 5.7.8'],
  ['AUTH PLAIN without a name', [plain('\0\0secret')], '535 5.7.8'],
  ['AUTH PLAIN with a name beyond measure', [plain(`\0${'u'.repeat(256)}\0secret`)], '535 5.7.8'],
  ['AUTH PLAIN with too few parts', [plain('user\0secret')], '501 5.5.2'],
  ['AUTH PLAIN with too many', [plain('\0user\0secret\0')], '501 5.5.2'],
  ['AUTH PLAIN with an empty initial response', ['AUTH PLAIN ='], '501 5.5.2'],
  ['AUTH PLAIN with what is no base64', ['AUTH PLAIN a*b='], '501 5.5.2'],
  ['AUTH PLAIN answered with what is no base64', ['AUTH PLAIN', 'abc'], '501 5.5.2'],
  ['AUTH LOGIN asks for the name', ['AUTH LOGIN'], '334 VXNlcm5hbWU6'],
  ['AUTH LOGIN asks for the password', ['auth login', base64('user')], '334 UGFzc3dvcmQ6'],
  ['AUTH LOGIN', ['AUTH LOGIN', base64('user'), base64('secret')], '235 2.7.0'],
  ['AUTH LOGIN with an initial response', [`AUTH LOGIN ${base64('user')}`, base64('secret')], '235 2.7.0'],
  ['AUTH LOGIN with a wrong password', ['AUTH LOGIN', base64('user'), base64('wrong')], '535 5.7.8'],
  ['AUTH LOGIN with an empty password', ['AUTH LOGIN', base64('user'), ''], '535 5.7.8'],
  ['an exchange can be cancelled', ['AUTH LOGIN', '*'], '501 5.7.0'],
  ['and is over then', ['AUTH LOGIN', '*', 'NOOP'], '250 2.0.0'],
  ['another mechanism', ['AUTH CRAM-MD5'], '504 5.5.4'],
  ['the name of a built-in property is not a mechanism', ['AUTH constructor'], '504 5.5.4'],
  ['AUTH with too much', ['AUTH PLAIN a b'], '501 5.5.4'],
  ['AUTH twice', [plain('\0user\0secret'), plain('\0user\0secret')], '503 5.5.1'],
  ['AUTH again after a failure', [plain('\0user\0wrong'), plain('\0user\0secret')], '235 2.7.0'],
  ['AUTH within a transaction', [mail, 'AUTH PLAIN'], '503 5.5.1'],
  ['an AUTH line of 12288 octets', [`AUTH PLAIN ${'A'.repeat(12_272)}`], '501 5.5.2'],
  ['an AUTH line beyond', [`AUTH PLAIN ${'A'.repeat(12_276)}`], '500 5.5.6'],
  ['a response beyond', ['AUTH PLAIN', 'A'.repeat(12_288)], '500 5.5.6'],
  ['no command runs within an exchange', ['AUTH LOGIN', 'QUIT'], '334'],
];
for (const [title, lines, answer] of authTable) {
  test(`${title}: ${answer}`, async () => {
    const last = await begin({ encrypted: true }).say(ehlo, ...lines);
    assert.equal(last.slice(0, answer.length), answer);
  });
}

test('after five wrong passwords even the right one has to wait, until it may be tried again', async () => {
  let time = 0;
  const throttle = createAuthThrottle({ failures: 5, forget_ms: 60_000, max_entries: 100 }, () => time);
  const wrong = Array.from({ length: 5 }, () => plain('\0user\0wrong'));
  const { say, events } = begin({ encrypted: true, throttle });
  assert.match(await say(ehlo, ...wrong), /^535/);
  assert.equal(
    await say(plain('\0user\0secret')),
    '454 4.7.0 Too many failed attempts, try again in 60 seconds',
  );
  const another = begin({ encrypted: true, throttle, address: '192.0.2.8' });
  assert.match(await another.say(ehlo, plain('\0user\0secret')), /^454/);
  assert.match(await another.say(plain('\0other\0secret')), /^235/);
  time = 60_000;
  assert.match(await say(plain('\0user\0secret')), /^235/);
  assert.equal(events.filter((each) => each.event === 'auth_failed' && each.throttled).length, 1);
});

test('a refusal that is temporary does not count as a wrong password', async () => {
  const throttle = createAuthThrottle({ failures: 1, forget_ms: 60_000, max_entries: 100 }, () => 0);
  const reply = { code: 454, enhanced: '4.7.0', text: 'later' };
  const { say } = begin({ encrypted: true, throttle, handlers: { onAuth: () => ({ ok: false, reply }) } });
  assert.equal(await say(ehlo, plain('\0user\0x'), plain('\0user\0x')), '454 4.7.0 later');
});
