import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { openGreeted, openRaw } from './raw-client.fixture.ts';
import { createRandom, cutAtRandom, type Random } from './seeded-random.fixture.ts';
import { envelope, startServer } from './smtp-server.fixture.ts';

const fragments = [
  'EHLO x',
  'HELO y',
  'MAIL FROM:<a@a.example>',
  'MAIL FROM:<>',
  'RCPT TO:<b@b.example>',
  'DATA',
  'RSET',
  'NOOP',
  'AUTH PLAIN',
  'AUTH LOGIN',
  'AHVzZXIAc2VjcmV0',
  '*',
  'STARTTLS',
  'VRFY x',
  'QUIT',
  'BDAT 10 LAST',
  '.',
  '..',
  '\r\n',
  '\r\n',
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  '<',
  '>',
  '"',
  '\u00ff\u00fe',
  'x'.repeat(600),
  '\u0016\u0003\u0001\u0002\u0000',
];

function garbage(random: Random): Buffer {
  if (random(3) === 0) return Buffer.from(Array.from({ length: random(3000) }, () => random(256)));
  const parts = Array.from(
    { length: random(80) },
    () => `${fragments[random(fragments.length)]}${random(3) > 0 ? '\r\n' : ''}`,
  );
  return Buffer.from(parts.join(''), 'latin1');
}

test('every connection with random bytes ends, and the server goes on', async (t) => {
  const { port, events, left } = await startServer(t, {
    allow_plaintext_auth: true,
    limits: { max_connections_per_source: 1000, tls_timeout_ms: 200, auth_failures: 1e6 },
  });
  const attack = async (seed: number): Promise<void> => {
    const random = createRandom(seed);
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    socket.on('error', () => socket.destroy());
    socket.resume();
    await once(socket, 'connect');
    for (const chunk of cutAtRandom(garbage(random), random)) socket.write(chunk);
    if (random(4) === 0) socket.destroy();
    else socket.end();
    if (!socket.closed) await once(socket, 'close', { signal: AbortSignal.timeout(8000) });
  };
  for (let batch = 0; batch < 20; batch += 1) {
    await Promise.all(Array.from({ length: 30 }, async (_, each) => await attack(batch * 30 + each)));
  }
  assert.deepEqual(
    events.filter(({ event }) => event === 'handler_failed'),
    [],
  );
  const client = await openRaw(t, port);
  assert.match(await client.reply(), /^220/);
  assert.match(await client.sayAll('EHLO x', 'QUIT'), /^221/);
  await left(0);
});

test('any body goes through the wire and comes out as it was', async (t) => {
  const { port, messages } = await startServer(t, { nul: 'keep' });
  const client = await openGreeted(t, port);
  const pieces = ['.', '..', '\r\n', '\r\n.', '\r\n..\r\n', 'x', ' ', 'é', 'a line of text', '\0'];
  for (let seed = 1; seed <= 150; seed += 1) {
    const random = createRandom(seed);
    const body = `${Array.from({ length: random(300) }, () => pieces[random(pieces.length)]).join('')}\r\n`;
    const sent = Buffer.from(`${envelope}${body.replaceAll(/^\./gm, '..')}.\r\n`, 'latin1');
    for (const chunk of cutAtRandom(sent, random)) client.socket.write(chunk);
    assert.deepEqual(await client.codes(4), [250, 250, 354, 250], `seed ${seed}`);
    assert.ok(messages.at(-1)?.text === body, `seed ${seed}`);
  }
});
