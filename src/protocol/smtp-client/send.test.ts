import assert from 'node:assert/strict';
import { test } from 'node:test';
import { close, drop, garbage, inSequence, silence, type Script } from '../../../test/support/remote-mx.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { brief, messageOf, mxFor, openOrFail, plainCapabilities } from './client-session.fixture.ts';
import { isAccepted } from './outcome.ts';

const oneByOne = plainCapabilities.filter((line) => line !== 'PIPELINING');
const ways = [
  { way: 'pipelined', capabilities: plainCapabilities },
  { way: 'one by one', capabilities: oneByOne },
];
const recipients = ['a@mx.test', 'b@mx.test', 'c@mx.test'];

for (const { way, capabilities } of ways) {
  test(`${way}: the message arrives whole, and the server's words come back`, async (t) => {
    const script: Script = { BODY: ['250-2.0.0 queued', '250 2.0.0 as 4711'] };
    const mx = await mxFor(t, { capabilities, script });
    const session = await openOrFail(t, mx);
    const outcomes = await session.send(messageOf('.dots\r\n..\r\n.\r\nend', { rcpt_to: recipients }));
    const accepted = {
      kind: 'reply',
      phase: 'body',
      code: 250,
      enhanced_code: '2.0.0',
      text: 'queued as 4711',
    };
    assert.deepEqual(outcomes, [accepted, accepted, accepted]);
    assert.ok(outcomes.every(isAccepted));
    assert.equal(mx.messages[0]?.data.toString(), '.dots\r\n..\r\n.\r\nend\r\n');
    assert.deepEqual([mx.messages[0].mail_from, mx.messages[0].rcpt_to], ['from@client.test', recipients]);
    assert.equal(mx.sessions[0]?.pipelined, way === 'pipelined');
  });

  test(`${way}: a refusal at any command is the outcome, and the session goes on`, async (t) => {
    for (const [command, phase] of [
      ['MAIL', 'mail'],
      ['RCPT', 'rcpt'],
      ['DATA', 'data'],
      ['BODY', 'body'],
    ] as const) {
      for (const code of [451, 550]) {
        const reply = [`${code}-${String(code)[0]}.7.1 first`, `${code} ${String(code)[0]}.7.1 last`];
        const script = { [command]: inSequence<string[] | undefined>(reply, undefined) };
        const mx = await mxFor(t, { capabilities, script });
        const session = await openOrFail(t, mx);
        const [refused] = await session.send(messageOf('a\r\n'));
        assert.equal(brief(refused), `${phase} ${code}`);
        assert.equal(refused?.kind === 'reply' && refused.text, 'first last');
        assert.equal(session.reusable, true);
        assert.equal(brief((await session.send(messageOf('b\r\n')))[0]), 'body 250');
        assert.deepEqual(
          mx.messages.map(({ data }) => data.toString()),
          ['b\r\n'],
        );
        assert.equal(session.transactions, 2);
      }
    }
  });

  test(`${way}: a connection dropped at any command is a failure there`, async (t) => {
    for (const [command, phase] of [
      ['MAIL', 'mail'],
      ['RCPT', 'rcpt'],
      ['DATA', 'data'],
      ['BODY', 'body'],
    ] as const) {
      const mx = await mxFor(t, { capabilities, script: { [command]: drop } });
      const session = await openOrFail(t, mx);
      const outcomes = await session.send(messageOf('a\r\n', { rcpt_to: recipients }));
      assert.deepEqual(outcomes.map(brief), Array(3).fill(`${phase} closed`), command);
      assert.equal(session.reusable, false);
    }
  });

  test(`${way}: silence at any command is a timeout there`, async (t) => {
    for (const [command, phase] of [
      ['MAIL', 'mail'],
      ['RCPT', 'rcpt'],
      ['DATA', 'data'],
      ['BODY', 'body'],
    ] as const) {
      const mx = await mxFor(t, { capabilities, script: { [command]: silence } });
      const session = await openOrFail(t, mx, { timeouts: { [phase]: 60 } });
      assert.deepEqual((await session.send(messageOf('a\r\n'))).map(brief), [`${phase} timeout`], command);
      await waitFor(() => mx.open_sessions === 0, { what: 'the connection to be closed' });
    }
  });

  test(`${way}: 421 at any command decides for all who are undecided, and ends the session`, async (t) => {
    for (const [command, phase] of [
      ['MAIL', 'mail'],
      ['RCPT', 'rcpt'],
      ['DATA', 'data'],
      ['BODY', 'body'],
    ] as const) {
      const mx = await mxFor(t, { capabilities, script: { [command]: close('421 4.7.0 too much') } });
      const session = await openOrFail(t, mx);
      const outcomes = await session.send(messageOf('a\r\n', { rcpt_to: recipients }));
      assert.deepEqual(outcomes.map(brief), Array(3).fill(`${phase} 421`), command);
      assert.equal(session.reusable, false);
      assert.equal((await session.closed).kind, 'closed');
    }
  });

  test(`${way}: garbage or a reply that has no meaning there ends the session`, async (t) => {
    for (const [command, reply, expected] of [
      ['MAIL', garbage(), 'mail protocol'],
      ['RCPT', garbage(), 'rcpt protocol'],
      ['DATA', garbage(), 'data protocol'],
      ['BODY', garbage(), 'body protocol'],
      ['MAIL', '354 go', 'mail protocol'],
      ['RCPT', '354 go', 'rcpt protocol'],
      ['DATA', '250 ok', 'data protocol'],
      ['BODY', '354 more', 'body protocol'],
    ] as const) {
      const mx = await mxFor(t, { capabilities, script: { [command]: reply } });
      const session = await openOrFail(t, mx);
      assert.deepEqual((await session.send(messageOf('a\r\n'))).map(brief), [expected], command);
      assert.equal(session.reusable, false);
      assert.equal((await session.send(messageOf('b\r\n')))[0]?.kind, 'protocol');
    }
  });

  test(`${way}: each recipient has an outcome of its own`, async (t) => {
    const RCPT: Script['RCPT'] = (_, argument) => {
      if (argument.includes('<b@')) return '550 5.1.1 nobody';
      return argument.includes('<c@') ? '452 4.5.3 too many' : undefined;
    };
    const mx = await mxFor(t, { capabilities, script: { RCPT } });
    const session = await openOrFail(t, mx);
    const outcomes = await session.send(messageOf('a\r\n', { rcpt_to: [...recipients, 'd@mx.test'] }));
    assert.deepEqual(outcomes.map(brief), ['body 250', 'rcpt 550', 'rcpt 452', 'body 250']);
    assert.deepEqual(mx.messages[0]?.rcpt_to, ['a@mx.test', 'd@mx.test']);

    mx.script = { RCPT, DATA: '451 4.3.0 later' };
    const later = await session.send(messageOf('a\r\n', { rcpt_to: recipients }));
    assert.deepEqual(later.map(brief), ['data 451', 'rcpt 550', 'rcpt 452']);
    mx.script = { RCPT, BODY: drop };
    const cut = await session.send(messageOf('a\r\n', { rcpt_to: recipients }));
    assert.deepEqual(cut.map(brief), ['body closed', 'rcpt 550', 'rcpt 452']);
  });

  test(`${way}: 421 in the middle of the recipients leaves the refused ones refused`, async (t) => {
    const RCPT = inSequence<string | ReturnType<typeof close>>(
      '550 5.1.1 no',
      '250 ok',
      close('421 4.7.0 enough'),
    );
    const session = await openOrFail(t, await mxFor(t, { capabilities, script: { RCPT } }));
    const outcomes = await session.send(messageOf('a\r\n', { rcpt_to: recipients }));
    assert.deepEqual(outcomes.map(brief), ['rcpt 550', 'rcpt 421', 'rcpt 421']);
  });

  test(`${way}: a session that cannot be reset after a failure is not used again`, async (t) => {
    const script: Script = { RCPT: '550 5.1.1 no', RSET: '502 5.5.1 no such command' };
    const session = await openOrFail(t, await mxFor(t, { capabilities, script }));
    assert.deepEqual((await session.send(messageOf('a\r\n'))).map(brief), ['rcpt 550']);
    assert.deepEqual((await session.send(messageOf('b\r\n'))).map(brief), ['rset protocol']);
    assert.equal(session.reusable, false);
  });
}

test('a server that waits for a message without recipients gets only a dot', async (t) => {
  for (const script of [
    { RCPT: '550 5.1.1 no', DATA: '354 go on' },
    { MAIL: '550 5.7.1 not you', DATA: '354 go on' },
  ]) {
    const mx = await mxFor(t, {
      capabilities: plainCapabilities,
      script: { ...script, BODY: '554 5.5.1 no recipients' },
    });
    const session = await openOrFail(t, mx);
    const outcomes = await session.send(messageOf('must not be sent\r\n', { rcpt_to: recipients }));
    assert.deepEqual(outcomes.map(brief), Array(3).fill(script.MAIL === undefined ? 'rcpt 550' : 'mail 550'));
    assert.deepEqual(
      mx.unaccepted_messages.map(({ data }) => data.toString()),
      [''],
    );
    assert.equal(session.reusable, true);
    mx.script = {};
    assert.deepEqual((await session.send(messageOf('b\r\n'))).map(brief), ['body 250']);
  }
});

test('parameters are those that are offered and needed', async (t) => {
  const mx = await mxFor(t);
  const session = await openOrFail(t, mx);
  await session.send(
    messageOf('é\r\n', { eight_bit: true, smtputf8: true, rcpt_to: ['ñ@mx.test'], mail_from: '' }),
  );
  assert.deepEqual(mx.messages[0]?.mail_params, { SIZE: '4', BODY: '8BITMIME', SMTPUTF8: '' });
  assert.deepEqual([mx.messages[0].mail_from, mx.messages[0].rcpt_to], ['', ['ñ@mx.test']]);
  await session.send(messageOf('e\r\n'));
  assert.deepEqual(mx.messages[1]?.mail_params, { SIZE: '3' });
  const bare = await mxFor(t, { capabilities: [] });
  await (await openOrFail(t, bare)).send(messageOf('e\r\n'));
  assert.deepEqual(bare.messages[0]?.mail_params, {});
});

test('a missing extension of the server is reported without a command to it', async (t) => {
  const mx = await mxFor(t, { capabilities: ['SIZE 1000'] });
  const session = await openOrFail(t, mx);
  const cases = [
    [{ eight_bit: true }, 'mail eight_bit_unsupported'],
    [{ smtputf8: true }, 'mail smtputf8_unsupported'],
    [{ size: 1001 }, 'mail too_big'],
    [{ size: 1000 }, 'body 250'],
  ] as const;
  for (const [change, expected] of cases) {
    const outcomes = await session.send(
      messageOf('a\r\n', { ...change, rcpt_to: ['a@mx.test', 'b@mx.test'] }),
    );
    assert.deepEqual(outcomes.map(brief), [expected, expected]);
  }
  assert.equal(session.transactions, 1);
});

test('a server that finds a message too big says so itself', async (t) => {
  const mx = await mxFor(t, { script: { MAIL: '552 5.3.4 too big' } });
  const [outcome] = await (await openOrFail(t, mx)).send(messageOf('a\r\n'));
  assert.deepEqual(outcome, {
    kind: 'reply',
    phase: 'mail',
    code: 552,
    enhanced_code: '5.3.4',
    text: 'too big',
  });
});

test('no recipients, no traffic; an address that brings a line of its own is a mistake of the caller', async (t) => {
  const mx = await mxFor(t);
  const session = await openOrFail(t, mx);
  assert.deepEqual(await session.send(messageOf('a\r\n', { rcpt_to: [] })), []);
  await assert.rejects(session.send(messageOf('a\r\n', { rcpt_to: ['a@b.test>\r\nRSET'] })), TypeError);
  await assert.rejects(session.send(messageOf('a\r\n', { mail_from: 'a\n' })), TypeError);
  assert.equal(mx.sessions[0]?.dialogue.filter(({ from }) => from === 'client').length, 1);
});

for (const { way, capabilities } of ways) {
  test(`${way}: a message that is withdrawn while the server waits for it is not sent, and the connection ends`, async (t) => {
    const mx = await mxFor(t, { capabilities });
    const session = await openOrFail(t, mx);
    const [withdrawn] = await session.send({ ...messageOf('a\r\n'), confirm: async () => false });
    assert.equal(brief(withdrawn), 'data aborted');
    assert.equal(session.reusable, false);
    await waitFor(() => mx.sessions[0]?.closed_at !== undefined, { what: 'the end of the connection' });
    assert.deepEqual(mx.messages, []);
    const next = await openOrFail(t, mx);
    assert.equal(
      brief((await next.send({ ...messageOf('b\r\n'), confirm: async () => true }))[0]),
      'body 250',
    );
  });
}
