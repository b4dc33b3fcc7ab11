import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { drop, type RemoteMxOptions } from '../../../test/support/remote-mx.ts';
import { isLoopback } from './authenticate.ts';
import {
  brief,
  messageOf,
  mxFor,
  openOrFail,
  plainCapabilities,
  tryToOpen,
} from './client-session.fixture.ts';
import type { ClientEvent } from './log.ts';
import { clientTlsContext } from './secure-socket.ts';

const credentials = { username: 'ana', password: 'pässword 1' };
const plain = Buffer.from('\0ana\0pässword 1').toString('base64');
const encoded = (text: string): string => Buffer.from(text).toString('base64');

async function mxWithAuth(t: TestContext, mechanisms: string, script: RemoteMxOptions['script'] = {}) {
  return await mxFor(t, { capabilities: [...plainCapabilities, `AUTH ${mechanisms}`], script });
}

test('PLAIN is one line, and the session then takes mail', async (t) => {
  const mx = await mxWithAuth(t, 'LOGIN PLAIN', { AUTH: '235 2.7.0 welcome' });
  const session = await openOrFail(t, mx, { credentials });
  assert.equal(brief((await session.send(messageOf('a\r\n')))[0]), 'body 250');
  const said = mx.sessions[0]?.dialogue.filter(({ from }) => from === 'client').map(({ line }) => line);
  assert.equal(said?.[1], `AUTH PLAIN ${plain}`);
});

test('LOGIN is asked for name and password in turn', async (t) => {
  const heard: string[] = [];
  const mx = await mxWithAuth(t, 'CRAM-MD5 LOGIN', {
    AUTH: ({ times }, argument) => {
      heard.push(argument);
      return times < 3 ? '334 VXNlcm5hbWU6' : '235 2.7.0 welcome';
    },
  });
  await openOrFail(t, mx, { credentials });
  assert.deepEqual(heard, ['LOGIN', encoded('ana'), encoded('pässword 1')]);
});

test('a refusal, a hang-up and a server without a known mechanism are told at that phase', async (t) => {
  const cases = [
    ['PLAIN', '535 5.7.8 wrong', 'auth 535'],
    ['PLAIN', '334 more', 'auth protocol'],
    ['LOGIN', '235 at once', 'auth protocol'],
    ['LOGIN', drop, 'auth closed'],
    ['CRAM-MD5', '235 2.7.0 welcome', 'auth protocol'],
  ] as const;
  for (const [mechanisms, reply, expected] of cases) {
    const mx = await mxWithAuth(t, mechanisms, { AUTH: reply });
    assert.equal(brief(await tryToOpen(mx, { credentials })), expected, expected);
  }
});

test('over TLS as well, after the second EHLO', async (t) => {
  const mx = await mxFor(t, {
    name: 'relay.test',
    capabilities: [...plainCapabilities, 'STARTTLS', 'AUTH PLAIN'],
    script: { AUTH: '235 2.7.0 welcome' },
  });
  const context = clientTlsContext({ ca: mx.certificate.cert });
  const tls = { mode: 'required', verify: 'pkix', context, servername: 'relay.test' } as const;
  const session = await openOrFail(t, mx, { credentials, tls });
  assert.equal(session.tls?.verified, true);
  const verbs = mx.sessions[0]?.dialogue
    .filter(({ from }) => from === 'client')
    .map(({ line }) => line.slice(0, 4));
  assert.deepEqual(verbs, ['EHLO', 'STAR', 'EHLO', 'AUTH']);
});

test('the password is in no line of the log', async (t) => {
  const events: ClientEvent[] = [];
  const mx = await mxWithAuth(t, 'LOGIN', { AUTH: ({ times }) => (times < 3 ? '334 go on' : '235 ok') });
  await openOrFail(t, mx, { credentials, log: (event) => void events.push(event) });
  const text = JSON.stringify(events);
  assert.ok(text.includes('AUTH …'));
  for (const hidden of ['ana', encoded('ana'), encoded('pässword 1')])
    assert.ok(!text.includes(hidden), hidden);
});

test('credentials are sent unencrypted to this machine only', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1']) assert.ok(isLoopback(address));
  for (const address of ['10.0.0.1', '192.0.2.127', '::2', '2001:db8::1', 'localhost.evil.test']) {
    assert.ok(!isLoopback(address), address);
  }
});
