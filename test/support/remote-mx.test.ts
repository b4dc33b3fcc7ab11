import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { createMovableClock } from './movable-clock.ts';
import {
  close,
  delay,
  drop,
  garbage,
  inSequence,
  silence,
  startRemoteMx,
  type RemoteMx,
  type RemoteMxOptions,
} from './remote-mx.ts';
import { selfSignedCertificate } from '../../src/protocol/tls/self-signed-certificate.ts';
import { waitFor } from './wait-for.ts';

async function mxFor(context: TestContext, options: RemoteMxOptions = {}) {
  const mx = await startRemoteMx(options);
  context.after(mx.stop);
  return mx;
}

/** A client that says what it is told and gathers whatever comes back. */
class Client {
  socket: Socket;
  #received = '';
  closed = false;

  constructor(socket: Socket) {
    this.socket = this.attach(socket);
  }

  attach(socket: Socket): Socket {
    this.socket = socket;
    socket.on('data', (chunk) => (this.#received += chunk.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => (this.closed = true));
    return socket;
  }

  get unread(): string {
    return this.#received;
  }

  /** The next whole reply, without its last end of line. */
  async reply(): Promise<string> {
    const pattern = /^(?:\d{3}-.*\r\n)*\d{3}(?: .*)?\r\n/;
    const found = await waitFor(() => pattern.exec(this.#received), { what: 'a reply', interval_ms: 1 });
    this.#received = this.#received.slice(found[0].length);
    return found[0].trimEnd();
  }

  async say(text: string): Promise<string> {
    this.socket.write(`${text}\r\n`);
    return await this.reply();
  }

  async end(): Promise<void> {
    await waitFor(() => this.closed, { what: 'the end of the connection' });
  }
}

async function greeted(context: TestContext, mx: RemoteMx): Promise<Client> {
  const client = new Client(connect(mx.port, mx.host));
  context.after(() => client.socket.destroy());
  assert.match(await client.reply(), /^220 /);
  return client;
}

async function deliver(client: Client, body: string): Promise<string> {
  await client.say('MAIL FROM:<a@from.test>');
  await client.say('RCPT TO:<b@to.test>');
  assert.match(await client.say('DATA'), /^354 /);
  client.socket.write(body);
  return await client.say('.');
}

test('a message is taken with its envelope, parameters and dialogue', async (t) => {
  const clock = createMovableClock('2030-01-01T00:00:00Z');
  const mx = await mxFor(t, { name: 'mx.to.test', clock });
  const client = await greeted(t, mx);
  const ehlo = await client.say('EHLO me.test');
  assert.match(ehlo, /^250-mx\.to\.test\r\n250-PIPELINING\r\n[^]*\r\n250 STARTTLS$/);
  clock.advance(1000);
  assert.match(await client.say('MAIL FROM:<"a>b"@from.test> SIZE=9 BODY=8BITMIME SMTPUTF8'), /^250 /);
  assert.match(await client.say('rcpt to:<ñ@to.test>'), /^250 /);
  assert.match(await client.say('RCPT TO:<c@to.test>'), /^250 /);
  assert.match(await client.say('DATA'), /^354 /);
  assert.match(await client.say('Subject: x\r\n\r\nbody\r\n.'), /^250 /);
  assert.match(await client.say('QUIT'), /^221 /);
  await client.end();

  const [message] = await mx.waitForMessages(1);
  assert.equal(message?.mail_from, '"a>b"@from.test');
  assert.deepEqual(message.mail_params, { SIZE: '9', BODY: '8BITMIME', SMTPUTF8: '' });
  assert.deepEqual(message.rcpt_to, ['ñ@to.test', 'c@to.test']);
  assert.equal(message.data.toString(), 'Subject: x\r\n\r\nbody\r\n');
  const { dialogue, tls } = message.session;
  assert.equal(message.session, mx.sessions[0]);
  assert.equal(tls, undefined);
  assert.deepEqual(
    dialogue.filter(({ from }) => from === 'client').map(({ line }) => line.split(' ')[0]),
    ['EHLO', 'MAIL', 'rcpt', 'RCPT', 'DATA', '.', 'QUIT'],
  );
  assert.equal(dialogue[0]?.line, '220 mx.to.test ESMTP');
  assert.equal(dialogue[0].at.toISOString(), '2030-01-01T00:00:00.000Z');
  assert.equal(dialogue.at(-1)?.at.toISOString(), '2030-01-01T00:00:01.000Z');
  await waitFor(() => message.session.closed_at, { what: 'the closing time' });
  assert.equal(mx.open_sessions, 0);
});

test('dots are unstuffed, and an end of data may arrive in any pieces', async (t) => {
  const mx = await mxFor(t);
  const client = await greeted(t, mx);
  await client.say('EHLO me.test');
  client.socket.setNoDelay(true);
  await client.say('MAIL FROM:<>');
  await client.say('RCPT TO:<b@to.test>');
  await client.say('DATA');
  for (const byte of '..first\r\nnot.\r\n.\n\r\n...\r\n.\r\n') {
    client.socket.write(byte);
    await new Promise(setImmediate);
  }
  assert.match(await client.reply(), /^250 /);
  assert.equal(mx.messages[0]?.data.toString(), '.first\r\nnot.\r\n\n\r\n..\r\n');
  assert.equal(mx.messages[0].mail_from, '');
  assert.match(await deliver(client, ''), /^250 /);
  assert.equal(mx.messages[1]?.data.length, 0);
});

test('a message of many megabytes arrives byte for byte', async (t) => {
  const mx = await mxFor(t);
  const client = await greeted(t, mx);
  await client.say('EHLO me.test');
  const body = `${'é0123456789'.repeat(6)}\r\n`.repeat(200_000);
  assert.match(await deliver(client, body), /^250 /);
  assert.ok(mx.messages[0]?.data.equals(Buffer.from(body)));
});

test('pipelined commands are answered in order, and that they were is seen', async (t) => {
  const mx = await mxFor(t, { script: { RCPT: inSequence('250 first', '550 second') } });
  const client = await greeted(t, mx);
  await client.say('EHLO me.test');
  assert.equal(mx.sessions[0]?.pipelined, false);
  client.socket.write('MAIL FROM:<a@from.test>\r\nRCPT TO:<b@to.test>\r\nRCPT TO:<c@to.test>\r\nDATA\r\n');
  const replies = [await client.reply(), await client.reply(), await client.reply(), await client.reply()];
  assert.deepEqual(
    replies.map((reply) => reply.slice(0, 3)),
    ['250', '250', '550', '354'],
  );
  client.socket.write('x\r\n.\r\nRSET\r\nQUIT\r\n');
  assert.match(await client.reply(), /^250 2\.0\.0 accepted/);
  assert.match(await client.reply(), /^250 2\.0\.0 ok/);
  assert.match(await client.reply(), /^221 /);
  assert.equal(mx.sessions[0].pipelined, true);
  assert.deepEqual(mx.messages[0]?.rcpt_to, ['b@to.test']);
});

test('commands out of order, malformed, or with what was not offered are refused', async (t) => {
  const mx = await mxFor(t, { capabilities: ['SIZE'] });
  const client = await greeted(t, mx);
  assert.match(await client.say('MAIL FROM:<a@from.test>'), /^503 /);
  await client.say('EHLO me.test');
  assert.match(await client.say('RCPT TO:<b@to.test>'), /^503 /);
  assert.match(await client.say('DATA'), /^503 /);
  assert.match(await client.say('MAIL FROM: <a@from.test>'), /^501 /);
  assert.match(await client.say('MAIL FROM:<a@from.test> SMTPUTF8'), /^555 .*SMTPUTF8/);
  assert.match(await client.say('STARTTLS'), /^502 /);
  assert.match(await client.say('BODY'), /^502 /);
  assert.match(await client.say('MAIL FROM:<a@from.test> SIZE=1'), /^250 /);
  assert.match(await client.say('MAIL FROM:<a@from.test>'), /^503 /);
  client.socket.write('NOOP\n');
  assert.match(await client.reply(), /^500 /);
  await client.say('HELO me.test');
  assert.match(await client.say('MAIL FROM:<a@from.test> SIZE=1'), /^555 /);
});

test('a step may be several lines, a function of the state, or changed while it runs', async (t) => {
  const mx = await mxFor(t, {
    script: {
      EHLO: ['250-odd.test', '250 HELP'],
      RCPT: async ({ times, total, mail_from }, argument) =>
        argument.includes('bad') ? [`550-${mail_from}`, `550 ${times} of ${total}`] : undefined,
      BODY: ({ data }) => (data?.includes('spam') ? '554 5.7.1 spam' : undefined),
    },
  });
  const client = await greeted(t, mx);
  assert.equal(await client.say('EHLO me.test'), '250-odd.test\r\n250 HELP');
  await client.say('MAIL FROM:<a@from.test>');
  assert.equal(await client.say('RCPT TO:<bad@to.test>'), '550-a@from.test\r\n550 1 of 1');
  assert.match(await client.say('RCPT TO:<good@to.test>'), /^250 /);
  mx.script.RCPT = '452 4.2.2 full';
  assert.match(await client.say('RCPT TO:<more@to.test>'), /^452 /);
  assert.match(await client.say('DATA'), /^354 /);
  assert.match(await client.say('spam\r\n.'), /^554 /);
  assert.equal(mx.messages.length, 0);
  assert.deepEqual(mx.unaccepted_messages[0]?.rcpt_to, ['good@to.test']);
  delete mx.script.RCPT;
  assert.match(await deliver(client, 'ham\r\n'), /^250 /);
  assert.equal(mx.messages.length, 1);
});

test('a sequence goes on from session to session', async (t) => {
  const mx = await mxFor(t, { script: { greeting: inSequence(close('421 busy'), undefined) } });
  const refused = new Client(connect(mx.port, mx.host));
  assert.equal(await refused.reply(), '421 busy');
  await refused.end();
  await greeted(t, mx);
  await greeted(t, mx);
  assert.equal(mx.sessions.length, 3);
  assert.equal(mx.max_open_sessions, 2);
});

test('drop cuts the connection after the dot, and the message is not counted as accepted', async (t) => {
  const mx = await mxFor(t, { script: { BODY: drop } });
  const client = await greeted(t, mx);
  await client.say('EHLO me.test');
  client.socket.write('MAIL FROM:<a@from.test>\r\nRCPT TO:<b@to.test>\r\nDATA\r\n');
  for (const code of ['250', '250', '354']) assert.equal((await client.reply()).slice(0, 3), code);
  client.socket.write('x\r\n.\r\n');
  await client.end();
  assert.equal(client.unread, '');
  assert.equal(mx.messages.length, 0);
  assert.equal(mx.unaccepted_messages[0]?.data.toString(), 'x\r\n');
});

test('close answers first, so that what it accepts counts', async (t) => {
  const mx = await mxFor(t, { script: { BODY: close('250 2.0.0 and goodbye') } });
  const client = await greeted(t, mx);
  await client.say('EHLO me.test');
  assert.equal(await deliver(client, 'x\r\n'), '250 2.0.0 and goodbye');
  await client.end();
  assert.equal(mx.messages.length, 1);
});

test('silence answers nothing more but keeps listening', async (t) => {
  const mx = await mxFor(t, { script: { MAIL: silence } });
  const client = await greeted(t, mx);
  await client.say('EHLO me.test');
  client.socket.write('MAIL FROM:<a@from.test>\r\nQUIT\r\n');
  await waitFor(() => mx.sessions[0]?.dialogue.at(-1)?.line === 'QUIT', { what: 'QUIT to be heard' });
  assert.equal(client.unread, '');
  assert.equal(client.closed, false);
});

test('delay answers no sooner than told, and a client that leaves ends it', async (t) => {
  const mx = await mxFor(t, { script: { EHLO: delay(60), MAIL: delay(600_000, '250 ok') } });
  const client = await greeted(t, mx);
  const started = performance.now();
  assert.match(await client.say('EHLO me.test'), /^250-mx\.test/);
  assert.ok(performance.now() - started >= 55);
  client.socket.end('MAIL FROM:<a@from.test>\r\n');
  await client.end();
  await waitFor(() => mx.open_sessions === 0, { what: 'the session to end' });
});

test('garbage goes out as it is', async (t) => {
  const mx = await mxFor(t, { script: { EHLO: garbage(), HELO: garbage(Buffer.from('250 half a l')) } });
  const client = await greeted(t, mx);
  client.socket.write('EHLO me.test\r\n');
  await waitFor(() => client.unread === '\u0000\u00ff\u00137\u0080\u0081\u00fe\r\n', { what: 'the bytes' });
  client.socket.write('HELO me.test\r\n');
  await waitFor(() => client.unread.endsWith('250 half a l'), { what: 'half a line' });
});

test('AUTH may take several steps', async (t) => {
  const script = { AUTH: inSequence('334 VXNlcm5hbWU6', '334 UGFzc3dvcmQ6', '235 2.7.0 welcome') };
  const client = await greeted(t, await mxFor(t, { script }));
  await client.say('EHLO me.test');
  assert.equal(await client.say('AUTH LOGIN'), '334 VXNlcm5hbWU6');
  assert.equal(await client.say('dXNlcg=='), '334 UGFzc3dvcmQ6');
  assert.equal(await client.say('cGFzcw=='), '235 2.7.0 welcome');
  assert.match(await client.say('NOOP'), /^250 /);
});

test('STARTTLS gives TLS that a trusting client verifies, and forgets what came before', async (t) => {
  const mx = await mxFor(t, { name: 'mx.to.test' });
  const client = await greeted(t, mx);
  assert.match(await client.say('EHLO me.test'), /STARTTLS/);
  assert.match(await client.say('STARTTLS'), /^220 /);
  client.socket.removeAllListeners('data');
  const ca = mx.certificate.cert;
  const secured = connectTls({ socket: client.socket, servername: 'mx.to.test', ca });
  await once(secured, 'secureConnect');
  assert.equal(secured.authorized, true);
  client.attach(secured);
  assert.match(await client.say('MAIL FROM:<a@from.test>'), /^503 /);
  assert.doesNotMatch(await client.say('EHLO me.test'), /STARTTLS/);
  assert.match(await client.say('STARTTLS'), /^503 /);
  assert.match(await deliver(client, 'secret\r\n'), /^250 /);
  await client.say('QUIT');
  await client.end();

  const tls = mx.messages[0]?.session.tls;
  assert.equal(tls?.protocol, 'TLSv1.3');
  assert.equal(tls.servername, 'mx.to.test');
  await waitFor(() => mx.open_sessions === 0, { what: 'the session to end' });
});

test('a client that does not trust the certificate leaves a session without TLS or greeting', async (t) => {
  const mx = await mxFor(t, { tls: 'implicit', secure_context: { maxVersion: 'TLSv1.2' } });
  const socket = connectTls({ port: mx.port, host: mx.host });
  const [error] = (await once(socket, 'error')) as [{ code: string }];
  assert.equal(error.code, 'DEPTH_ZERO_SELF_SIGNED_CERT');
  await waitFor(() => mx.sessions[0]?.closed_at, { what: 'the session to end' });
  assert.deepEqual(mx.messages, []);
});

test('implicit TLS greets under TLS', async (t) => {
  const mx = await mxFor(t, { tls: 'implicit', secure_context: { maxVersion: 'TLSv1.2' } });
  const socket: TLSSocket = connectTls({ port: mx.port, host: mx.host, ca: mx.certificate.cert });
  t.after(() => socket.destroy());
  const client = new Client(socket);
  assert.match(await client.reply(), /^220 /);
  assert.doesNotMatch(await client.say('EHLO me.test'), /STARTTLS/);
  assert.equal(mx.sessions[0]?.tls?.protocol, 'TLSv1.2');
});

test('broken TLS answers 220 and then bytes that are not TLS', async (t) => {
  const mx = await mxFor(t, { tls: 'broken' });
  const client = await greeted(t, mx);
  await client.say('EHLO me.test');
  assert.match(await client.say('STARTTLS'), /^220 /);
  client.socket.removeAllListeners('data');
  const [error] = (await once(connectTls({ socket: client.socket }), 'error')) as [{ code: string }];
  assert.match(error.code, /^ERR_SSL_/);
});

test('a refused STARTTLS leaves the plain session as it was', async (t) => {
  const mx = await mxFor(t, { script: { STARTTLS: '454 4.7.0 not now' } });
  const client = await greeted(t, mx);
  await client.say('EHLO me.test');
  assert.match(await client.say('STARTTLS'), /^454 /);
  assert.match(await deliver(client, 'x\r\n'), /^250 /);
});

test('an exception of a step is thrown when the server stops, which cuts every connection', async () => {
  const mx = await startRemoteMx({
    script: {
      EHLO: () => {
        throw new Error('fault in the script');
      },
    },
  });
  const idle = new Client(connect(mx.port, mx.host));
  const client = new Client(connect(mx.port, mx.host));
  await Promise.all([idle.reply(), client.reply()]);
  client.socket.write('EHLO me.test\r\n');
  await client.end();
  await assert.rejects(mx.stop(), /fault in the script/);
  await idle.end();
});

test('a server stopped in the middle of a test refuses connections and may be stopped again', async (t) => {
  const mx = await mxFor(t);
  await mx.stop();
  const [error] = (await once(connect(mx.port, mx.host), 'error')) as [{ code: string }];
  assert.equal(error.code, 'ECONNREFUSED');
});

test('waiting in vain for messages says how many came', async (t) => {
  const mx = await mxFor(t);
  await assert.rejects(mx.waitForMessages(2, 20), /2 messages at mx\.test \(0 came\)/);
});

test('several servers may share a port on different addresses', async (t) => {
  const first = await mxFor(t, { name: 'one.test' });
  const second = await mxFor(t, { name: 'two.test', host: '127.0.0.2', port: first.port });
  const client = new Client(connect(second.port, second.host));
  t.after(() => client.socket.destroy());
  assert.equal(await client.reply(), '220 two.test ESMTP');
});

test('a self-signed certificate names hosts and addresses, is signed by its own key, and keeps its dates', () => {
  const names = ['mx.test', 'ñandú.test', '127.0.0.1', '2001:db8::5:0'] as const;
  const made = selfSignedCertificate({ names, valid_from: new Date('2049-12-31T00:00:00Z'), valid_days: 1 });
  const certificate = new X509Certificate(made.cert);
  assert.equal(certificate.verify(certificate.publicKey), true);
  assert.equal(certificate.checkIssued(certificate), true);
  assert.equal(certificate.ca, false);
  assert.equal(certificate.subject, 'CN=mx.test');
  assert.equal(
    certificate.subjectAltName,
    'DNS:mx.test, DNS:xn--and-6ma2c.test, IP Address:127.0.0.1, IP Address:2001:DB8:0:0:0:0:5:0',
  );
  assert.equal(new Date(certificate.validFrom).toISOString(), '2049-12-31T00:00:00.000Z');
  assert.equal(new Date(certificate.validTo).toISOString(), '2050-01-01T00:00:00.000Z');
  const noHost = () => selfSignedCertificate({ names: ['not a host'], valid_from: new Date(0) });
  assert.throws(noHost, RangeError);
});
