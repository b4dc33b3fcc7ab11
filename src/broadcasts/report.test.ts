import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { startWebhookSink } from '../../test/support/webhook-sink.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { recordComplaint } from '../events/record-complaint.ts';
import { recordEngagement } from '../events/record-engagement.ts';
import { newId } from '../base/ids.ts';
import { pageUrl } from '../track/pages/mail-pages.fixture.ts';
import { openBroadcastAccount, type BroadcastAccount } from './broadcast-account.fixture.ts';
import type { Broadcast } from './broadcast-schemas.ts';

let service: TestService;
let account: BroadcastAccount;
let sent: Broadcast;
before(async () => {
  service = await startTestService({
    roles: 'api,web,jobs,delivery,webhooks',
    env: { CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true' },
  });
  account = await openBroadcastAccount(service);
});
after(async () => await service.stop());

async function run(): Promise<Broadcast> {
  const { id } = await account.draft();
  await account.send(id);
  const done = await account.inState(id, 'sent');
  await waitFor(
    async () => (await account.mailsOf(done)).every(({ status }) => status !== 2 && status !== 1),
    { timeout_ms: 30_000, what: 'every mail attempted' },
  );
  return done;
}

const idOf = async (name: string): Promise<string> =>
  (await account.mailsOf(sent)).find(({ recipient }) => recipient.startsWith(name))?.mail_id ?? '';

test('webhooks are told when it is finished, with what was left out', async () => {
  const sink = await startWebhookSink({ respond: () => ({ status: 200 }) });
  try {
    const hook = await account.api.post('/v1/webhooks', {
      name: 'x',
      url: sink.url,
      events: ['broadcast.finished'],
    });
    assert.equal(hook.status, 201, hook.text);
    for (const name of ['ana', 'bea', 'carla', 'dora', 'bounce'])
      await account.recordAllow(`${name}@sandbox.test`);
    await account.recordDeny('dora@sandbox.test');
    await account.recordAllow(`${'x'.repeat(70)}@sandbox.test`);
    sent = await run();
    const [request] = await waitFor(async () => sink.requests.length > 0 && sink.requests, {
      what: 'the notice',
    });
    const { type, data } = JSON.parse(request?.body.toString() ?? '{}');
    assert.equal(type, 'broadcast.finished');
    assert.deepEqual(data, {
      mail_id: null,
      broadcast_id: sent.id,
      name: 'Spring',
      state: 'sent',
      recipients: 5,
      accepted: 4,
      left_out: [{ reason: 'invalid_address', count: 1 }],
      custom_group_code: sent.custom_group_code,
    });
  } finally {
    await sink.stop();
  }
});

test('the report goes from recipients to clicks, of people only', async () => {
  const visit = { url: null, user_agent: 'x', is_scripted: true } as const;
  const at = new Date();
  const opened = { ...visit, event: 'opened', at, is_machine: false } as const;
  const url = 'https://example.com/spring';
  await recordEngagement(service.db, [
    { ...opened, event_id: newId(at), mail_id: await idOf('ana') },
    { ...opened, event_id: newId(at), mail_id: await idOf('bea') },
    { ...opened, event_id: newId(at), mail_id: await idOf('carla'), is_machine: true, is_scripted: false },
    { ...opened, event_id: newId(at), event: 'clicked', url, mail_id: await idOf('ana') },
    { ...opened, event_id: newId(at), event: 'clicked', url, mail_id: await idOf('ana') },
  ]);
  const form = { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) };
  await fetch(pageUrl(service, 'unsubscribe', await idOf('bea')), form);
  await recordComplaint(service.db, { mail_id: await idOf('carla'), type: 'spam', comment: '', at });
  const { status, json, text } = await account.api.get(`/v1/broadcasts/${sent.id}/report`);
  assert.equal(status, 200, text);
  assert.deepEqual(json.funnel, { recipients: 5, accepted: 4, delivered: 3, opened: 2, clicked: 1 });
  assert.deepEqual(json.not_delivered, { waiting: 0, dropped: 0, bounced: 1 });
  assert.deepEqual([json.unsubscribes, json.complaints], [1, 1]);
  assert.deepEqual(json.left_out, [{ reason: 'invalid_address', count: 1 }]);
  assert.deepEqual(json.not_in_audience, [{ reason: 'consent_revoked', count: 1 }]);
  assert.deepEqual(json.links, [{ url, clicks: 2, recipients: 1 }]);
  assert.deepEqual(
    json.hours.map(({ opens, clicks }: { opens: number; clicks: number }) => [opens, clicks]),
    [[2, 2]],
  );
  assert.deepEqual(json.providers, [
    { provider: 'sandbox.test', accepted: 4, delivered: 3, deferred: 0, bounced: 1, opened: 2 },
  ]);
  assert.deepEqual(json.previous, []);
  assert.equal(json.rates.open, 0.6667);
});

test('the next report compares with it, and does not count who withdrew by it', async () => {
  const next = await run();
  const { json } = await account.api.get(`/v1/broadcasts/${next.id}/report`);
  assert.equal(json.funnel.recipients, 2, 'ana, and the address that no server takes');
  assert.deepEqual(
    json.previous.map(
      ({
        broadcast_id,
        accepted,
        rates,
      }: {
        broadcast_id: number;
        accepted: number;
        rates: { click: number };
      }) => [broadcast_id, accepted, rates.click],
    ),
    [[sent.id, 4, 0.3333]],
  );
});

test('for any recipient it says why they were written to, and what became of the mail', async () => {
  const { json } = await account.api.get(`/v1/broadcasts/${sent.id}/recipients?contact=ANA@sandbox.test`);
  const [ana] = json.data;
  assert.equal(json.data.length, 1);
  assert.deepEqual(
    [ana.contact, ana.purpose, ana.term_id, ana.term_version, ana.source, ana.status, ana.clicks],
    ['ana@sandbox.test', 'marketing', account.first.id, '1.0', 'api', 3, 2],
  );
  const { json: event } = await account.api.get(`/v1/consent-events/${ana.consent_event_id}`);
  assert.equal(event.rules[0].contact, 'ana@sandbox.test');
  const all = await account.api.get(`/v1/broadcasts/${sent.id}/recipients/export?format=json`);
  assert.deepEqual(
    all.json.data.map(({ contact, status, reason }: { contact: string; status: number; reason: string }) => [
      contact.slice(0, 4),
      status,
      reason,
    ]),
    [
      ['ana@', 3, null],
      ['bea@', 3, null],
      ['boun', 6, null],
      ['carl', 3, null],
      ['xxxx', null, 'invalid_address'],
    ],
  );
});

test('colleagues get a test with what one contact told', async () => {
  await account.tell('ana@sandbox.test', { FIRST_NAME: 'Ana' });
  const { id } = await account.draft();
  const path = `/v1/broadcasts/${id}/test`;
  const answer = await account.api.post(path, { to: ['luis@sandbox.test'], contact: 'Ana@sandbox.test' });
  assert.equal(answer.status, 200, answer.text);
  const [mail] = await service.db.query<{
    subject: string;
    test_mode: boolean;
    custom_group_code: string | null;
  }>('select subject, test_mode, custom_group_code from mails where msg_id = $1', [
    answer.json.message_ids[0],
  ]);
  assert.deepEqual(mail, { subject: 'News for Ana', test_mode: true, custom_group_code: null });
  assert.equal((await account.api.post(path, { to: ['luis'] })).status, 422);
  assert.equal((await account.api.post(path, { to: Array(11).fill('a@sandbox.test') })).status, 422);
});
