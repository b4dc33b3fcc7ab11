import assert from 'node:assert/strict';
import { test } from 'node:test';
import { begin, ehlo, mail, plain, rcpt, tls, type Setup } from './dialogue.fixture.ts';
import { defaultLimits } from './limits.ts';
import { formatReply } from './reply.ts';

test('EHLO offers what can be had at that moment', async () => {
  const offers = async (setup: Setup): Promise<string> => await begin(setup).say(ehlo);
  assert.equal(
    await offers({}),
    [
      '250-mx.example greets client.example',
      '250-PIPELINING',
      '250-SIZE 1000',
      '250-8BITMIME',
      '250-SMTPUTF8',
      '250-ENHANCEDSTATUSCODES',
      '250-LIMITS RCPTMAX=2',
      '250 STARTTLS',
    ].join('\r\n'),
  );
  assert.match(await offers({ encrypted: true }), /RCPTMAX=2\r\n250 AUTH PLAIN LOGIN$/);
  assert.match(await offers({ start_tls: false }), /250 LIMITS RCPTMAX=2$/);
});

test('after STARTTLS nothing is known any more', async () => {
  const { session, say } = begin({ address: '127.0.0.1', allow_plaintext_auth: true, require_auth: true });
  assert.equal(
    await say(ehlo, plain('\0user\0secret'), mail, rcpt, 'STARTTLS'),
    '220 2.0.0 Ready to start TLS [tls]',
  );
  session.secured(tls);
  assert.equal(session.in_transaction, false);
  assert.match(await say('DATA'), /^503/);
  assert.match(await say(mail), /^503 5.5.1 Send EHLO/);
  assert.match(await say(ehlo, mail), /^530/);
});

test('commands pipelined behind STARTTLS are refused', async () => {
  const { session } = begin();
  await session.handle(ehlo);
  const answer = await session.handle('STARTTLS', true);
  assert.deepEqual([answer.code, answer.next], [503, 'close']);
});

test('a message comes with its envelope, its user and the protocol it came by', async () => {
  const { say, message, messages, events, session } = begin({ encrypted: true });
  await say(
    ehlo,
    plain('\0user\0secret'),
    `${mail} BODY=8BITMIME SMTPUTF8 SIZE=7`,
    rcpt,
    'RCPT TO:<josé@c.example>',
  );
  assert.equal(await say('DATA'), '354 End the message with <CRLF>.<CRLF> [data]');
  assert.equal(await message(), '250 2.0.0 queued');
  const [received] = messages;
  assert.equal(received?.envelope.from?.address, 'a@a.example');
  assert.deepEqual(
    received?.envelope.recipients.map(({ address }) => address),
    ['b@b.example', 'josé@c.example'],
  );
  assert.deepEqual(received?.envelope.parameters, { size: 7, body: '8bitmime', smtputf8: true });
  assert.equal(received?.user, 'user');
  assert.equal(received?.session.protocol, 'UTF8SMTPSA');
  assert.equal(received?.session.helo, 'client.example');
  assert.equal(session.in_transaction, false);
  assert.deepEqual(
    events.map(({ event }) => event),
    ['authenticated', 'message'],
  );
  await say(mail, rcpt, 'DATA');
  await message();
  assert.equal(messages[1]?.session.protocol, 'ESMTPSA');
});

const faults = [
  ['too_big', '552 5.3.4'],
  ['bare_newline', '550 5.6.0'],
  ['long_line', '550 5.6.0'],
  ['nul', '550 5.6.0'],
  ['no_share', '452 4.3.1'],
  ['no_memory', '451 4.3.0'],
] as const;
for (const [fault, answer] of faults) {
  test(`a message that is ${fault} is answered ${answer} and never handed over`, async () => {
    const { say, message, messages } = begin();
    await say(ehlo, mail, rcpt, 'DATA');
    assert.equal((await message({ fault, data: [] })).slice(0, 9), answer);
    assert.equal(messages.length, 0);
    assert.match(await say(rcpt), /^503/);
  });
}

test('handlers refuse with the reply they give', async () => {
  const { say, message } = begin({
    encrypted: true,
    handlers: {
      onAuth: () => ({ ok: false, reply: { code: 535, enhanced: '5.7.8', text: 'blocked' } }),
      onMail: ({ from }) =>
        from === undefined ? { code: 550, enhanced: '5.7.1', text: 'no bounces' } : undefined,
      onRcpt: ({ to }) =>
        to.local_part === 'b' ? undefined : { code: 550, enhanced: '5.1.1', text: 'unknown' },
      onMessage: () => ({ code: 554, enhanced: '5.6.0', text: 'spam' }),
    },
  });
  assert.equal(await say(ehlo, plain('\0user\0secret')), '535 5.7.8 blocked');
  assert.equal(await say('MAIL FROM:<>'), '550 5.7.1 no bounces');
  assert.equal(await say(mail, 'RCPT TO:<nobody@b.example>'), '550 5.1.1 unknown');
  assert.equal(await say('DATA'), '554 5.5.1 No valid recipients');
  assert.match(await say(rcpt, 'DATA'), /^354/);
  assert.equal(await message(), '554 5.6.0 spam');
});

test('handlers accept with words of their own, and may end the connection', async () => {
  const { say } = begin({
    handlers: {
      onMail: () => ({ code: 250, enhanced: '2.1.0', text: 'welcome' }),
      onRcpt: () => ({ code: 550, enhanced: '5.7.1', text: 'go away', close: true }),
    },
  });
  assert.equal(await say(ehlo, mail), '250 2.1.0 welcome');
  assert.equal(await say(rcpt), '550 5.7.1 go away [close]');
});

test('a handler that throws is a temporary failure, told to the log and not to the client', async () => {
  const broken = (): never => {
    throw new Error('password of the database: hunter2');
  };
  const { say, events } = begin({ encrypted: true, handlers: { onAuth: broken, onMail: broken } });
  assert.equal(await say(ehlo, plain('\0user\0secret')), '454 4.7.0 Temporary authentication failure');
  assert.equal(await say(mail), '451 4.3.0 Temporary failure, try again later');
  assert.equal(events.filter(({ event }) => event === 'handler_failed').length, 2);
  const later = begin({ handlers: { onRcpt: broken, onMessage: broken } });
  assert.match(await later.say(ehlo, mail, rcpt), /^451 4.3.0/);
  const last = begin({ handlers: { onMessage: broken } });
  await last.say(ehlo, mail, rcpt, 'DATA');
  assert.match(await last.message(), /^451 4.3.0/);
});

test('a handler whose reply neither accepts nor refuses cannot confuse the session', async () => {
  const { say, message, session } = begin({
    handlers: {
      onRcpt: () => ({ code: 354, text: 'go' }),
      onMessage: () => ({ code: 220, text: 'tls?' }),
    },
  });
  assert.match(await say(ehlo, mail, rcpt), /^451 4.3.0/);
  assert.equal(session.in_transaction, true);
  assert.match(await message(), /^451 4.3.0/);
});

test('a handler refuses a connection by its answer or by throwing', async () => {
  const refusal = { code: 554, enhanced: '5.7.1', text: 'not you' };
  const greet = async (setup: Setup): Promise<string> => {
    const { next, ...reply } = await begin(setup).session.greeting();
    return `${formatReply(reply).trimEnd()} [${next}]`;
  };
  assert.equal(await greet({}), '220 mx.example ESMTP ready [line]');
  assert.equal(
    await greet({ handlers: { onConnect: () => undefined } }),
    '220 mx.example ESMTP ready [line]',
  );
  assert.equal(await greet({ handlers: { onConnect: () => refusal } }), '554 5.7.1 not you [close]');
  assert.match(
    await greet({ handlers: { onConnect: async () => await Promise.reject(new Error('x')) } }),
    /^421 4.3.0 .* \[close\]$/,
  );
});

test('the eleventh error ends the session, and an accepted message begins the count anew', async () => {
  const { say, message } = begin();
  const wrong = Array.from({ length: 10 }, () => 'XYZZY');
  assert.match(await say(ehlo, ...wrong), /^500/);
  await say(mail, rcpt, 'DATA');
  await message();
  assert.match(await say(...wrong), /^500/);
  assert.equal(await say('XYZZY'), '421 4.7.0 Too many errors [close]');
});

test('a client that never comes to the point is sent away', async () => {
  const { say } = begin({ limits: { ...defaultLimits, max_idle_commands: 20 } });
  const idle = Array.from({ length: 10 }, () => ['NOOP', 'RSET']).flat();
  assert.match(await say(...idle), /^250/);
  assert.equal(await say('NOOP'), '421 4.7.0 Too many commands without a message [close]');
});

test('a client that asks for too many wrong recipients is sent away', async () => {
  const { say } = begin({
    limits: { ...defaultLimits, max_refused_recipients: 20 },
    handlers: { onRcpt: () => ({ code: 550, enhanced: '5.1.1', text: 'unknown' }) },
  });
  assert.match(await say(ehlo, mail, ...Array.from({ length: 20 }, () => rcpt)), /^550/);
  assert.equal(await say(rcpt), '421 4.7.0 Too many refused recipients [close]');
});

test('commands pipelined behind a rejected MAIL do not count as errors', async () => {
  const { say } = begin();
  const recipients = Array.from({ length: 50 }, () => rcpt);
  assert.match(await say(ehlo, `${mail} SIZE=1001`, ...recipients, 'DATA'), /^554 5.5.1 MAIL was refused$/);
  assert.match(await say(mail), /^250/);
});
