import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openGreeted, openRaw } from './raw-client.fixture.ts';
import { envelope, startServer } from './smtp-server.fixture.ts';

test('stopping ends idle connections at once and takes no new ones', async (t) => {
  const { port, server, event } = await startServer(t);
  const client = await openGreeted(t, port);
  const stopped = server.stop({ within_ms: 5000 });
  assert.match(await client.reply(), /^421 4\.3\.2/);
  await client.closed();
  await stopped;
  assert.equal((await event('closed')).reason, 'server_stopped');
  await assert.rejects(openRaw(t, port));
});

test('stopping lets a transaction in progress come to its end, whatever part of it is left', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { port, server, messages } = await startServer(t, {
    handlers: {
      onMessage: async (message) => {
        await promise;
        messages.push({ ...message, text: '' });
        return { code: 250, enhanced: '2.0.0', text: 'taken' };
      },
    },
  });
  const [opened, receiving, handling] = [
    await openGreeted(t, port),
    await openGreeted(t, port),
    await openGreeted(t, port),
  ];
  await opened.say('MAIL FROM:<a@a.example>');
  receiving.socket.write(`${envelope}half of `);
  handling.socket.write(`${envelope}all of it\r\n.\r\n`);
  await Promise.all([receiving.codes(3), handling.codes(3)]);
  const stopped = server.stop({ within_ms: 8000 });
  await opened.say('RCPT TO:<b@b.example>');
  await opened.say('DATA');
  opened.socket.write('text\r\n.\r\n');
  receiving.socket.write('the text\r\n.\r\n');
  resolve();
  for (const client of [opened, receiving, handling]) {
    assert.deepEqual(await client.codes(2), [250, 421]);
    await client.closed();
  }
  await stopped;
  assert.equal(messages.length, 3);
});

test('stopping does not wait for ever', async (t) => {
  const { port, server } = await startServer(t);
  const client = await openGreeted(t, port);
  await client.say('MAIL FROM:<a@a.example>');
  const start = performance.now();
  await server.stop({ within_ms: 100 });
  const took = performance.now() - start;
  assert.ok(took >= 95 && took < 10_000, `${took} ms`);
  await client.closed();
  assert.equal(server.connections, 0);
});

test('stopping ends encrypted connections and those that hang in a handshake', async (t) => {
  const plain = await startServer(t);
  const client = await openGreeted(t, plain.port);
  await client.say('STARTTLS');
  await client.startTls();
  await client.say('EHLO client.example');
  const stopped = plain.server.stop({ within_ms: 5000 });
  assert.match(await client.reply(), /^421 4\.3\.2/);
  await client.closed();
  await stopped;
  const secure = await startServer(t, { secure: true });
  const hanging = await openRaw(t, secure.port);
  await secure.event('opened');
  await secure.server.stop({ within_ms: 50 });
  await hanging.closed();
});

test('stopping twice, or before listening, is allowed', async (t) => {
  const { server } = await startServer(t);
  await Promise.all([server.stop({ within_ms: 10 }), server.stop({ within_ms: 10 })]);
  await server.stop({ within_ms: 10 });
});
