import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { createCurrentTerm, createFormAccount, type FormAccount } from './form-account.fixture.ts';
import { expireSubmissions } from './settle-submission.ts';

let service: TestService;
let account: FormAccount;
let form: { id: number; public_token: string };
before(async () => {
  service = await startTestService({ roles: 'api,web' });
  account = await createFormAccount(service);
  const wanted = {
    name: 'Form',
    kind: 'consent',
    type: 'registration',
    requires_confirmation: true,
    auto_reply_sender_id: account.sender_id,
    items: [
      { kind: 'field', field_id: account.fields['EMAIL'] },
      { kind: 'consent', term_id: account.term_id },
    ],
  };
  form = (await account.panel.post('/v1/private/forms', wanted)).json;
});
after(async () => await service.stop());

async function submit(email: string): Promise<{ id: number; event: number; path: string }> {
  const body = new URLSearchParams({ EMAIL: email, consent: String(account.term_id) });
  await fetch(`${service.base_url}/f/${form.public_token}`, { method: 'POST', body, redirect: 'manual' });
  const { data } = (await account.panel.get(`/v1/private/forms/${form.id}/submissions`)).json;
  const path = `/v1/private/forms/${form.id}/submissions/${data[0].id}/resend-confirmation`;
  return { id: data[0].id, event: data[0].consent_event_ids[0], path };
}

const subjectsTo = async (email: string): Promise<string[]> =>
  (await account.api.get(`/v1/mails?recipient=${email}`)).json.data.map(
    ({ subject }: { subject: string }) => subject,
  );

/** The text of the newest one. */
async function confirmationTo(email: string): Promise<string> {
  const [found] = await service.db.query<{ text: string }>(
    `select convert_from(g.text, 'UTF8') as text from mails m join messages g on g.msg_id = m.msg_id
     where m.instance_id = $1 and m.recipient = $2 order by m.mail_id desc limit 1`,
    [account.instance.id, email],
  );
  return found?.text ?? '';
}

test('a confirmation is sent again while it is waited for, by the submission or by the consent', async () => {
  const email = 'again@sandbox.test';
  const { id, event, path } = await submit(email);
  const first = await account.panel.post(path, undefined, { 'accept-language': 'es' });
  assert.equal(first.status, 204, first.text);
  const second = await account.panel.post(`/v1/private/consent-events/${event}/resend-confirmation`);
  assert.equal(second.status, 204, second.text);
  assert.deepEqual((await subjectsTo(email)).toSorted(), [
    'Confirma, por favor: Form',
    'Please confirm: Form',
    'Please confirm: Form',
  ]);
  const texts = await service.db.query<{ text: string }>(
    `select convert_from(text, 'UTF8') as text from messages where instance_id = $1 and source = 'form'`,
    [account.instance.id],
  );
  const links = texts.map(({ text }) => /\/confirm\/[\w-]+/.exec(text)?.[0]);
  assert.deepEqual([links.length, new Set(links).size], [3, 1], 'it is the same link');
  const [trail] = await service.db.query(
    `select count(*) as n from audit_events where object_kind = 'form_submission' and object_id = $1`,
    [String(id)],
  );
  assert.deepEqual(trail, { n: 3 });
});

test('a confirmed or expired submission is not asked to confirm again', async () => {
  const { id, event, path } = await submit('done@sandbox.test');
  await service.db.query(`update form_submissions set expires_at = now() where id = $1`, [id]);
  const over = await account.panel.post(path);
  assert.deepEqual([over.status, over.json.code], [409, 'form_submission_not_pending']);
  await account.panel.post(`/v1/private/consent-events/${event}/expire`);
  const settled = await account.panel.post(`/v1/private/consent-events/${event}/resend-confirmation`);
  assert.deepEqual([settled.status, settled.json.code], [409, 'consent_event_not_pending']);
});

test('a submission whose consent has expired is expired everywhere, and its link is not sent again', async () => {
  const email = 'ended@sandbox.test';
  const { id, event, path } = await submit(email);
  const expired = await account.panel.post(`/v1/private/consent-events/${event}/expire`);
  assert.equal(expired.status, 200, expired.text);
  const refused = await account.panel.post(path);
  assert.deepEqual([refused.status, refused.json.code], [409, 'form_submission_not_pending']);
  assert.equal((await subjectsTo(email)).length, 1, 'only the first mail was sent');
  const own = `/v1/private/forms/${form.id}/submissions`;
  const shown = (await account.panel.get(`${own}/${id}`)).json;
  assert.deepEqual([shown.status, shown.consents[0].status], ['expired', 'expired']);
  const ids = async (query: string): Promise<unknown[]> =>
    (await account.panel.get(`${own}?${query}`)).json.data.map((row: { id: number }) => row.id);
  assert.ok((await ids('status=expired')).includes(id));
  assert.ok(!(await ids('status=pending')).includes(id));
  const exported = await account.api.get(
    `/v1/forms/${form.id}/submissions/export?format=json&status=expired`,
  );
  const row = exported.json.data.find((each: { id: number }) => each.id === id);
  assert.equal(row?.status, 'expired', exported.text);
  const [, link = ''] = /\/(confirm\/[\w-]+)/.exec(await confirmationTo(email)) ?? [];
  assert.equal((await fetch(`${service.base_url}/${link}`)).status, 410);
  await fetch(`${service.base_url}/${link}`, { method: 'POST' });
  assert.equal((await account.panel.get(`${own}/${id}`)).json.status, 'expired', 'nor can it be confirmed');
  await expireSubmissions(service.db, new Date());
  const [stored] = await service.db.query('select status from form_submissions where id = $1', [id]);
  assert.deepEqual(stored, { status: 'expired' });
});

test('a submission with two consents waits for the one that has not expired', async () => {
  const second = await createCurrentTerm(account, { channels: ['mail'] });
  const wanted = {
    name: 'Two',
    kind: 'consent',
    type: 'registration',
    requires_confirmation: true,
    auto_reply_sender_id: account.sender_id,
    items: [
      { kind: 'field', field_id: account.fields['EMAIL'] },
      { kind: 'consent', term_id: account.term_id },
      { kind: 'consent', term_id: second },
    ],
  };
  const two = (await account.panel.post('/v1/private/forms', wanted)).json;
  const body = new URLSearchParams([
    ['EMAIL', 'both@sandbox.test'],
    ['consent', String(account.term_id)],
    ['consent', String(second)],
  ]);
  await fetch(`${service.base_url}/f/${two.public_token}`, { method: 'POST', body, redirect: 'manual' });
  const own = `/v1/private/forms/${two.id}/submissions`;
  const [{ id, consent_event_ids }] = (await account.panel.get(own)).json.data;
  const state = async () => (await account.panel.get(`${own}/${id}`)).json.status;
  await account.panel.post(`/v1/private/consent-events/${consent_event_ids[0]}/expire`);
  assert.equal(await state(), 'pending');
  await account.panel.post(`/v1/private/consent-events/${consent_event_ids[1]}/expire`);
  assert.equal(await state(), 'expired');
});

test('a consent that came another way has no submission', async () => {
  const rules = [
    {
      contact_type: 'email_address',
      contact: 'a@example.com',
      purpose_id: account.purpose_id,
      action: 'allow',
    },
  ];
  const event = { term_id: account.term_id, method: 'single_opt_in', rules };
  const { id } = (await account.api.post('/v1/consent-events', event)).json;
  const { status, json } = await account.panel.post(`/v1/private/consent-events/${id}/resend-confirmation`);
  assert.deepEqual([status, json.code], [409, 'consent_event_no_submission']);
});

test('a submission is found only in its own form, and viewers cannot resend', async () => {
  const { id, path } = await submit('other@sandbox.test');
  const other = { name: 'Other', kind: 'advanced', type: 'registration', items: [] };
  const { id: other_id } = (await account.panel.post('/v1/private/forms', other)).json;
  const astray = await account.panel.post(
    `/v1/private/forms/${other_id}/submissions/${id}/resend-confirmation`,
  );
  assert.deepEqual([astray.status, astray.json.code], [404, 'form_submission_not_found']);
  const stranger = await signIn(service, await service.tenant(), 'owner');
  assert.equal((await stranger.post(path)).json.code, 'form_not_found');
  const viewer = await signIn(service, account, 'viewer');
  assert.equal((await viewer.post(path)).status, 403);
});

test('a confirmation without a sender is neither sent nor counted', async () => {
  const { id, path } = await submit('orphan@sandbox.test');
  await service.db.query('update senders set deleted_at = now() where id = $1', [account.sender_id]);
  const refused = await account.panel.post(path);
  assert.deepEqual([refused.status, refused.json.code], [409, 'confirmation_requires_email']);
  const audited = await service.db.query(
    `select action from audit_events where object_kind = 'form_submission' and object_id = $1`,
    [String(id)],
  );
  assert.deepEqual(audited, [{ action: 'form_submission.confirmation_sent' }]);
});
