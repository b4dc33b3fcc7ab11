import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAuthThrottle } from './auth-throttle.ts';
import { createConnectionCaps } from './connection-caps.ts';
import { defaultLimits } from './limits.ts';
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
  const { port } = await startServer(t, { limits: { command_timeout_ms: 1_000 } });
  const client = await openGreeted(t, port);
  const start = performance.now();
  const trickle = setInterval(() => client.socket.write('N'), 100);
  t.after(() => clearInterval(trickle));
  assert.match(await client.reply(), /^421 4\.4\.2/);
  assert.ok(performance.now() - start < 30_000);
});

test('a message that stops coming is given up, one that comes slowly is not', async (t) => {
  const { port, messages } = await startServer(t, { limits: { data_timeout_ms: 2_000 } });
  const slow = await openGreeted(t, port);
  slow.socket.write(envelope);
  await slow.codes(3);
  for (let times = 0; times < 10; times += 1) {
    slow.socket.write('line\r\n');
    await sleep(230);
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
  const { port, messages } = await startServer(t, { limits: { transaction_timeout_ms: 1_000 } });
  const client = await openGreeted(t, port);
  client.socket.write(envelope);
  await client.codes(3);
  const trickle = setInterval(() => client.socket.write('line\r\n'), 100);
  t.after(() => clearInterval(trickle));
  assert.match(await client.reply(), /^421 4\.4\.2/);
  await client.closed();
  assert.equal(messages.length, 0);
});

test('time a handler takes is not held against the client', async (t) => {
  const { port } = await startServer(t, {
    limits: { command_timeout_ms: 600, data_timeout_ms: 600, transaction_timeout_ms: 700 },
    handlers: {
      onMessage: async () => {
        await sleep(1_200);
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
  const reasons = events.flatMap((each) => (each.event === 'connection_refused' ? [each.reason] : []));
  assert.deepEqual(reasons, ['too_many_from_source', 'too_many']);
  await first.say('QUIT');
  await left(2);
  assert.match(await (await openRaw(t, port, '127.0.0.1')).reply(), /^220/);
});

test('AUTH has to succeed in time, and no command prolongs it', async (t) => {
  const { port, event } = await startServer(t, { require_auth: true, limits: { auth_timeout_ms: 1_000 } });
  const client = await openGreeted(t, port);
  const start = performance.now();
  const noop = setInterval(() => client.socket.write('NOOP\r\n'), 50);
  t.after(() => clearInterval(noop));
  let last = await client.reply();
  while (last.startsWith('250')) last = await client.reply();
  assert.match(last, /^421 4\.7\.0 Not authenticated in time/);
  assert.ok(performance.now() - start < 30_000);
  assert.equal((await event('closed')).reason, 'timed_out');
});

test('the time limit does not apply after AUTH, or where AUTH is not required', async (t) => {
  const limits = { auth_timeout_ms: 1_500 };
  const open = await startServer(t, { limits });
  const closed = await startServer(t, { require_auth: true, allow_plaintext_auth: true, limits });
  const [guest, user] = [await openGreeted(t, open.port), await openGreeted(t, closed.port)];
  await user.say(`AUTH PLAIN ${Buffer.from('\0user\0secret').toString('base64')}`);
  await sleep(1_700);
  for (const client of [guest, user]) assert.match(await client.say('NOOP'), /^250/);
});

test('commands before AUTH are few, after it many', async (t) => {
  const options = {
    require_auth: true,
    allow_plaintext_auth: true,
    limits: { max_commands_before_auth: 5 },
  };
  const { port } = await startServer(t, options);
  const idle = await openGreeted(t, port);
  for (let times = 0; times < 4; times += 1) assert.match(await idle.say('NOOP'), /^250/);
  assert.match(await idle.say('RSET'), /^421 4\.7\.0 Too many commands without authentication/);
  const user = await openGreeted(t, port);
  await user.say(`AUTH PLAIN ${Buffer.from('\0user\0secret').toString('base64')}`);
  for (let times = 0; times < 10; times += 1) assert.match(await user.say('NOOP'), /^250/);
});

test('idle clients make room for the next one, those with a password stay, over servers that share the caps', async (t) => {
  const limits = { ...defaultLimits, max_unauthenticated: 2, max_unauthenticated_per_source: 2 };
  const caps = createConnectionCaps(limits);
  const options = { require_auth: true, allow_plaintext_auth: true, caps };
  const [one, two] = [await startServer(t, options), await startServer(t, options)];
  const user = await openGreeted(t, one.port);
  await user.say(`AUTH PLAIN ${Buffer.from('\0user\0secret').toString('base64')}`);
  const idle = [await openRaw(t, one.port, '127.0.1.1'), await openRaw(t, two.port, '127.0.1.1')];
  for (const client of idle) assert.match(await client.reply(), /^220/);
  const third = await openRaw(t, one.port, '127.0.1.1');
  assert.match(await third.reply(), /^421 4\.7\.0 Too many .* from your network that have not authenticated/);
  assert.match(await (await openRaw(t, two.port, '127.0.2.1')).reply(), /^220/);
  assert.match((await idle[0]?.reply()) ?? '', /^421 4\.7\.0 Too many .* that have not authenticated/);
  await idle[0]?.closed();
  assert.equal((await one.event('closed')).reason, 'evicted');
  assert.match(await user.say('NOOP'), /^250/);
  assert.deepEqual([caps.authenticated, caps.unauthenticated], [1, 2]);
});

test('a client in the middle of a TLS handshake makes room at once', async (t) => {
  const limits = { max_unauthenticated: 1, tls_timeout_ms: 120_000 };
  const { port, event, left } = await startServer(t, { secure: true, require_auth: true, limits });
  const silent = await openRaw(t, port);
  await event('opened');
  const start = performance.now();
  await openRaw(t, port);
  await silent.closed();
  assert.ok(performance.now() - start < 60_000);
  await left(1);
  assert.equal((await event('closed')).reason, 'evicted');
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

test('a client that speaks before the greeting is accepted, or refused if the server is set so', async (t) => {
  const tolerant = await startServer(t);
  const strict = await startServer(t, { early_talker_wait_ms: 1_000 });
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
