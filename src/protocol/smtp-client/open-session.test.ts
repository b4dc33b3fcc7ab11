import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { close, drop, garbage, silence } from '../../../test/support/remote-mx.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import {
  brief,
  messageOf,
  mxFor,
  openOrFail,
  plainCapabilities,
  rawServer,
  tryToOpen,
} from './client-session.fixture.ts';
import type { ClientEvent } from './log.ts';

/** A server that answers the connection, and then whatever it hears, with the next of these, byte by byte. */
async function slowServer(t: TestContext, ...answers: string[]) {
  let unsent = answers.join('').length;
  const server = await rawServer(t, (socket) => {
    const writeFrom = (text: string, at: number): void => {
      if (at >= text.length || socket.destroyed) return;
      unsent -= 1;
      socket.write(text.charAt(at), () => setImmediate(writeFrom, text, at + 1));
    };
    const rest = [...answers];
    const answer = (): void => writeFrom(rest.shift() ?? '', 0);
    socket.on('data', answer);
    answer();
  });
  return { ...server, unsent: () => unsent };
}

test('a session knows the server, both addresses and that it is not encrypted', async (t) => {
  const mx = await mxFor(t, { capabilities: [...plainCapabilities, 'X-ODD thing'] });
  const session = await openOrFail(t, mx, { local_address: '127.0.0.3' });
  assert.deepEqual([session.remote_address, session.local_address], ['127.0.0.1', '127.0.0.3']);
  assert.equal(session.tls, undefined);
  assert.equal(session.capabilities.size_limit, 52_428_800);
  assert.ok(session.capabilities.offers('X-ODD'));
  assert.equal(session.reusable, true);
  assert.match(mx.sessions[0]?.remote_address ?? '', /^127\.0\.0\.3:/);
  assert.equal(mx.sessions[0]?.dialogue[1]?.line, 'EHLO client.test');
});

test('a refused greeting or EHLO is the reply itself', async (t) => {
  const cases = [
    ['greeting', '554 5.7.1 not from there', 'greeting 554'],
    ['greeting', close('421 4.3.2 too busy'), 'greeting 421'],
    ['greeting', ['450-wait', '450 a while'], 'greeting 450'],
    ['EHLO', '451 4.3.0 not now', 'ehlo 451'],
    ['EHLO', close('421 4.7.0 go away'), 'ehlo 421'],
  ] as const;
  for (const [command, reply, expected] of cases) {
    const mx = await mxFor(t, { script: { [command]: reply } });
    const outcome = await tryToOpen(mx);
    assert.equal(brief(outcome), expected);
    await waitFor(() => mx.open_sessions === 0, { what: 'the connection to be closed' });
  }
});

test('a reply of several lines is one text', async (t) => {
  const mx = await mxFor(t, {
    script: { greeting: ['554-5.7.1 You are', '554-5.7.1 not', '554 5.7.1 welcome'] },
  });
  const outcome = await tryToOpen(mx);
  assert.deepEqual(outcome, {
    kind: 'reply',
    phase: 'greeting',
    code: 554,
    enhanced_code: '5.7.1',
    text: 'You are not welcome',
  });
});

test('a server that refuses EHLO is spoken to with HELO, and offers nothing', async (t) => {
  const mx = await mxFor(t, { script: { EHLO: '502 5.5.1 what?' } });
  const session = await openOrFail(t, mx, { tls: { mode: 'opportunistic' } });
  assert.deepEqual(session.capabilities.lines, []);
  assert.equal(brief((await session.send(messageOf('a\r\n')))[0]), 'body 250');
  assert.deepEqual(mx.messages[0]?.mail_params, {});
  assert.equal(mx.sessions[0]?.pipelined, false);
});

test('a server that refuses EHLO and HELO, or hangs up between them, gives a refusal', async (t) => {
  const both = await mxFor(t, { script: { EHLO: '550 5.7.1 no', HELO: '554 5.7.1 never' } });
  assert.equal(brief(await tryToOpen(both)), 'ehlo 554');
  const gone = await mxFor(t, { script: { EHLO: close('550 5.7.1 no') } });
  assert.equal(brief(await tryToOpen(gone)), 'ehlo 550');
});

test('a connection dropped, a server silent or babbling is a failure of its kind', async (t) => {
  const html = garbage(Buffer.from('<html>\r\n<body>\r\n'));
  const cases = [
    ['greeting', drop, 'greeting closed'],
    ['EHLO', drop, 'ehlo closed'],
    ['greeting', silence, 'greeting timeout'],
    ['EHLO', silence, 'ehlo timeout'],
    ['greeting', garbage(), 'greeting protocol'],
    ['EHLO', html, 'ehlo protocol'],
    ['greeting', '354 send it', 'greeting protocol'],
    ['EHLO', '334 what', 'ehlo protocol'],
    ['greeting', ['220 hello', '250 and more'], 'ehlo protocol'],
    ['EHLO', Array.from({ length: 150 }, () => '250-X-MORE'), 'ehlo protocol'],
    ['EHLO', `250 ${'x'.repeat(3000)}`, 'ehlo protocol'],
  ] as const;
  for (const [command, reply, expected] of cases) {
    const mx = await mxFor(t, { script: { [command]: reply } });
    const timeouts = reply === silence ? { greeting: 60, ehlo: 60 } : {};
    assert.equal(brief(await tryToOpen(mx, { timeouts })), expected);
    await waitFor(() => mx.open_sessions === 0, { what: 'the connection to be closed' });
  }
});

test('a banner that trickles in without end does not prolong the wait', async (t) => {
  const server = await slowServer(t, `220-${'x'.repeat(1000)}\r\n`.repeat(60));
  assert.equal(brief(await tryToOpen(server, { timeouts: { greeting: 100 } })), 'greeting timeout');
  assert.ok(server.unsent() > 0);
});

test('replies byte by byte are replies', async (t) => {
  const server = await slowServer(t, '220-mx.test\r\n220 hello\r\n', '250-mx.test\r\n250 PIPELINING\r\n');
  const session = await openOrFail(t, server);
  assert.deepEqual(session.capabilities.lines, ['PIPELINING']);
});

test('a connection without a listener is refused, and one without a route is unreachable', async (t) => {
  const mx = await mxFor(t);
  await mx.stop();
  const refused = await tryToOpen(mx);
  assert.equal(brief(refused), 'connect refused');
  assert.equal((refused as { error_code?: string }).error_code, 'ECONNREFUSED');
  const elsewhere = await tryToOpen({ host: '127.0.0.1', port: mx.port }, { local_address: '192.0.2.1' });
  assert.equal(brief(elsewhere), 'connect unreachable');
});

test('throws for a host that is not an address, and for an invalid name', async () => {
  await assert.rejects(tryToOpen({ host: 'mx.test', port: 25 }), TypeError);
  await assert.rejects(tryToOpen({ host: '127.0.0.1', port: 25 }, { ehlo_name: 'a\r\nQUIT' }), TypeError);
});

test('a session logs both directions', async (t) => {
  const events: ClientEvent[] = [];
  const mx = await mxFor(t);
  const session = await openOrFail(t, mx, { log: (event) => events.push(event) });
  await session.send(messageOf('secret\r\n'));
  await session.quit();
  const lines = events.map((event) => {
    if (event.event === 'command') return event.line;
    return event.event === 'reply' ? `${event.phase} ${event.code}` : event.event;
  });
  const begin = ['greeting 220', 'EHLO client.test', 'ehlo 250'];
  const envelope = ['MAIL FROM:<from@client.test> SIZE=8', 'RCPT TO:<to@mx.test>', 'DATA'];
  const replies = ['mail 250', 'rcpt 250', 'data 354', 'body 250'];
  assert.deepEqual(lines, [...begin, ...envelope, ...replies, 'QUIT', 'quit 221', 'closed']);
});

test('IPv6 is spoken where there is any', async (t) => {
  const mx = await mxFor(t, { host: '::1' }).catch(() => undefined);
  if (mx === undefined) {
    t.skip('no IPv6 on this machine');
    return;
  }
  const session = await openOrFail(t, mx);
  assert.deepEqual([session.remote_address, session.local_address], ['::1', '::1']);
});
