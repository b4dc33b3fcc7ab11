import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openGreeted, openRaw } from './raw-client.fixture.ts';
import { envelope, startServer } from './smtp-server.fixture.ts';

const endings = [
  '\n.\n',
  '\r.\r',
  '\n.\r\n',
  '\r\n.\n',
  '\r\n.\r',
  '\r.\r\n',
  '\n.\r',
  '\r.\n',
  '\r\n.\r\r\n',
  '\r\n\0.\r\n',
];

for (const ending of endings) {
  const inner = `one${ending}MAIL FROM:<evil@a.example>\r\nRCPT TO:<c@c.example>\r\nDATA\r\nsmuggled`;
  test(`${JSON.stringify(ending)} does not split a message in two`, async (t) => {
    for (const bare_newlines of ['reject', 'fix'] as const) {
      const { port, messages } = await startServer(t, { bare_newlines, nul: 'keep' });
      const client = await openGreeted(t, port);
      client.socket.write(envelope);
      assert.deepEqual(await client.codes(3), [250, 250, 354]);
      client.socket.write(`${inner}\r\n.\r\nQUIT\r\n`, 'latin1');
      const isBare = !ending.includes('\0');
      assert.match(await client.reply(), isBare && bare_newlines === 'reject' ? /^550 5\.6\.0/ : /^250/);
      assert.match(await client.reply(), /^221/);
      await client.closed();
      assert.ok(messages.length <= 1);
      assert.ok(messages.every((message) => message.envelope.from?.address === 'a@a.example'));
      assert.ok(messages.every((message) => message.text.endsWith('smuggled\r\n')));
    }
  });
}

test('commands sent in plain text behind STARTTLS are refused with the connection', async (t) => {
  const { port, messages } = await startServer(t);
  const client = await openGreeted(t, port);
  client.socket.write(`STARTTLS\r\nEHLO evil.example\r\n${envelope}injected\r\n.\r\n`);
  assert.match(await client.reply(), /^503 5\.5\.1/);
  await client.closed();
  assert.equal(client.received, '');
  assert.equal(messages.length, 0);
});

test('plain bytes that arrive between the reply to STARTTLS and the handshake break the handshake', async (t) => {
  const { port, messages, event } = await startServer(t);
  const client = await openGreeted(t, port);
  assert.match(await client.say('STARTTLS'), /^220 2\.0\.0/);
  client.socket.write(`EHLO evil.example\r\n${envelope}injected\r\n.\r\n`);
  await client.closed();
  assert.equal((await event('tls_failed')).event, 'tls_failed');
  assert.equal(messages.length, 0);
});

test('after STARTTLS the session begins anew', async (t) => {
  const { port } = await startServer(t);
  const client = await openGreeted(t, port);
  await client.sayAll('MAIL FROM:<a@a.example>', 'RCPT TO:<b@b.example>', 'STARTTLS');
  await client.startTls();
  assert.match(await client.say('DATA'), /^503/);
  assert.match(await client.say('MAIL FROM:<a@a.example>'), /^503/);
  const offers = await client.say('EHLO client.example');
  assert.match(offers, /AUTH PLAIN LOGIN/);
  assert.doesNotMatch(offers, /STARTTLS/);
  assert.match(await client.say('STARTTLS'), /^503/);
});

test('a command line with a bare line end is never carried out', async (t) => {
  const { port } = await startServer(t);
  const client = await openGreeted(t, port);
  client.socket.write('MAIL FROM:<a@a.example>\nNOOP\rQUIT\r\nRCPT TO:<b@b.example>\r\n');
  assert.deepEqual(await client.codes(3), [500, 500, 503]);
});

test('an HTTP request of a browser is not read as commands', async (t) => {
  const { port, messages } = await startServer(t);
  const client = await openRaw(t, port);
  await client.reply();
  client.socket.write(`POST / HTTP/1.1\r\nHost: x\r\n\r\nEHLO x\r\n${envelope}forged\r\n.\r\n`);
  assert.match(await client.reply(), /^500 5\.5\.2/);
  await client.closed();
  assert.equal(messages.length, 0);
});
