import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAuthThrottle } from './auth-throttle.ts';
import { openGreeted, openRaw } from './raw-client.fixture.ts';
import { envelope, startServer, type RunningServer } from './smtp-server.fixture.ts';

test('a client that says nothing is sent away', async (t) => {
  const { port, event } = await startServer(t, { limits: { first_command_timeout_ms: 80 } });
  const client = await openRaw(t, port);
  assert.deepEqual(await client.codes(1), [220]);
  assert.match(await client.reply(), /^421 4\.4\.2/);
  await client.closed();
  assert.equal((await event('closed')).reason, 'timed_out');
});

test('a client that falls silent is sent away, and bytes without a line end do not help it', async (t) => {
  const { port } = await startServer(t, { limits: { command_timeout_ms: 120 } });
  const client = await openGreeted(t, port);
  const start = performance.now();
  const trickle = setInterval(() => client.socket.write('N'), 20);
  t.after(() => clearInterval(trickle));
  assert.match(await client.reply(), /^421 4\.4\.2/);
  assert.ok(performance.now() - start < 2000);
});

test('a message that stops coming is given up, one that comes slowly is not', async (t) => {
  const { port, messages } = await startServer(t, { limits: { data_timeout_ms: 500 } });
  const slow = await openGreeted(t, port);
  slow.socket.write(envelope);
  await slow.codes(3);
  for (let times = 0; times < 10; times += 1) {
    slow.socket.write('line\r\n');
    await sleep(80);
  }
  assert.match(await slow.say('.'), /^250/);
  const silent = await openGreeted(t, port);
  silent.socket.write(envelope);
  await silent.codes(3);
  silent.socket.write('line\r\n');
  assert.match(await silent.reply(), /^421 4\.4\.2/);
  await silent.closed();
  assert.equal(messages.length, 1);
});

test('a transaction has to end in time, however busy its client is', async (t) => {
  const { port, messages } = await startServer(t, { limits: { transaction_timeout_ms: 200 } });
  const client = await openGreeted(t, port);
  client.socket.write(envelope);
  await client.codes(3);
  const trickle = setInterval(() => client.socket.write('line\r\n'), 10);
  t.after(() => clearInterval(trickle));
  assert.match(await client.reply(), /^421 4\.4\.2/);
  await client.closed();
  assert.equal(messages.length, 0);
});

test('time a handler takes is not held against the client', async (t) => {
  const { port } = await startServer(t, {
    limits: { command_timeout_ms: 250, data_timeout_ms: 250, transaction_timeout_ms: 300 },
    handlers: {
      onMessage: async () => {
        await sleep(600);
        return { code: 250, enhanced: '2.0.0', text: 'at last' };
      },
    },
  });
  const client = await openGreeted(t, port);
  client.socket.write(`${envelope}text\r\n.\r\n`);
  assert.deepEqual(await client.codes(4), [250, 250, 354, 250]);
});

test('a TLS handshake that does not come to an end is given up', async (t) => {
  const { port, event } = await startServer(t, { secure: true, limits: { tls_timeout_ms: 80 } });
  const client = await openRaw(t, port);
  await client.closed();
  assert.equal(client.received, '');
  assert.equal((await event('closed')).reason, 'tls_failed');
});

test('connections are capped, for each source and in total', async (t) => {
  const { port, events, left } = await startServer(t, {
    limits: { max_connections: 3, max_connections_per_source: 2 },
  });
  const first = await openRaw(t, port, '127.0.0.1');
  await first.reply();
  await (await openRaw(t, port, '127.0.0.1')).reply();
  const third = await openRaw(t, port, '127.0.0.1');
  assert.match(await third.reply(), /^421 4\.7\.0/);
  await third.closed();
  await (await openRaw(t, port, '127.0.0.2')).reply();
  assert.match(await (await openRaw(t, port, '127.0.0.3')).reply(), /^421 4\.7\.0/);
  const reasons = events.flatMap((told) => (told.event === 'connection_refused' ? [told.reason] : []));
  assert.deepEqual(reasons, ['too_many_from_source', 'too_many']);
  await first.say('QUIT');
  await left(2);
  assert.match(await (await openRaw(t, port, '127.0.0.1')).reply(), /^220/);
});

test('wrong passwords are counted together, over connections and over servers that share a throttle', async (t) => {
  const throttle = createAuthThrottle({ failures: 5, forget_ms: 60_000, max_entries: 10 }, () => 0);
  const one = await startServer(t, { allow_plaintext_auth: true, throttle });
  const two = await startServer(t, { allow_plaintext_auth: true, throttle });
  const attempt = async ({ port }: RunningServer, password: string): Promise<string> => {
    const client = await openGreeted(t, port);
    return await client.say(`AUTH PLAIN ${Buffer.from(`\0user\0${password}`).toString('base64')}`);
  };
  for (let times = 0; times < 5; times += 1) assert.match(await attempt(one, 'wrong'), /^535/);
  assert.match(await attempt(one, 'secret'), /^454 4\.7\.0/);
  assert.match(await attempt(two, 'secret'), /^454 4\.7\.0/);
});

test('who speaks before the greeting is let be, or refused where that is wanted', async (t) => {
  const tolerant = await startServer(t);
  const strict = await startServer(t, { early_talker_wait_ms: 300 });
  const early = async (port: number): Promise<string> => {
    const client = await openRaw(t, port);
    client.socket.write('EHLO x\r\n');
    return await client.reply();
  };
  assert.match(await early(tolerant.port), /^220/);
  assert.match(await early(strict.port), /^554 5\.5\.1/);
  assert.match(await (await openRaw(t, strict.port)).reply(), /^220/);
});

test('a client may leave in any state', async (t) => {
  const { port, left, messages } = await startServer(t, {
    handlers: {
      onMessage: async () => {
        await sleep(50);
        return { code: 250, text: 'ok' };
      },
    },
  });
  const states = [
    '',
    'EHLO x\r\n',
    'EHLO x\r\nSTARTTLS\r\n',
    'EHLO x\r\nMAIL FROM:<a@a.example>\r\n',
    `EHLO x\r\n${envelope}`,
    `EHLO x\r\n${envelope}text`,
    `EHLO x\r\n${envelope}text\r\n.\r\n`,
    `EHLO x\r\n${envelope}text\r\n.\r\nQUIT\r\n`,
  ];
  for (const said of states) {
    for (const how of ['destroy', 'resetAndDestroy', 'end'] as const) {
      const socket = connect({ host: '127.0.0.1', port });
      socket.on('error', () => {});
      await once(socket, 'connect');
      if (said !== '') await new Promise((resolve) => void socket.write(said, resolve));
      await sleep(3);
      socket[how]();
      socket.resume();
      await once(socket, 'close');
    }
  }
  await left(0);
  assert.equal(messages.length, 0);
  assert.match(await (await openRaw(t, port)).reply(), /^220/);
});
