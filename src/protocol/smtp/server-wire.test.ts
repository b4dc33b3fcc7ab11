import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';
import { selfSignedCertificate } from '../tls/self-signed-certificate.ts';
import { openGreeted, openRaw, RawClient } from './raw-client.fixture.ts';
import type { Reply } from './reply.ts';
import { certificate, envelope, startServer } from './smtp-server.fixture.ts';

test('the greeting comes at once', async (t) => {
  const { port } = await startServer(t);
  const times: number[] = [];
  for (let each = 0; each < 5; each += 1) {
    const start = performance.now();
    const client = await openRaw(t, port);
    assert.equal(await client.reply(), '220 mx.example ESMTP ready');
    times.push(performance.now() - start);
  }
  assert.ok(Math.min(...times) < 50, `${times.join(', ')} ms`);
});

test('a whole pipelined session is answered in order, though the handlers take their time', async (t) => {
  const order: string[] = [];
  const { port, messages } = await startServer(t, {
    handlers: {
      onMail: async () => {
        await turn();
        order.push('mail');
        return undefined;
      },
      onRcpt: async ({ to, count }) => {
        for (let turns = 3 - count; turns > 0; turns -= 1) await turn();
        order.push(to.local_part);
        return to.local_part === 'two' ? { code: 550, enhanced: '5.1.1', text: 'two' } : undefined;
      },
      onMessage: () => ({ code: 250, enhanced: '2.0.0', text: 'taken' }),
    },
  });
  const client = await openRaw(t, port);
  const rcpt = (name: string): string => `RCPT TO:<${name}@b.example>\r\n`;
  const group = `MAIL FROM:<a@a.example>\r\n${rcpt('one')}${rcpt('two')}${rcpt('three')}DATA\r\n`;
  client.socket.write(`EHLO x\r\n${group}text\r\n.\r\nRSET\r\n${group}more\r\n.\r\nNOOP\r\nQUIT\r\n`);
  const transaction = [250, 250, 550, 250, 354, 250];
  assert.deepEqual(await client.codes(17), [220, 250, ...transaction, 250, ...transaction, 250, 221]);
  await client.closed();
  assert.deepEqual(order, ['mail', 'one', 'two', 'three', 'mail', 'one', 'two', 'three']);
  assert.equal(messages.length, 0);
});

test('a session that arrives byte by byte is the same session', async (t) => {
  const { port, messages } = await startServer(t);
  const client = await openRaw(t, port);
  for (const character of `EHLO x\r\n${envelope}..one\r\n.two\r\n\r\n.\r\nQUIT\r\n`) {
    client.socket.write(character);
    await turn();
  }
  assert.deepEqual(await client.codes(7), [220, 250, 250, 250, 354, 250, 221]);
  assert.equal(messages[0]?.text, '.one\r\ntwo\r\n\r\n');
});

test('a client that has said all and closed its side still gets its answers', async (t) => {
  const { port, messages } = await startServer(t, {
    handlers: {
      onMessage: async (message) => {
        for (let turns = 0; turns < 20; turns += 1) await turn();
        messages.push({ ...message, text: '' });
        return { code: 250, enhanced: '2.0.0', text: 'taken' };
      },
    },
  });
  const client = await openRaw(t, port);
  client.socket.end(`EHLO x\r\n${envelope}text\r\n.\r\n`);
  assert.deepEqual(await client.codes(6), [220, 250, 250, 250, 354, 250]);
  await client.closed();
  assert.equal(messages.length, 1);
});

test('a message at the limit is taken, one octet more is read to its end and refused', async (t) => {
  const { port, messages } = await startServer(t, { max_message_bytes: 200_000 });
  const client = await openGreeted(t, port);
  const line = `${'x'.repeat(98)}\r\n`;
  const body = (octets: number): string => 'y'.repeat(octets % 100) + line.repeat(Math.floor(octets / 100));
  for (const [octets, answer] of [
    [200_000, /^250/],
    [200_001, /^552 5\.3\.4/],
    [2_000_000, /^552 5\.3\.4/],
  ] as const) {
    client.socket.write(envelope);
    assert.deepEqual(await client.codes(3), [250, 250, 354]);
    client.socket.write(`${body(octets)}.\r\n`);
    assert.match(await client.reply(), answer);
  }
  assert.deepEqual(
    messages.map(({ size }) => size),
    [200_000],
  );
  assert.match(await client.say('QUIT'), /^221/);
});

test('lines beyond all bounds are refused, and the next one is read as ever', async (t) => {
  const { port } = await startServer(t);
  const client = await openGreeted(t, port);
  assert.match(await client.say(`NOOP ${'x'.repeat(300_000)}`), /^500 5\.5\.2/);
  assert.match(await client.say(`AUTH PLAIN ${'A'.repeat(300_000)}`), /^500 5\.5\.6/);
  assert.match(await client.say('NOOP'), /^250/);
});

test('messages held by all connections together are bounded', async (t) => {
  const [began, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { port } = await startServer(t, {
    limits: { max_held_bytes: 100_000 },
    handlers: {
      onMessage: async () => {
        began.resolve();
        await answer.promise;
        return { code: 250, enhanced: '2.0.0', text: 'taken' };
      },
    },
  });
  const [one, two] = [await openGreeted(t, port), await openGreeted(t, port)];
  const message = `${envelope}${`${'x'.repeat(98)}\r\n`.repeat(700)}.\r\n`;
  one.socket.write(message);
  await began.promise;
  two.socket.write(message);
  assert.deepEqual(await two.codes(4), [250, 250, 354, 452]);
  answer.resolve();
  assert.deepEqual(await one.codes(4), [250, 250, 354, 250]);
  two.socket.write(message);
  assert.deepEqual(await two.codes(4), [250, 250, 354, 250]);
});

test('a client that sends on while a handler works is not read from without end', async (t) => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const { port } = await startServer(t, {
    handlers: { onMail: async () => await promise, onMessage: () => ({ code: 250, text: 'ok' }) },
  });
  const client = await openGreeted(t, port);
  client.socket.write('MAIL FROM:<a@a.example>\r\n');
  const flood = Buffer.from('NOOP\r\n'.repeat(170_000));
  for (let times = 0; times < 40; times += 1) client.socket.write(flood);
  for (let turns = 0; turns < 200; turns += 1) await turn();
  // Loopback buffers hold a few megabytes; the rest of the forty must still be with the client.
  assert.ok(client.socket.writableLength > 20_000_000, `${client.socket.writableLength} left`);
  client.socket.on('error', () => {});
  resolve(undefined);
  assert.match(await client.reply(), /^250 2\.1\.0/);
  assert.match(await client.reply(), /^250 2\.0\.0/);
});

test('a client that does not read its answers is not answered without end', async (t) => {
  const { port, event, left } = await startServer(t, {
    limits: { max_idle_commands: 1e9, command_timeout_ms: 300 },
  });
  const client = await openRaw(t, port);
  client.socket.pause();
  const flood = Buffer.from('EHLO x\r\n'.repeat(100_000));
  for (let times = 0; times < 100; times += 1) client.socket.write(flood);
  assert.equal((await event('closed')).reason, 'timed_out');
  await left(0);
});

test('a new certificate holds from the next connection on, and a broken one stops nothing', async (t) => {
  let current = certificate;
  const names: [string] = ['renewed.example'];
  const renewed = selfSignedCertificate({ names, valid_from: new Date(Date.now() - 1000) });
  const { port, events } = await startServer(t, { secure: true, tls: () => current });
  const subject = async (): Promise<unknown> => {
    const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false });
    t.after(() => socket.destroy());
    socket.on('error', () => socket.destroy());
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().subject.CN;
  };
  assert.equal(await subject(), 'localhost');
  current = renewed;
  assert.equal(await subject(), 'renewed.example');
  current = { key: 'nonsense', cert: 'nonsense' };
  await assert.rejects(subject());
  assert.ok(events.some(({ event }) => event === 'tls_failed'));
  current = certificate;
  assert.equal(await subject(), 'localhost');
});

test('a server without a certificate does not offer STARTTLS', async (t) => {
  const { port } = await startServer(t, { tls: () => undefined });
  const client = await openRaw(t, port);
  await client.reply();
  assert.doesNotMatch(await client.say('EHLO x'), /STARTTLS/);
  assert.match(await client.say('STARTTLS'), /^454/);
});

test('a client that speaks as soon as its side of the handshake is done is heard', async (t) => {
  const { port, messages } = await startServer(t, { secure: true });
  const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false });
  const client = new RawClient(socket);
  t.after(() => socket.destroy());
  socket.write(`EHLO x\r\n${envelope}text\r\n.\r\nQUIT\r\n`);
  assert.deepEqual(await client.codes(7), [220, 250, 250, 250, 354, 250, 221]);
  await client.closed();
  assert.equal(messages[0]?.session.protocol, 'ESMTPS');
});

test('a handler that breaks its contract costs its own connection only', async (t) => {
  const nothing = undefined as unknown as Reply;
  const { port, event } = await startServer(t, { handlers: { onMessage: () => nothing } });
  const client = await openGreeted(t, port);
  client.socket.write(`${envelope}text\r\n.\r\n`);
  await client.closed();
  assert.ok((await event('handler_failed')).error instanceof TypeError);
  assert.match(await (await openRaw(t, port)).reply(), /^220/);
});
