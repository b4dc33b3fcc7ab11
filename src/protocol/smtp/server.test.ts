import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTransport, type SendMailOptions, type SMTPTransportOptions } from 'nodemailer';
import { certificate, startServer, type RunningServer } from './smtp-server.fixture.ts';

interface Sent {
  response: string;
  accepted: unknown[];
  rejected: unknown[];
}

/** Sends one mail with a client that is not ours. */
async function send(
  { port }: RunningServer,
  options: SMTPTransportOptions,
  mail: SendMailOptions = {},
): Promise<Sent> {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    name: 'client.example',
    tls: { ca: certificate.cert, servername: 'localhost' },
    ...options,
  });
  try {
    return await transport.sendMail({ from: 'a@a.example', to: 'b@b.example', text: 'hello', ...mail });
  } finally {
    transport.close();
  }
}

const auth = { user: 'user', pass: 'secret' };

for (const authMethod of ['PLAIN', 'LOGIN']) {
  test(`a mail by STARTTLS and AUTH ${authMethod}`, async (t) => {
    const running = await startServer(t, { require_auth: true });
    const sent = await send(running, { requireTLS: true, auth, authMethod });
    assert.equal(sent.response, '250 2.0.0 queued 1');
    const [message] = running.messages;
    assert.equal(message?.user?.username, 'user');
    assert.equal(message?.session.protocol, 'ESMTPSA');
    assert.equal(message?.session.tls?.servername, 'localhost');
    assert.match(message?.session.tls?.protocol ?? '', /^TLSv1\.[23]$/);
    assert.match(message?.text ?? '', /^From: a@a\.example\r\n.*\r\n\r\nhello\r\n$/s);
    assert.equal(message?.size, message?.text.length);
  });

  test(`a mail by TLS from the first byte and AUTH ${authMethod}`, async (t) => {
    const running = await startServer(t, { secure: true, require_auth: true });
    const sent = await send(running, { secure: true, auth, authMethod });
    assert.equal(sent.response, '250 2.0.0 queued 1');
    assert.equal(running.messages[0]?.session.protocol, 'ESMTPSA');
  });
}

test('a wrong password is refused', async (t) => {
  const running = await startServer(t, { secure: true, require_auth: true });
  await assert.rejects(send(running, { secure: true, auth: { user: 'user', pass: 'wrong' } }), {
    code: 'EAUTH',
    responseCode: 535,
  });
  await assert.rejects(send(running, { secure: true }), { responseCode: 530 });
});

test('addresses and content outside ASCII arrive as they were', async (t) => {
  const running = await startServer(t);
  await send(
    running,
    { requireTLS: true },
    { from: 'josé@ñandú.example', to: '用户@例子.example', raw: 'Subject: ñandú\r\n\r\ntext: 用户\r\n' },
  );
  const [message] = running.messages;
  assert.equal(message?.envelope.from?.local_part, 'josé');
  assert.equal(message?.envelope.recipients[0]?.local_part, '用户');
  assert.equal(message?.envelope.parameters.smtputf8, true);
  assert.equal(Buffer.from(message?.text ?? '', 'latin1').toString(), 'Subject: ñandú\r\n\r\ntext: 用户\r\n');
  assert.equal(message?.session.protocol, 'UTF8SMTPS');
});

test('a large mail arrives whole, plain and encrypted', async (t) => {
  const raw = `Subject: large\r\n\r\n${`${'.line '.repeat(12)}\r\n`.repeat(70_000)}`;
  const running = await startServer(t, { max_message_bytes: 15_000_000 });
  await send(running, { ignoreTLS: true }, { raw });
  await send(running, { requireTLS: true }, { raw });
  for (const message of running.messages) {
    assert.equal(message.size, raw.length);
    assert.ok(message.text === raw);
  }
  assert.equal(running.messages.length, 2);
});

test('a mail that is announced as too large is refused before it is sent', async (t) => {
  const running = await startServer(t, { max_message_bytes: 10_000 });
  await assert.rejects(send(running, { requireTLS: true }, { text: 'x'.repeat(20_000) }), {
    message: /Message size larger|552/,
  });
});

test('recipients beyond the limit are refused one by one', async (t) => {
  const running = await startServer(t, { max_recipients: 3 });
  const to = Array.from({ length: 5 }, (_, each) => `r${each}@b.example`);
  const { accepted, rejected } = await send(running, { ignoreTLS: true }, { to });
  assert.deepEqual([accepted.length, rejected.length], [3, 2]);
  assert.equal(running.messages[0]?.envelope.recipients.length, 3);
});

test('one connection carries many mails', async (t) => {
  const running = await startServer(t, { require_auth: true });
  const transport = createTransport({
    pool: true,
    maxConnections: 1,
    maxMessages: Infinity,
    host: '127.0.0.1',
    port: running.port,
    requireTLS: true,
    auth,
    tls: { rejectUnauthorized: false },
  });
  t.after(() => transport.close());
  const mail = { from: 'a@a.example', to: 'b@b.example', text: 'hello' };
  await Promise.all(Array.from({ length: 300 }, async () => await transport.sendMail(mail)));
  assert.equal(running.messages.length, 300);
  assert.equal(running.events.filter(({ event }) => event === 'opened').length, 1);
});
