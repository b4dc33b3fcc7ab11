import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertProblem, violations } from '../../test/acceptance/problems.fixture.ts';
import type { TestService } from '../../test/support/test-service.ts';
import { insertSender, openAccount, startAccepting, type Account, type Body } from './account.fixture.ts';

let service: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  account = await openAccount(service);
});
after(async () => await service.stop());

// oxlint-disable-next-line typescript/no-explicit-any
async function envelopeOf(changes: Body): Promise<Record<string, any>> {
  const { status, json, text } = await account.send(changes);
  assert.equal(status, 200, text);
  // oxlint-disable-next-line typescript/no-explicit-any
  const [row] = await service.db.query<{ envelope: Record<string, any> }>(
    'select envelope from messages where msg_id = $1',
    [json.message_id],
  );
  return row?.envelope ?? {};
}

const replyTo = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ email: `r${index}@example.com` }));

test('replies go to one address or to a list of up to ten', async () => {
  const one = await envelopeOf({ reply_to: { email: 'A@Example.COM', name: 'Ana' } });
  assert.deepEqual(one['reply_to'], { address: 'A@example.com', name: 'Ana' });
  assert.deepEqual((await envelopeOf({ reply_to: replyTo(1) }))['reply_to'], { address: 'r0@example.com' });
  assert.equal((await envelopeOf({ reply_to: replyTo(10) }))['reply_to'].length, 10);
  for (const none of [[], null, undefined]) {
    assert.equal((await envelopeOf({ reply_to: none }))['reply_to'], undefined);
  }
});

test('each mistake in a list of addresses for replies is told where it is', async () => {
  const cases: [unknown, string[]][] = [
    [replyTo(11), ['/reply_to too_long']],
    ['a@b.cl', ['/reply_to dict_type']],
    [
      [{ email: 'a@b.cl' }, { email: '@' }, { name: 'x' }],
      ['/reply_to/1/email value_error.email', '/reply_to/2/email missing'],
    ],
    [[{ email: 'a@b.cl', name: 'x\r\nBcc: c@b.cl' }], ['/reply_to/0/name value_error.control_character']],
    [[{ email: 'a@b.cl', kind: 'x' }], ['/reply_to/0/kind extra_forbidden']],
  ];
  for (const [reply_to, expected] of cases) {
    const answer = await account.send({ reply_to });
    assertProblem(answer, 'validation_error');
    assert.deepEqual(violations(answer).toSorted(), expected, JSON.stringify(reply_to));
  }
});

test('the name in From is that of the send, else that of the sender', async () => {
  assert.equal(
    (await envelopeOf({ sender_name: 'Ana de "Acme", Ltda.' }))['from'].name,
    'Ana de "Acme", Ltda.',
  );
  for (const none of [null, undefined]) {
    assert.notEqual((await envelopeOf({ sender_name: none }))['from'].name, '');
  }
  const refused: [string, string][] = [
    ['', '/sender_name string_too_short'],
    ['x'.repeat(256), '/sender_name string_too_long'],
    ['Ana\r\nBcc: x@y.cl', '/sender_name value_error.control_character'],
    ['Ana \u202emoc.elgoog@', '/sender_name value_error.control_character'],
    ['   ', '/sender_name value_error.control_character'],
  ];
  for (const [sender_name, expected] of refused) {
    assert.deepEqual(
      violations(await account.send({ sender_name })),
      [expected],
      JSON.stringify(sender_name),
    );
  }
});

test('a send switches tracking off, and is refused where it would have to switch it on', async () => {
  assert.equal((await envelopeOf({}))['untracked'], undefined);
  assert.equal((await envelopeOf({ tracking: { opens: true, clicks: true } }))['untracked'], undefined);
  assert.deepEqual((await envelopeOf({ tracking: { opens: false } }))['untracked'], ['opens']);
  assert.deepEqual((await envelopeOf({ tracking: { opens: false, clicks: false } }))['untracked'], [
    'opens',
    'clicks',
  ]);
  const { email } = await insertSender(service, {
    instance_id: account.instance.id,
    domain: 'untracked.example',
    more: { track_clicks: false },
  });
  const untracked = { sender_email: email, to: [{ email: 'a@sandbox.test' }] };
  const answer = await account.send({ ...untracked, tracking: { opens: true, clicks: true } });
  assert.deepEqual(violations(answer), ['/tracking/clicks value_error.tracking_off']);
  assert.equal((await account.send({ ...untracked, tracking: { clicks: false } })).status, 200);
  for (const [tracking, expected] of [
    [{ open: false }, '/tracking/open extra_forbidden'],
    [{ opens: 'no' }, '/tracking/opens bool_parsing'],
    [false, '/tracking dict_type'],
  ]) {
    assert.deepEqual(violations(await account.send({ tracking })), [expected]);
  }
});

test('all of this can be said in a form', async () => {
  const form = new FormData();
  const fields = account.mail({ sender_name: 'Eva', reply_to: replyTo(2), tracking: { opens: false } });
  for (const [name, value] of Object.entries(fields)) {
    form.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  const response = await fetch(`${service.base_url}/v1/mails/send`, {
    method: 'POST',
    headers: account.headers,
    body: form,
  });
  assert.equal(response.status, 200, await response.clone().text());
  const { message_id } = (await response.json()) as { message_id: string };
  const [row] = await service.db.query<{ envelope: { reply_to: unknown[]; untracked: string[] } }>(
    'select envelope from messages where msg_id = $1',
    [message_id],
  );
  assert.equal(row?.envelope.reply_to.length, 2);
  assert.deepEqual(row?.envelope.untracked, ['opens']);
});
