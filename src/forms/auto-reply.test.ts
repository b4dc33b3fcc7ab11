import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { createFormAccount, type FormAccount } from './form-account.fixture.ts';

let service: TestService;
let account: FormAccount;
before(async () => {
  service = await startTestService({ roles: 'api,web,delivery' });
  account = await createFormAccount(service);
});
after(async () => await service.stop());

const es = { 'accept-language': 'es' };
let people = 0;
const somebody = (): string => `person-${(people += 1)}@sandbox.test`;

async function makeForm(settings: object, more: object = {}) {
  const items = [
    { kind: 'field', field_id: account.fields['EMAIL'] },
    { kind: 'field', field_id: account.fields['FIRST_NAME'] },
    { kind: 'consent', term_id: account.term_id },
  ];
  return await account.panel.post('/v1/private/forms', {
    name: 'Boletín',
    kind: 'advanced',
    type: 'registration',
    auto_reply_sender_id: account.sender_id,
    settings: { title: 'Nuestro boletín', ...settings },
    items,
    ...more,
  });
}

async function submit(
  { json }: { json: { public_token: string } },
  fields: Record<string, string>,
): Promise<void> {
  const url = `${service.base_url}/f/${json.public_token}`;
  const body = new URLSearchParams(fields);
  const answer = await fetch(url, { method: 'POST', redirect: 'manual', body, headers: es });
  assert.equal(answer.status, 303, await answer.text());
}

async function mailsTo(address: string): Promise<Email[]> {
  const rows = await service.db.query<{ raw: Buffer }>(
    `select s.raw from sandbox_messages s join mails m using (mail_id) where m.recipient = $1 order by s.mail_id`,
    [address],
  );
  return await Promise.all(rows.map(async ({ raw }) => await PostalMime.parse(raw)));
}

const arrived = async (address: string, count = 1): Promise<Email[]> =>
  await waitFor(
    async () => {
      const mails = await mailsTo(address);
      return mails.length === count && mails;
    },
    { timeout_ms: 15_000, what: `${count} mails to ${address}` },
  );
const header = (mail: Email | undefined, name: string): string | undefined =>
  mail?.headers.find(({ key }) => key === name)?.value;

test('a submission that counts at once is answered at once, in the words of the form', async () => {
  const form = await makeForm({ auto_reply: { subject: 'Bienvenida', text: 'Hola.\n\n<b>Pronto</b> más.' } });
  assert.equal(form.status, 201, form.text);
  const to = somebody();
  await submit(form, { EMAIL: to, FIRST_NAME: 'http://spam.example' });
  const [mail] = await arrived(to);
  assert.equal(mail?.subject, 'Bienvenida');
  assert.match(mail.text ?? '', /Hola\.\s+<b>Pronto<\/b> más\./);
  assert.ok(mail.html?.includes('&lt;b&gt;Pronto&lt;/b&gt; más.'), mail.html);
  assert.equal(header(mail, 'auto-submitted'), 'auto-replied');
  assert.doesNotMatch(`${mail.html}${mail.text}`, /spam\.example/, 'what was filled in is not sent on');
  assert.doesNotMatch(mail.html ?? '', /\/[oc]\//, 'it is not tracked');
  const [event] = await service.db.query<{ actor_kind: string }>(
    `select actor_kind from audit_events where instance_id = $1 and action = 'form_submission.auto_reply_sent'
       and details ->> 'email' = $2`,
    [account.instance.id, to],
  );
  assert.equal(event?.actor_kind, 'system');
});

test('mails of a form with a language of its own are in it', async () => {
  const form = await makeForm({ auto_reply: {}, language: 'en' });
  const to = somebody();
  await submit(form, { EMAIL: to });
  const [mail] = await arrived(to);
  assert.equal(mail?.subject, 'Thank you: Nuestro boletín');
});

test('an auto-reply without a text of its own thanks in the language of the person', async () => {
  const to = somebody();
  await submit(await makeForm({ auto_reply: {} }), { EMAIL: to });
  const [mail] = await arrived(to);
  assert.equal(mail?.subject, 'Gracias: Nuestro boletín');
  assert.match(mail.text ?? '', /Recibimos lo que enviaste/);
});

test('under double opt-in the confirmation comes first, quotes the term, and the reply follows it once', async () => {
  const form = await makeForm({ auto_reply: { text: 'Gracias.' } }, { requires_confirmation: true });
  const to = somebody();
  await submit(form, { EMAIL: to, consent: String(account.term_id) });
  const [confirmation] = await arrived(to);
  assert.equal(confirmation?.subject, 'Confirma, por favor: Nuestro boletín');
  assert.match(confirmation.text ?? '', /> Term \d+ · versión 1\r?\n> I agree\./);
  assert.match(
    confirmation.html ?? '',
    /<blockquote[^>]*><strong>Term \d+ · versión 1<\/strong><br>I agree\./,
  );
  assert.doesNotMatch(confirmation.html ?? '', /\/[oc]\//, 'it is not tracked');
  assert.equal(header(confirmation, 'auto-submitted'), 'auto-generated');
  const link = /http\S+\/confirm\/[\w-]+/.exec(confirmation.text ?? '')?.[0] ?? '';
  const page = await (await fetch(link, { headers: es })).text();
  assert.match(page, /class="terms"[^>]*><strong>Term \d+ · versión 1<\/strong><p>I agree\./);
  for (let n = 0; n < 2; n += 1) await fetch(link, { method: 'POST', redirect: 'manual', headers: es });
  const [, reply] = await arrived(to, 2);
  assert.match(reply?.text ?? '', /Gracias\./);
  const [count] = await service.db.query<{ count: number }>(
    'select count(*) from mails where recipient = $1',
    [to],
  );
  assert.equal(count?.count, 2);
});

test('a published template answers in place of the words', async () => {
  const template = { name: 'T', subject: 'Hola {{ recipient.email }}', source: '<p>{{ FIRST_NAME }}!</p>' };
  const { id } = (await account.panel.post('/v1/private/mail-templates', template)).json;
  const refused = await makeForm({ auto_reply: { template_id: id } });
  assert.equal(refused.json.errors[0].pointer, '/settings/auto_reply/template_id');
  await account.panel.post(`/v1/private/mail-templates/${id}/publish`);
  const both = await makeForm({ auto_reply: { template_id: id, subject: 'x' } });
  assert.equal(both.json.errors[0].code, 'value_error.template_content');
  const to = somebody();
  await submit(await makeForm({ auto_reply: { template_id: id } }), { EMAIL: to, FIRST_NAME: 'Ana' });
  const [mail] = await arrived(to);
  assert.equal(mail?.subject, `Hola ${to}`);
  assert.match(mail.html ?? '', /<p>!<\/p>/);
});

test('a form that was deleted meanwhile is confirmed without a reply', async () => {
  const form = await makeForm({ auto_reply: {} }, { requires_confirmation: true });
  const to = somebody();
  await submit(form, { EMAIL: to });
  const [asked] = await arrived(to);
  await account.panel.delete(`/v1/private/forms/${form.json.id}`);
  const [link = ''] = /http\S+\/confirm\/[\w-]+/.exec(asked?.text ?? '') ?? [];
  assert.equal((await fetch(link, { method: 'POST', redirect: 'manual' })).status, 303);
  assert.match(await (await fetch(link)).text(), /Confirmed/);
  const written = await service.db.query('select from mails where recipient = $1', [to]);
  assert.equal(written.length, 1);
});

test('rejects a template of another instance as a reply', async () => {
  const other = await createFormAccount(service);
  const template = { name: 'T', subject: 'S', source: '<p>1</p>' };
  const { id } = (await other.panel.post('/v1/private/mail-templates', template)).json;
  await other.panel.post(`/v1/private/mail-templates/${id}/publish`);
  const refused = await makeForm({ auto_reply: { template_id: id } });
  assert.equal(refused.json.errors[0].code, 'value_error.template');
});

test('a reply needs an address to write to and a sender', async () => {
  const without = await makeForm({ auto_reply: {} }, { auto_reply_sender_id: null });
  assert.deepEqual([without.status, without.json.code], [409, 'confirmation_requires_email']);
  const form = await makeForm({ auto_reply: {} });
  const items = [{ kind: 'field', field_id: account.fields['FIRST_NAME'] }];
  const changed = await account.panel.request('PUT', `/v1/private/forms/${form.json.id}/items`, {
    body: { items },
  });
  assert.equal(changed.json.code, 'confirmation_requires_email');
});

test('a person is answered so many times a day, and the submission counts all the same', async () => {
  const form = await makeForm({ auto_reply: {} });
  const to = somebody();
  for (let n = 0; n < 5; n += 1) await submit(form, { EMAIL: to });
  await arrived(to, 3);
  const [row] = await service.db.query<{ count: number }>(
    `select count(*) from form_submissions where form_id = $1 and status = 'confirmed'`,
    [form.json.id],
  );
  assert.equal(row?.count, 5);
});

test('a mail that is refused does not refuse the submission', async () => {
  const form = await makeForm({ auto_reply: {} });
  // A sandbox sender writes only to the sandbox.
  await submit(form, { EMAIL: 'ana@example.com' });
});
