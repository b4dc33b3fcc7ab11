import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { openBroadcastAccount, type BroadcastAccount } from './broadcast-account.fixture.ts';

let service: TestService;
let account: BroadcastAccount;
before(async () => {
  service = await startTestService({ roles: 'api,jobs' });
});
after(async () => await service.stop());

const people = async (count: number, name = 'p'): Promise<string[]> => {
  const addresses = Array.from(
    { length: count },
    (_, index) => `${name}${String(index).padStart(3, '0')}@sandbox.test`,
  );
  for (const address of addresses) await account.recordAllow(address);
  return addresses;
};

test('everyone who agreed gets one mail, with what they told of themselves', async () => {
  account = await openBroadcastAccount(service);
  const addresses = await people(60);
  await account.tell('p001@sandbox.test', { FIRST_NAME: 'Ana', LAST_NAME: 'Rojas', PHONE: '+56911111111' });
  const { id } = await account.draft();
  assert.equal((await account.send(id)).state, 'scheduled');
  const sent = await account.inState(id, 'sent');
  assert.deepEqual(sent.progress, { recipients: 60, handled: 60, accepted: 60, left_out: [] });
  const mails = await account.mailsOf(sent);
  assert.deepEqual(
    mails.map(({ recipient }) => recipient),
    addresses,
  );
  assert.deepEqual(
    mails.slice(0, 2).map(({ subject }) => subject),
    ['News for you', 'News for Ana'],
  );
  const messages = await service.db.query<{ variables: Buffer | null; consent_purpose_id: number }>(
    'select variables, consent_purpose_id from messages where msg_id = any ($1::uuid[])',
    [[...new Set(mails.map(({ msg_id }) => msg_id))]],
  );
  assert.deepEqual(
    messages.map((message) => message.consent_purpose_id),
    [account.marketing, account.marketing],
  );
  const stored = messages.map(({ variables }) => variables?.toString() ?? '').join('');
  assert.match(stored, /"FIRST_NAME":"Ana"/);
  assert.doesNotMatch(stored, /5691|Rojas/, 'only what the template reads is stored');
});

test('who withdraws, is restricted or cannot be written to is left out, and the sum is kept', async () => {
  account = await openBroadcastAccount(service);
  await people(12);
  // Longer than mail servers take, which a consent may be.
  await account.recordAllow(`${'x'.repeat(70)}@sandbox.test`);
  const { id } = await account.draft({ per_hour: 240 });
  await account.send(id);
  const { rows } = {
    rows: await waitFor(
      async () => {
        const { json } = await account.api.get(`/v1/broadcasts/${id}`);
        return json.progress.handled >= 2 && json;
      },
      { what: 'the first batch' },
    ),
  };
  assert.equal(rows.progress.handled, 2, 'two in half a minute');
  await account.recordDeny('p010@sandbox.test');
  await account.api.post('/v1/mail-restrictions', { recipient: 'p011@sandbox.test' });
  await account.api.patch(`/v1/broadcasts/${id}`, { per_hour: null });
  await service.db.query('update broadcasts set due_at = now() where id = $1', [id]);
  const sent = await account.inState(id, 'sent');
  assert.deepEqual(sent.progress, {
    recipients: 13,
    handled: 13,
    accepted: 10,
    left_out: [
      { reason: 'consent_revoked', count: 1 },
      { reason: 'invalid_address', count: 1 },
      { reason: 'recipient_restricted', count: 1 },
    ],
  });
  const mails = await account.mailsOf(sent);
  assert.deepEqual([mails.length, mails.filter(({ status }) => status === 4).length], [12, 2]);
});

test('a broadcast pauses, goes on where it stopped, and is cancelled with what waits', async () => {
  account = await openBroadcastAccount(service);
  await people(30);
  const { id } = await account.draft({ per_hour: 1_200 });
  await account.send(id);
  await account.inState(id, 'sending');
  await waitFor(async () => (await account.api.get(`/v1/broadcasts/${id}`)).json.progress.handled === 10, {
    what: 'ten mails',
  });
  const paused = await account.api.post(`/v1/broadcasts/${id}/pause`, undefined);
  assert.deepEqual([paused.json.state, paused.json.paused_by], ['paused', 'request']);
  await service.db.query(`select pg_notify('chasqui_broadcasts', '')`);
  const resumed = await account.api.post(`/v1/broadcasts/${id}/resume`, undefined);
  assert.equal(resumed.json.state, 'sending');
  await waitFor(async () => (await account.api.get(`/v1/broadcasts/${id}`)).json.progress.handled === 20, {
    what: 'twenty mails',
  });
  const cancelled = await account.api.post(`/v1/broadcasts/${id}/cancel`, undefined);
  assert.equal(cancelled.json.state, 'cancelled');
  const mails = await waitFor(
    async () => {
      const found = await account.mailsOf(cancelled.json);
      return found.every(({ status }) => status === 4) && found;
    },
    { what: 'the mails dropped' },
  );
  assert.equal(mails.length, 20);
  assert.equal(new Set(mails.map(({ recipient }) => recipient)).size, 20, 'nobody twice');
});

test('what stops every mail pauses the broadcast and says why', async () => {
  account = await openBroadcastAccount(service);
  await people(5);
  const { id } = await account.draft({ schedule_at: new Date(Date.now() + 3_600_000).toISOString() });
  await account.send(id);
  await account.api.post(`/v1/mail-templates/${account.template_id}/unpublish`, undefined);
  await account.api.patch(`/v1/broadcasts/${id}`, { schedule_at: null });
  const paused = await account.inState(id, 'paused');
  assert.deepEqual([paused.paused_by, paused.progress.handled], ['template_not_public', 0]);
  await account.api.post(`/v1/mail-templates/${account.template_id}/publish`, undefined);
  await account.api.post(`/v1/broadcasts/${id}/resume`, undefined);
  assert.equal((await account.inState(id, 'sent')).progress.accepted, 5);
});

test('a plan that is too small for all stops it before the first of a batch', async () => {
  account = await openBroadcastAccount(service);
  await service.db.query('update instances set plan_send_limit = 1 where id = $1', [account.instance.id]);
  for (const name of ['ana', 'bea']) await account.recordAllow(`${name}@example.com`);
  const [domain] = await service.db.query<{ id: number }>(
    `insert into domains (instance_id, domain, ownership_token, mx_status, spf_status, dkim_status, dmarc_status)
     values ($1, 'news.example.com', $2, 'verified', 'verified', 'verified', 'verified') returning id`,
    [account.instance.id, 'a'.repeat(24)],
  );
  await service.db.query(
    `update senders set domain_id = $2, email_address = 'a@news.example.com' where id = $1`,
    [account.sender_id, domain?.id],
  );
  const { id } = await account.draft();
  await account.send(id);
  const paused = await account.inState(id, 'paused');
  assert.deepEqual([paused.paused_by, paused.progress.handled], ['plan_send_limit_exceeded', 0]);
});

test('one whose mail cannot be made is left out, and the others get theirs', async () => {
  account = await openBroadcastAccount(service);
  await people(4);
  await account.tell('p002@sandbox.test', { FIRST_NAME: 'x'.repeat(500) });
  const source = '<p>Hi</p>';
  const subject =
    '{% for i in (1..contact.FIRST_NAME.size) %}{% for j in (1..4000) %}a{% endfor %}{% endfor %}';
  const changed = await account.api.patch(`/v1/mail-templates/${account.template_id}`, { subject, source });
  assert.equal(changed.status, 200, changed.text);
  const { id } = await account.draft();
  await account.send(id);
  const sent = await account.inState(id, 'sent');
  assert.deepEqual(sent.progress.left_out, [{ reason: 'cannot_be_made', count: 1 }]);
  assert.equal(sent.progress.accepted, 3);
});
