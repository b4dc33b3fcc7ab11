import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { delay, silence } from '../../../test/support/remote-mx.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { seededRandom } from '../mime/seeded-random.fixture.ts';
import {
  brief,
  messageOf,
  mxFor,
  openOrFail,
  plainCapabilities,
  rawServer,
  tryToOpen,
} from './client-session.fixture.ts';

test('many messages go over one connection, unencrypted and over TLS', async (t) => {
  for (const mode of ['never', 'required'] as const) {
    const mx = await mxFor(t);
    const session = await openOrFail(t, mx, { tls: { mode } });
    const random = seededRandom(2920);
    const fragments = ['.', '..\r\n', '\r\n.', '\r\n', 'text ', '\r\n.\r\n', 'x'.repeat(3000)];
    const texts = Array.from({ length: 40 }, () => {
      const pick = () => fragments[Math.floor(random() * fragments.length)] ?? '';
      return `${Array.from({ length: 1 + random() * 12 }, pick).join('')}\r\n`;
    });
    for (const text of texts)
      assert.deepEqual((await session.send(messageOf(text))).map(brief), ['body 250']);
    assert.deepEqual(
      mx.messages.map(({ data }) => data.toString()),
      texts,
    );
    assert.equal(mx.sessions.length, 1);
    assert.equal(session.transactions, 40);
    assert.equal(brief(await session.quit()), 'quit 221');
    assert.equal(session.reusable, false);
    await waitFor(() => mx.open_sessions === 0, { what: 'the connection to be closed' });
  }
});

test('messages in several pieces, or without an end of line, are completed', async (t) => {
  const mx = await mxFor(t);
  const session = await openOrFail(t, mx);
  const pieces = ['Subject: x\r\n', '\r\n', 'body\r', '\n'].map((piece) => Buffer.from(piece));
  await session.send(messageOf('', { data: pieces }));
  await session.send(messageOf('', { data: Buffer.from('no end') }));
  await session.send(messageOf('', { data: [] }));
  const received = mx.messages.map(({ data }) => data.toString());
  assert.deepEqual(received, ['Subject: x\r\n\r\nbody\r\n', 'no end\r\n', '']);
});

/** Reads a message slowly, a little at a time, and then answers. */
async function slowReader(t: TestContext) {
  const digest = createHash('sha256');
  let size = 0;
  const address = await rawServer(t, (socket) => {
    socket.write('220 hi\r\n');
    let inData = false;
    let tail = '';
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString('latin1');
      if (!inData) {
        inData = text.includes('DATA\r\n');
        socket.write(inData ? '250 ok\r\n250 ok\r\n354 go\r\n' : '250-mx\r\n250 PIPELINING\r\n');
        return;
      }
      digest.update(chunk);
      size += chunk.length;
      tail = (tail + text).slice(-5);
      if (tail.endsWith('\r\n.\r\n')) socket.write('250 ok\r\n');
      socket.pause();
      setImmediate(() => socket.resume());
    });
  });
  return { ...address, digest, size: () => size };
}

test('a big message goes out no faster than the server reads, and arrives whole', async (t) => {
  const server = await slowReader(t);
  const session = await openOrFail(t, server);
  const line = Buffer.from(`${'0123456789'.repeat(7)}\r\n`);
  const data = [Buffer.alloc(line.length * 200_000, line), Buffer.from('last line\r\n')];
  const before = process.memoryUsage().arrayBuffers;
  const sending = session.send(messageOf('', { data, size: 14_400_011 }));
  await waitFor(() => server.size() > 1_000_000, { what: 'a part to arrive' });
  // The message was there before; what the sockets hold of it on top is little.
  assert.ok(process.memoryUsage().arrayBuffers - before < 10_000_000);
  assert.deepEqual((await sending).map(brief), ['body 250']);
  const expected = createHash('sha256');
  for (const piece of [...data, '.\r\n']) expected.update(piece);
  assert.equal(server.digest.digest('hex'), expected.digest('hex'));
});

test('a big message arrives whole under TLS', async (t) => {
  const mx = await mxFor(t);
  const session = await openOrFail(t, mx, { tls: { mode: 'required' } });
  const text = `${'0123456789'.repeat(7)}\r\n`.repeat(50_000);
  assert.deepEqual((await session.send(messageOf(text))).map(brief), ['body 250']);
  assert.ok(mx.messages[0]?.data.equals(Buffer.from(text)));
});

/** Greets, takes DATA, and then does something other than to read the message. */
async function stubbornServer(t: TestContext, onData: (socket: Socket) => void) {
  return await rawServer(t, (socket) => {
    socket.write('220 hi\r\n');
    socket.on('data', (chunk: Buffer) => {
      if (!chunk.includes('DATA\r\n')) {
        socket.write('250-mx\r\n250 PIPELINING\r\n');
        return;
      }
      socket.pause().removeAllListeners('data');
      socket.write('250 ok\r\n250 ok\r\n354 go\r\n', () => onData(socket));
    });
  });
}

const big = { data: Buffer.alloc(30_000_000, 'x'), size: 30_000_000 };

test('a server that stops reading is given up after a while', async (t) => {
  const server = await stubbornServer(t, () => undefined);
  const session = await openOrFail(t, server, { timeouts: { block: 150 } });
  assert.deepEqual((await session.send(messageOf('', big))).map(brief), ['body timeout']);
});

test('a server slow at every step is given up in the end', async (t) => {
  const mx = await mxFor(t, { capabilities: [], script: { RCPT: delay(40) } });
  const session = await openOrFail(t, mx, { timeouts: { transaction: 250 } });
  const rcpt_to = Array.from({ length: 50 }, (_, index) => `${index}@mx.test`);
  const outcomes = await session.send(messageOf('a\r\n', { rcpt_to }));
  assert.deepEqual(new Set(outcomes.map(brief)), new Set(['rcpt timeout']));
});

test('a server that is slow until the dot has its whole time for the reply after it', async (t) => {
  const mx = await mxFor(t, { script: { MAIL: delay(150), BODY: delay(400) } });
  const session = await openOrFail(t, mx, { timeouts: { transaction: 300, body: 5_000 } });
  assert.deepEqual((await session.send(messageOf('a\r\n'))).map(brief), ['body 250']);
  const hasty = await openOrFail(t, mx, { timeouts: { transaction: 5_000, body: 100 } });
  assert.deepEqual((await hasty.send(messageOf('a\r\n'))).map(brief), ['body timeout']);
});

test('a refusal before the end of the message counts and ends the session; an early approval does not count', async (t) => {
  for (const [reply, expected] of [
    ['552 5.3.4 too big\r\n', 'body 552'],
    ['250 2.0.0 fine\r\n', 'body protocol'],
  ] as const) {
    const server = await stubbornServer(t, (socket) => socket.write(reply));
    const session = await openOrFail(t, server);
    assert.deepEqual((await session.send(messageOf('', big))).map(brief), [expected]);
    assert.equal(session.reusable, false);
  }
});

test('a session that waits for work notices at once that it is over', async (t) => {
  const endings: [(socket: Socket) => unknown, string][] = [
    [(socket) => socket.end('421 4.4.2 idle too long\r\n'), 'closed'],
    [(socket) => socket.end(), 'closed'],
    [(socket) => socket.resetAndDestroy(), 'closed'],
    [(socket) => socket.write('250 2.0.0 out of nothing\r\n'), 'protocol'],
    [(socket) => socket.write('\0\0\0\n'), 'protocol'],
  ];
  for (const [ending, kind] of endings) {
    let connection: Socket | undefined;
    const server = await rawServer(t, (socket) => {
      connection = socket;
      socket.write('220 hi\r\n');
      socket.on('data', () => socket.write('250 mx.test\r\n'));
    });
    const session = await openOrFail(t, server);
    assert.equal(session.reusable, true);
    if (connection !== undefined) ending(connection);
    assert.equal((await session.closed).kind, kind);
    assert.equal(session.reusable, false);
    assert.equal(brief((await session.send(messageOf('a\r\n')))[0]), `mail ${kind}`);
  }
});

test('after a failed message the server is reset along with the next, or when asked', async (t) => {
  const mx = await mxFor(t, { script: { RCPT: '550 5.1.1 no' } });
  const session = await openOrFail(t, mx);
  const commands = () =>
    mx.sessions[0]?.dialogue.filter(({ from }) => from === 'client').map(({ line }) => line);
  await session.send(messageOf('a\r\n'));
  assert.ok(!commands()?.includes('RSET'));
  mx.script = {};
  assert.deepEqual((await session.send(messageOf('b\r\n'))).map(brief), ['body 250']);
  await session.send(messageOf('c\r\n'));
  assert.equal(commands()?.filter((line) => line === 'RSET').length, 1);
  assert.equal(brief(await session.reset()), 'rset 250');
  assert.equal(session.reusable, true);
});

test('QUIT is waited for, but not long, and destroys the connection', async (t) => {
  const mx = await mxFor(t, { script: { QUIT: silence } });
  const session = await openOrFail(t, mx, { timeouts: { quit: 60 } });
  assert.equal(brief(await session.quit()), 'quit timeout');
  assert.equal(brief(await session.quit()), 'quit timeout');
  await waitFor(() => mx.open_sessions === 0, { what: 'the connection to be closed' });
});

test('destroy ends a message under way with a value', async (t) => {
  const mx = await mxFor(t, { script: { BODY: silence } });
  const session = await openOrFail(t, mx);
  const sending = session.send(messageOf('a\r\n'));
  await waitFor(() => mx.sessions[0]?.dialogue.some(({ line }) => line === '.'), { what: 'the message' });
  session.destroy();
  session.destroy();
  assert.deepEqual((await sending).map(brief), ['body aborted']);
  assert.equal((await session.closed).kind, 'aborted');
});

test('two messages at once are a mistake of the caller, and do no harm to the first', async (t) => {
  const session = await openOrFail(t, await mxFor(t));
  const first = session.send(messageOf('a\r\n'));
  await assert.rejects(session.send(messageOf('b\r\n')), /busy/);
  assert.deepEqual((await first).map(brief), ['body 250']);
});

test('a signal ends sessions wherever they are', async (t) => {
  const aborted = AbortSignal.abort();
  const mx = await mxFor(t);
  assert.equal(brief(await tryToOpen(mx, { signal: aborted })), 'connect aborted');
  for (const [script, expected] of [
    [{ greeting: silence }, 'greeting aborted'],
    [{ EHLO: silence }, 'ehlo aborted'],
    [{ STARTTLS: silence }, 'starttls aborted'],
  ] as const) {
    const server = await mxFor(t, { script });
    const controller = new AbortController();
    const opening = tryToOpen(server, { signal: controller.signal, tls: { mode: 'required' } });
    const last = Object.keys(script)[0] ?? '';
    const heard = () => server.sessions[0]?.dialogue.some(({ line }) => line.startsWith(last));
    await waitFor(() => (last === 'greeting' ? server.open_sessions === 1 : heard()), { what: last });
    controller.abort();
    assert.equal(brief(await opening), expected);
  }
  const controller = new AbortController();
  const silent = await mxFor(t, { script: { MAIL: silence } });
  const session = await openOrFail(t, silent, { signal: controller.signal });
  const sending = session.send(messageOf('a\r\n'));
  controller.abort();
  assert.deepEqual((await sending).map(brief), ['mail aborted']);
  await waitFor(() => silent.open_sessions === 0, { what: 'the connection to be closed' });
});

test('many sessions under one signal, and many messages in one session, leave no listeners behind', async (t) => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): unknown => warnings.push(warning);
  process.on('warning', onWarning);
  t.after(() => process.off('warning', onWarning));
  const mx = await mxFor(t, { capabilities: [...plainCapabilities, 'STARTTLS'] });
  const { signal } = new AbortController();
  let listeners = 0;
  t.mock.method(signal, 'addEventListener', () => (listeners += 1));
  t.mock.method(signal, 'removeEventListener', () => (listeners -= 1));
  const opened = Array.from({ length: 30 }, async (_, index) => {
    return await openOrFail(t, mx, { signal, tls: { mode: index % 2 === 0 ? 'never' : 'required' } });
  });
  const sessions = await Promise.all(opened);
  assert.equal(listeners, 30);
  const line = `${'x'.repeat(70)}\r\n`;
  await Promise.all(sessions.map(async (session) => await session.send(messageOf(line.repeat(3000)))));
  for (let round = 0; round < 20; round += 1) await sessions[0]?.send(messageOf('a\r\n'));
  await Promise.all(sessions.map(async (session) => await session.quit()));
  assert.equal(listeners, 0);
  await waitFor(() => mx.open_sessions === 0, { what: 'the connections to be closed' });
  assert.deepEqual(warnings, []);
});
