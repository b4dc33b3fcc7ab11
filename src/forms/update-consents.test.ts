import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { RootSecret } from '../base/secrets.ts';
import { verifyChain } from '../consent/chain/verify-chain.ts';
import { recordUnsubscribe } from '../events/index.ts';
import { createCurrentTerm, createFormAccount, type FormAccount } from './form-account.fixture.ts';
import { SubmissionTokens } from './submission-token.ts';
import { visitorsOf, type FormVisitors } from './update-form.fixture.ts';

const confirmations = new SubmissionTokens(new RootSecret('a root secret for tests, and for tests alone'));
let service: TestService;
let account: FormAccount;
let visitors: FormVisitors;
type MadeForm = Awaited<ReturnType<FormVisitors['makeForm']>>;
before(async () => {
  service = await startTestService({
    roles: 'api,web',
    env: { CHASQUI_TRUST_PROXY: 'true', CHASQUI_PLATFORM_MAIL_PER_RECIPIENT_DAY: '0' },
  });
  account = await createFormAccount(service);
  visitors = visitorsOf(service, account, (id) => confirmations.make(id));
});
after(async () => await service.stop());

const field = (key: string) => ({ kind: 'field', field_id: account.fields[key] });

/** A term, a form to agree to it, and one to change what was told. */
async function formsWith(channels: string[]) {
  const term_id = await createCurrentTerm(account, { channels });
  const items = [field('EMAIL'), field('PHONE'), { kind: 'consent', term_id }];
  const registration = await visitors.makeForm(items, { requires_confirmation: true });
  const update = await visitors.makeForm(items, { type: 'update' });
  return { term_id, consent: String(term_id), registration, update };
}

const html = async (url: string) => await (await fetch(url)).text();
const isTicked = (page: string) => /name="consent"[^>]* checked/.test(page);
const newest = async (form: MadeForm) => {
  const { data } = (await account.panel.get(`/v1/private/forms/${form.id}/submissions`)).json;
  return (await account.panel.get(`/v1/private/forms/${form.id}/submissions/${data[0].id}`)).json;
};
const events = async (contact: string) =>
  (await account.api.get(`/v1/consent-events?contact=${encodeURIComponent(contact)}`)).json.data;
const verdict = async (contact: string, channel = 'mail', contact_type = 'email_address') => {
  const query = new URLSearchParams({
    contact,
    contact_type,
    channel,
    purpose_id: String(account.purpose_id),
  });
  return (await account.api.get(`/v1/consent-rules/resolve?${query.toString()}`)).json.results[0].verdict;
};

test('a given consent is ticked and recorded once; clearing the tick withdraws it, with evidence', async () => {
  const email = 'withdraws@sandbox.test';
  const { consent, registration, update } = await formsWith(['mail']);
  await visitors.tell(registration, { EMAIL: email, consent });
  const link = await visitors.link(update, email);
  assert.ok(isTicked(await html(link)));
  await visitors.post(link, { consent, agreed: consent });
  assert.equal((await events(email)).length, 1, 'what stands is not recorded again');
  await visitors.post(await visitors.link(update, email), { agreed: consent });
  assert.equal(await verdict(email), 'deny');
  const { consents, id } = await newest(update);
  assert.deepEqual(
    consents.map(({ action, status }: Record<string, unknown>) => [action, status]),
    [['deny', 'confirmed']],
  );
  const [event] = await events(email);
  const [proof] = await service.db.query<{ submission_id: string }>(
    `select evidence ->> 'submission_id' as submission_id from consent_events where id = $1`,
    [event.id],
  );
  assert.deepEqual([event.source, event.method, proof?.submission_id], ['form', 'double_opt_in', String(id)]);
  const back = await visitors.link(update, email);
  assert.ok(!isTicked(await html(back)));
  await visitors.post(back, { consent });
  assert.equal(await verdict(email), 'allow');
  assert.equal((await newest(update)).consents[0].action, 'allow');
  await verifyChain(service.db, account.instance.id);
});

test('only what the page showed as ticked is withdrawn', async () => {
  const email = 'meanwhile@sandbox.test';
  const { consent, registration, update } = await formsWith(['mail']);
  await visitors.tell(registration, { EMAIL: email });
  const link = await visitors.link(update, email);
  assert.ok(!isTicked(await html(link)));
  await visitors.tell(registration, { EMAIL: email, consent });
  await visitors.post(link, {});
  assert.equal(await verdict(email), 'allow');
});

test('a box beside a text that the person has not agreed to is not ticked, and left so it withdraws nothing', async () => {
  const email = 'version@sandbox.test';
  const { term_id, consent, registration, update } = await formsWith(['mail']);
  await visitors.tell(registration, { EMAIL: email, consent });
  const path = `/v1/private/consent-terms/${term_id}/versions`;
  const { id } = (await account.panel.post(path, { version: '2', body: 'I agree to more.' })).json;
  await account.panel.post(`${path}/${id}/publish`);
  await account.panel.post(`${path}/${id}/set-current`);
  const link = await visitors.link(update, email);
  assert.ok(!isTicked(await html(link)));
  await visitors.post(link, { agreed: consent });
  assert.equal(await verdict(email), 'allow');
});

test('a link to a mailbox withdraws nothing of a number, which anybody may have typed', async () => {
  const [email, phone] = ['phone@sandbox.test', '+56977778888'];
  const { consent, registration, update } = await formsWith(['mail', 'sms']);
  await visitors.tell(registration, { EMAIL: email, PHONE: phone, consent });
  const link = await visitors.link(update, email);
  assert.ok(!isTicked(await html(link)));
  await visitors.post(link, { PHONE: phone, agreed: consent });
  assert.equal(await verdict(phone, 'sms', 'phone_number'), 'allow');
  assert.equal(await verdict(email), 'allow');
});

test('a contact who agrees again by their link gets mail for that again, like after a double opt-in', async () => {
  const email = 'lifts@sandbox.test';
  const { consent, registration, update } = await formsWith(['mail']);
  await visitors.tell(registration, { EMAIL: email, consent });
  const sent = await account.api.post('/v1/mails/send', {
    sender_email: `test@${account.instance.slug}.sandbox.test`,
    to: [{ email }],
    subject: 'S',
    html: '<p>S</p>',
  });
  const [mail] = await service.db.query<{ mail_id: string }>('select mail_id from mails where msg_id = $1', [
    sent.json.message_id,
  ]);
  await recordUnsubscribe(service.db, {
    mail_id: mail?.mail_id ?? '',
    method: 'page',
    reason: null,
    at: new Date(),
  });
  const shown = async () => (await account.api.get(`/v1/mail-unsubscribes?recipient=${email}`)).json.data[0];
  const link = await visitors.link(update, email);
  await visitors.post(link, { consent });
  assert.ok(
    JSON.stringify(await shown()).includes(String(account.purpose_id)),
    JSON.stringify(await shown()),
  );
  assert.equal((await newest(update)).status, 'confirmed');
});

test('a required consent that is not ticked keeps the form from being saved, and its tick from being lost', async () => {
  const email = 'required@sandbox.test';
  const { term_id, consent, registration } = await formsWith(['mail']);
  await visitors.tell(registration, { EMAIL: email, consent });
  const items = [field('EMAIL'), field('PHONE'), { kind: 'consent', term_id, is_required: true }];
  const form = await visitors.makeForm(items, { type: 'update' });
  const link = await visitors.link(form, email);
  const refused = await visitors.post(link, { agreed: consent, PHONE: '+56911112222' });
  const page = await refused.text();
  assert.deepEqual([refused.status, page.includes(`name="agreed" value="${consent}"`)], [422, true]);
  assert.equal(await verdict(email), 'allow');
});
