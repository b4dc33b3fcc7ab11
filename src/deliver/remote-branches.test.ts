import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import {
  close,
  delay,
  drop,
  garbage,
  inSequence,
  silence,
  type Command,
} from '../../test/support/remote-mx.ts';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { startDeliveryBed, type DeliveryBed, type LoggedEvent, type Remote } from './delivery-bed.fixture.ts';

let bed: DeliveryBed;
before(async () => {
  bed = await startDeliveryBed({ CHASQUI_MX_TIMEOUT_SECONDS: '2' });
});
after(async () => await bed.stop());

/** What every line of a log must tell of where the attempt was made. */
function madeAt({ host, address }: Pick<Remote, 'host' | 'address'>, event: LoggedEvent | undefined): void {
  assert.deepEqual([event?.data['remote_host'], event?.data['remote_ip']], [host, address]);
  assert.ok(Number(event?.data['duration_ms']) >= 0);
}

const plain = ['PIPELINING', 'SIZE 52428800', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES'];

describe('an attempt at a remote server', { concurrency: 6 }, () => {
  test('2xx: sent once, with where and how', async (t) => {
    const remote = await bed.remote(t);
    await bed.send(`a@${remote.domain}`);
    const [event, ...rest] = await bed.becomes(`a@${remote.domain}`, 3);
    madeAt(remote, event);
    assert.deepEqual(rest, []);
    assert.deepEqual([event?.event, event?.status, event?.reason], ['sent', 3, null]);
    assert.deepEqual([event?.data['smtp_code'], event?.data['attempt']], [250, 1]);
    assert.equal(event?.data['response'], '250 2.0.0 accepted');
    assert.match(String(event?.data['tls']), /^TLSv1\.3 /);
    assert.equal(remote.mx.messages.length, 1);
  });

  test('4xx then 2xx: deferred with the reply, then sent as the second attempt', async (t) => {
    const remote = await bed.remote(t);
    remote.mx.script.RCPT = inSequence('451 4.3.0 try again in 1 second', '250 2.1.5 ok');
    const to = `a@${remote.domain}`;
    await bed.send(to);
    const [first, second] = await bed.becomes(to, 3);
    madeAt(remote, first);
    assert.deepEqual([first?.event, first?.status, first?.data['smtp_code']], ['deferred', 5, 451]);
    assert.equal(first?.data['enhanced_code'], '4.3.0');
    assert.ok(Date.parse(String(first?.data['next_attempt_at'])) > 0);
    assert.deepEqual([second?.event, second?.data['attempt']], ['sent', 2]);
    assert.equal(await bed.restriction(to), undefined);
  });

  const refusals: [script: Partial<Record<Command, string>>, status: 5 | 6, reason: string, type?: string][] =
    [
      [{ greeting: '554 5.7.1 not you' }, 5, 'policy'],
      [{ EHLO: '550 5.7.1 no', HELO: '550 5.7.1 no' }, 5, 'policy'],
      [{ MAIL: '550 5.1.8 sender unknown' }, 5, 'sender_rejected'],
      [{ MAIL: '552 5.3.4 too big for us' }, 6, 'message_too_big', 'block'],
      [{ RCPT: '550 5.1.1 no such user' }, 6, 'no_such_user', 'hard'],
      [{ RCPT: '550 nobody of that name' }, 6, 'no_such_user', 'hard'],
      [{ RCPT: '552 5.2.2 mailbox full' }, 6, 'mailbox_full', 'soft'],
      [{ DATA: '554 5.6.0 content refused' }, 6, 'bad_content', 'block'],
      [{ BODY: '554 5.6.0 content refused' }, 6, 'bad_content', 'block'],
      [{ BODY: '550 5.7.1 this looks like spam' }, 5, 'spam'],
    ];
  for (const [script, status, reason, type] of refusals) {
    const [command = '', reply] = Object.entries(script)[0] ?? [];
    test(`${reply} at ${command}: ${type ?? 'deferred'}, ${reason}`, async (t) => {
      const remote = await bed.remote(t, { script });
      const to = `a@${remote.domain}`;
      await bed.send(to);
      const [event] = await bed.becomes(to, status);
      madeAt(remote, event);
      assert.deepEqual([event?.reason, event?.data['type']], [reason, type]);
      assert.equal(event?.data['smtp_code'], Number(reply?.slice(0, 3)));
      assert.equal(event?.data['response'], reply);
      const restricted = type === 'hard' ? { reason: 'hard_bounce', detail: reason } : undefined;
      assert.deepEqual(await bed.restriction(to), restricted);
    });
  }

  const deferrals: [command: Command, reply: string, reason: string][] = [
    ['greeting', '450 come back later', 'temporary_failure'],
    ['greeting', '421 4.3.2 too busy', 'system'],
    ['EHLO', '451 4.3.0 not now', 'system'],
    ['MAIL', '451 4.4.3 name server trouble', 'routing'],
    ['RCPT', '452 4.2.2 mailbox full', 'mailbox_full'],
    ['DATA', '451 4.3.0 disk trouble', 'system'],
    ['BODY', '452 4.3.1 out of space', 'system'],
    ['BODY', '421 4.3.2 shutting down', 'system'],
  ];
  for (const [command, reply, reason] of deferrals) {
    test(`${reply} at ${command}: deferred, ${reason}`, async (t) => {
      const remote = await bed.remote(t, { script: { [command]: reply } });
      const to = `a@${remote.domain}`;
      await bed.send(to);
      const [event] = await bed.becomes(to, 5);
      madeAt(remote, event);
      assert.deepEqual([event?.reason, event?.data['response']], [reason, reply]);
      assert.equal(await bed.restriction(to), undefined);
    });
  }

  test('a server that knows only HELO gets its mail, not encrypted and one command at a time', async (t) => {
    const remote = await bed.remote(t, { script: { EHLO: '502 5.5.1 what?' } });
    await bed.send(`a@${remote.domain}`);
    const [event] = await bed.becomes(`a@${remote.domain}`, 3);
    madeAt(remote, event);
    assert.deepEqual([event?.data['tls'], remote.mx.sessions[0]?.pipelined], [undefined, false]);
    assert.deepEqual(remote.mx.messages[0]?.mail_params, {});
  });

  test('a kept connection that ended while it waited does not count as an attempt: the mail uses a new one', async (t) => {
    const remote = await bed.remote(t);
    remote.mx.script.MAIL = ({ times }) => (times === 2 ? drop : undefined);
    await bed.send(`a@${remote.domain}`);
    await bed.becomes(`a@${remote.domain}`, 3);
    await bed.send(`b@${remote.domain}`);
    const [event, ...rest] = await bed.becomes(`b@${remote.domain}`, 3);
    assert.deepEqual([event?.data['attempt'], rest], [1, []]);
    assert.equal(remote.mx.sessions.length, 2);
  });

  const commands: Command[] = ['greeting', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'BODY'];
  for (const command of commands) {
    test(`a connection dropped at ${command}: deferred, and no recipient restricted`, async (t) => {
      const remote = await bed.remote(t, { capabilities: ['SIZE'], script: { [command]: drop } });
      const to = `a@${remote.domain}`;
      await bed.send(to);
      const [event] = await bed.becomes(to, 5);
      madeAt(remote, event);
      assert.equal(event?.reason, 'connection_closed');
      assert.match(String(event?.data['detail']), new RegExp(`^closed at ${command.toLowerCase()}: `));
      const seconds = await bed.secondsUntilDue(to);
      assert.ok(seconds > 40 && seconds <= 66, `${seconds}`);
      assert.equal(remote.mx.sessions.length, 1);
    });
  }

  for (const command of ['greeting', 'EHLO', 'RCPT', 'BODY'] as const) {
    test(`silence at ${command}: deferred after the timeout`, async (t) => {
      const remote = await bed.remote(t, { capabilities: plain, script: { [command]: silence } });
      const to = `a@${remote.domain}`;
      await bed.send(to);
      const [event] = await bed.becomes(to, 5);
      madeAt(remote, event);
      assert.equal(event?.reason, 'connection_timeout');
      assert.match(String(event?.data['detail']), new RegExp(`^timeout at ${command.toLowerCase()}: `));
      assert.ok(Number(event?.data['duration_ms']) >= 1_900);
    });
  }

  test('a slow banner is waited for', async (t) => {
    const remote = await bed.remote(t, { script: { greeting: delay(700) } });
    await bed.send(`a@${remote.domain}`);
    const [event] = await bed.becomes(`a@${remote.domain}`, 3);
    assert.ok(Number(event?.data['duration_ms']) >= 700);
  });

  for (const command of ['greeting', 'MAIL', 'BODY'] as const) {
    test(`garbage at ${command}: deferred, and what can be stored of it is`, async (t) => {
      const bytes = Buffer.from('\0\ud800 \u00ff\xfe no SMTP at all\r\n', 'latin1');
      const remote = await bed.remote(t, { capabilities: plain, script: { [command]: garbage(bytes) } });
      const to = `a@${remote.domain}`;
      await bed.send(to);
      const [event] = await bed.becomes(to, 5);
      madeAt(remote, event);
      assert.equal(event?.reason, 'connection_protocol');
    });
  }

  const brokenTls: [name: string, options: Parameters<DeliveryBed['remote']>[1]][] = [
    ['refused', { script: { STARTTLS: '454 4.7.0 not now' } }],
    ['refused permanently', { script: { STARTTLS: '502 5.5.1 no' } }],
    ['broken', { tls: 'broken' }],
    ['met with silence', { script: { STARTTLS: silence } }],
    ['met with a hang-up', { script: { STARTTLS: drop } }],
  ];
  for (const [name, options] of brokenTls) {
    test(`STARTTLS ${name}: the mail is sent unencrypted`, async (t) => {
      const remote = await bed.remote(t, options);
      await bed.send(`a@${remote.domain}`);
      const [event, ...rest] = await bed.becomes(`a@${remote.domain}`, 3);
      madeAt(remote, event);
      assert.deepEqual([event?.data['tls'], rest], [undefined, []]);
      assert.equal(remote.mx.messages[0]?.session.tls, undefined);
      await bed.send(`b@${remote.domain}`);
      await bed.becomes(`b@${remote.domain}`, 3);
      assert.equal(remote.mx.sessions.length, 2, 'TLS is not tried again at once');
    });
  }

  test('a message over the SIZE of the server is bounced without being sent', async (t) => {
    const remote = await bed.remote(t, { capabilities: ['PIPELINING', 'SIZE 900'] });
    const to = `a@${remote.domain}`;
    await bed.send(to);
    const [event] = await bed.becomes(to, 6);
    madeAt(remote, event);
    assert.deepEqual([event?.reason, event?.data['type']], ['message_too_big', 'block']);
    assert.match(String(event?.data['detail']), /octets, where the server takes 900$/);
    assert.ok(!remote.mx.sessions[0]?.dialogue.some(({ line }) => line.startsWith('MAIL')));
    assert.equal(await bed.restriction(to), undefined);
  });

  for (const pipelining of [true, false]) {
    test(`pipelining ${pipelining ? 'is used' : 'is not'} when ${pipelining ? '' : 'not '}offered`, async (t) => {
      const capabilities = [...(pipelining ? ['PIPELINING'] : []), 'SIZE 52428800', '8BITMIME'];
      const remote = await bed.remote(t, { capabilities });
      await bed.send(`a@${remote.domain}`);
      await bed.becomes(`a@${remote.domain}`, 3);
      assert.equal(remote.mx.sessions[0]?.pipelined, pipelining);
    });
  }

  test('a reply of several lines is told as one', async (t) => {
    const lines = ['550-5.1.1 The account', '550-5.1.1 does not', '550 5.1.1 exist'];
    const remote = await bed.remote(t, { script: { RCPT: lines } });
    const to = `a@${remote.domain}`;
    await bed.send(to);
    const [event] = await bed.becomes(to, 6);
    assert.equal(event?.data['response'], '550 5.1.1 The account does not exist');
    assert.equal((await bed.restriction(to))?.reason, 'hard_bounce');
  });

  test('421 in mid-session: deferred, the session is not used again, and the next mails wait untried', async (t) => {
    const remote = await bed.remote(t);
    remote.mx.script.RCPT = ({ total }) => (total === 2 ? close('421 4.7.0 too much') : undefined);
    await bed.send(`a@${remote.domain}`);
    await bed.becomes(`a@${remote.domain}`, 3);
    await bed.send(`b@${remote.domain}`);
    const [event] = await bed.becomes(`b@${remote.domain}`, 5);
    madeAt(remote, event);
    assert.deepEqual([event?.data['smtp_code'], remote.mx.sessions.length], [421, 1]);
    await bed.send(`c@${remote.domain}`);
    const wait = await waitFor(
      async () => {
        const seconds = await bed.secondsUntilDue(`c@${remote.domain}`);
        return seconds > 1 && seconds;
      },
      { what: 'the mail to be put off' },
    );
    assert.ok(wait > 10 && wait < 60, `${wait}`);
    // It was not tried, so it is still queued, without an event and with all its attempts before it.
    assert.deepEqual(await bed.becomes(`c@${remote.domain}`, 2), []);
    const [row] = await bed.service.db.query<{ attempts: number; last_error: string }>(
      'select attempts, last_error from queue q join mails m using (mail_id) where m.recipient = $1',
      [`c@${remote.domain}`],
    );
    assert.deepEqual(row, { attempts: 0, last_error: 'paced' });
    assert.equal(remote.mx.sessions.length, 1);
  });

  const greylists: [reply: string, from: number, to: number][] = [
    ['451 4.7.1 Greylisted, please try again in 300 seconds', 300, 320],
    ['450 4.2.0 Greylisted for 5 minutes', 300, 320],
    ['451 4.7.1 Greylisting in action, please come back later', 50, 66],
  ];
  for (const [reply, from, most] of greylists) {
    test(`${reply}: the next attempt is ${from} to ${most} seconds later`, async (t) => {
      const remote = await bed.remote(t, { script: { RCPT: reply } });
      const to = `a@${remote.domain}`;
      await bed.send(to);
      const [event] = await bed.becomes(to, 5);
      assert.equal(event?.reason, 'greylisted');
      const seconds = await bed.secondsUntilDue(to);
      assert.ok(seconds > from && seconds <= most, `${seconds}`);
      // Greylisting is about the pair, not about how much we send: others go on.
      remote.mx.script = {};
      await bed.send(`b@${remote.domain}`);
      await bed.becomes(`b@${remote.domain}`, 3);
    });
  }

  test('a scripted recipient that defers three times is delivered within half a minute', async () => {
    await bed.send('defer-3@sandbox.test');
    const log = await bed.becomes('defer-3@sandbox.test', 3, 30_000);
    assert.deepEqual(
      log.map(({ event }) => event),
      ['deferred', 'deferred', 'deferred', 'sent'],
    );
  });

  test('many mails to one host share few connections, each for a hundred messages at most', async (t) => {
    const remote = await bed.remote(t);
    const batch = (part: number) =>
      Array.from({ length: 50 }, (_, index) => ({ email: `n${part * 50 + index}@${remote.domain}` }));
    for (let part = 0; part < 8; part += 1) await bed.send('', { to: batch(part) });
    await remote.mx.waitForMessages(400, 20_000);
    const { sessions, messages, max_open_sessions } = remote.mx;
    const perSession = sessions.map((session) => messages.filter((each) => each.session === session).length);
    assert.ok(max_open_sessions <= 10, `${max_open_sessions} at once`);
    assert.ok(sessions.length <= 12, `${sessions.length} sessions`);
    assert.ok(Math.max(...perSession) <= 100, perSession.join());
    assert.equal(new Set(messages.map(({ rcpt_to }) => rcpt_to[0])).size, 400);
  });

  test('the recipients of one message have outcomes of their own', async (t) => {
    const [good, bad, later] = [
      await bed.remote(t),
      await bed.remote(t, { script: { RCPT: '550 5.1.1 unknown' } }),
      await bed.remote(t, { script: { RCPT: '451 4.3.0 later' } }),
    ];
    const to = [good, bad, later].map(({ domain }) => ({ email: `a@${domain}` }));
    const msgId = await bed.send('', { to });
    const [sent] = await bed.becomes(`a@${good.domain}`, 3);
    const [bounced] = await bed.becomes(`a@${bad.domain}`, 6);
    const [deferred] = await bed.becomes(`a@${later.domain}`, 5);
    madeAt(good, sent);
    madeAt(bad, bounced);
    madeAt(later, deferred);
    const events = await bed.service.db.query('select 1 from events where msg_id = $1', [msgId]);
    assert.equal(events.length, 3);
    assert.equal(good.mx.messages.length, 1);
  });
});

test('the service stops in its time while a server keeps silent, and the mail is given back', async (t) => {
  const database = await createTestDatabase();
  t.after(async () => await database.drop());
  const own = await startDeliveryBed({ CHASQUI_STOP_TIMEOUT_SECONDS: '1' }, { database });
  const remote = await own.remote(t, { capabilities: plain, script: { RCPT: silence } });
  await own.send(`a@${remote.domain}`);
  const isUnderWay = () => remote.mx.sessions[0]?.dialogue.some(({ line }) => line.startsWith('RCPT'));
  await waitFor(isUnderWay, { what: 'the attempt to begin' });
  const began = performance.now();
  await own.stop();
  assert.ok(performance.now() - began < 20_000);
  const { rows } = await query(database, 'select attempts, lease from queue');
  assert.deepEqual(rows, [{ attempts: 0, lease: null }]);
});

async function query({ connection }: TestDatabase, sql: string) {
  const client = new Client(connection);
  await client.connect();
  try {
    return await client.query(sql);
  } finally {
    await client.end();
  }
}
