import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { RootSecret } from '../base/secrets.ts';
import { openConsentAccount, type ConsentAccount } from '../consent/consent-account.fixture.ts';
import { loadBatch } from '../deliver/load-batch.ts';
import { recordUnsubscribe } from '../events/index.ts';
import type { ClaimedMail } from '../queue/index.ts';
import { pageUrl } from '../track/pages/mail-pages.fixture.ts';
import { createFormAccount, type FormAccount } from './form-account.fixture.ts';
import { SubmissionTokens } from './submission-token.ts';

const tokens = new SubmissionTokens(new RootSecret('a root secret for tests, and for tests alone'));
let service: TestService;
let account: FormAccount & ConsentAccount;
let form: { id: number; public_token: string };
before(async () => {
  service = await startTestService({ roles: 'api,web' });
  const forms = await createFormAccount(service);
  account = { ...forms, ...(await openConsentAccount(service, forms)) };
  const { marketing, newsletter } = account;
  for (const [name, purpose] of [
    ['news', newsletter],
    ['offers', marketing],
    ['plain', null],
  ] as const) {
    await service.db.query(
      `insert into senders (instance_id, domain_id, name, email_address, stream, consent_purpose_id, requires_consent)
       select instance_id, id, $2, $2 || '@' || domain, 'broadcast', $3::bigint, $3 is not null from domains where instance_id = $1`,
      [account.instance.id, name, purpose],
    );
  }
  form = await makeForm({ requires_confirmation: true });
});
after(async () => await service.stop());

/** A form that asks for an address and consent to the newsletter. */
async function makeForm(more: object): Promise<{ id: number; public_token: string }> {
  const { id: term_id } = await account.term({ channels: ['mail'], purposes: [account.newsletter] });
  const created = await account.panel.post('/v1/private/forms', {
    name: 'Newsletter',
    kind: 'consent',
    type: 'registration',
    auto_reply_sender_id: account.sender_id,
    items: [
      { kind: 'field', field_id: account.fields['EMAIL'] },
      { kind: 'consent', term_id },
    ],
    ...more,
  });
  assert.equal(created.status, 201, created.text);
  return created.json;
}

async function submit(email: string, { id, public_token } = form): Promise<number> {
  const url = `${service.base_url}/f/${public_token}`;
  const [, term = ''] = /name="consent" value="(\d+)"/.exec(await (await fetch(url)).text()) ?? [];
  const body = new URLSearchParams({ EMAIL: email, consent: term });
  const sent = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  assert.equal(sent.status, 303, await sent.text());
  const { data } = (await account.panel.get(`/v1/private/forms/${id}/submissions`)).json;
  return data[0].id;
}

async function confirm(id: number): Promise<void> {
  const link = `${service.base_url}/confirm/${tokens.make(id)}`;
  await fetch(link, { method: 'POST', redirect: 'manual', body: new URLSearchParams() });
  assert.match(await (await fetch(link)).text(), /<h1>Confirmed/);
}

/** A mail by one of the senders, and why it is dropped. */
async function send(
  name: string,
  email: string,
): Promise<{ mail_id: string; msg_id: string; reason: unknown }> {
  const { json, text } = await account.api.post('/v1/mails/send', {
    sender_email: `${name}@${account.instance.slug}.sandbox.test`,
    to: [{ email }],
    subject: name,
    html: '<p>Hola</p>',
  });
  const [mail] = await service.db.query<{ mail_id: string; msg_id: string; reason: string | null }>(
    `select m.mail_id, m.msg_id, e.reason from mails m left join events e on e.mail_id = m.mail_id and e.event = 'dropped'
     where m.msg_id = $1`,
    [json.message_id],
  );
  assert.ok(mail, text);
  return mail;
}

const reasons = async (email: string): Promise<unknown> => ({
  news: (await send('news', email)).reason,
  offers: (await send('offers', email)).reason,
  plain: (await send('plain', email)).reason,
});

const gone = 'recipient_unsubscribed';
const allGone = { news: gone, offers: gone, plain: gone };
const newsOnly = { news: null, offers: gone, plain: gone };

/** Somebody who agreed to everything and unsubscribed by a mail. */
async function unsubscribed(email: string): Promise<string> {
  await account.recordAllow(email);
  await account.recordAllow(email, { purpose_id: account.newsletter });
  const { mail_id, reason } = await send('news', email);
  assert.equal(reason, null);
  await recordUnsubscribe(service.db, { mail_id, method: 'page', reason: null, at: new Date() });
  return mail_id;
}

const shown = async (email: string) =>
  (await account.api.get(`/v1/mail-unsubscribes?recipient=${email}`)).json.data;

test('a confirmed opt-in lifts an unsubscribe for the purpose that was agreed to, with evidence', async () => {
  const email = 'Ana@sandbox.test';
  await unsubscribed(email);
  assert.deepEqual(await reasons(email), allGone);
  const id = await submit(email);
  assert.deepEqual(await reasons(email), allGone, 'waiting for a confirmation lifts nothing');
  await confirm(id);
  assert.deepEqual(await reasons('ana@sandbox.test'), newsOnly);
  const [{ resubscribed_at, lifted_for }] = await shown(email);
  assert.equal(resubscribed_at, null);
  assert.equal(lifted_for.length, 1);
  const [{ purpose_id, consent_event_id }] = lifted_for;
  assert.equal(purpose_id, account.newsletter);
  const [proof] = await service.db.query(
    `select e.method, e.source, o.status, e.evidence ->> 'submission_id' as submission
     from consent_events e join consent_event_outcomes o on o.event_id = e.id where e.id = $1`,
    [consent_event_id],
  );
  assert.deepEqual(proof, {
    method: 'double_opt_in',
    source: 'form',
    status: 'confirmed',
    submission: String(id),
  });
  const verdict = await account.api.get(
    `/v1/consent-rules/resolve?purpose_id=${account.newsletter}&contact=${email}&contact_type=email_address`,
  );
  assert.equal(verdict.json.verdict, 'allow', 'what the unsubscribe had withdrawn is given back');
});

test('mail that waits is judged by it too, and so is the page of a mail', async () => {
  const email = 'waits@sandbox.test';
  await unsubscribed(email);
  await confirm(await submit(email));
  const { mail_id, msg_id } = await send('news', email);
  const offers = await send('offers', email);
  const claimed = [
    { mail_id, msg_id },
    { mail_id: offers.mail_id, msg_id: offers.msg_id },
  ] as unknown as ClaimedMail[];
  const due = await loadBatch(service.db, claimed);
  assert.deepEqual(Object.fromEntries(due.map((mail) => [mail.mail_id, mail.is_unsubscribed])), {
    [mail_id]: false,
    [offers.mail_id]: true,
  });
  const heading = async (id: string) =>
    /<h1>(.*?)<\/h1>/.exec(await (await fetch(pageUrl(service, 'unsubscribe', id))).text())?.[1];
  assert.equal(await heading(mail_id), 'Unsubscribe');
  assert.equal(await heading(offers.mail_id), 'You are unsubscribed');
});

test('a contact who came back can unsubscribe again, by the same mail or another', async () => {
  const email = 'again@sandbox.test';
  const first = await unsubscribed(email);
  const at = (): Date => new Date();
  for (const by of ['first', 'next'] as const) {
    await confirm(await submit(email));
    assert.deepEqual(await reasons(email), newsOnly, by);
    const mail_id = by === 'first' ? first : (await send('news', email)).mail_id;
    const recorded = await recordUnsubscribe(service.db, {
      mail_id,
      method: 'one_click',
      reason: null,
      at: at(),
    });
    assert.deepEqual(recorded, { is_new: true });
    assert.deepEqual(await reasons(email), allGone, by);
  }
});

test('an unsubscribe after the form was filled in holds, whenever that is confirmed', async () => {
  const email = 'later@sandbox.test';
  await account.recordAllow(email, { purpose_id: account.newsletter });
  const { mail_id } = await send('news', email);
  const id = await submit(email);
  await recordUnsubscribe(service.db, { mail_id, method: 'page', reason: null, at: new Date() });
  await confirm(id);
  assert.deepEqual(await reasons(email), allGone);
});

test('a consent that was not confirmed by mail lifts nothing', async () => {
  const email = 'single@sandbox.test';
  await unsubscribed(email);
  await submit(email, await makeForm({}));
  await account.recordAllow(email, { purpose_id: account.newsletter });
  assert.deepEqual(await reasons(email), allGone);
});

test('an unsubscribe from another instance holds', async () => {
  const email = 'elsewhere@sandbox.test';
  const other = await service.tenant();
  await service.db.query(`update senders set stream = 'broadcast' where instance_id = $1`, [
    other.instance.id,
  ]);
  const sendThere = async (): Promise<{ mail_id: string; status: number }> => {
    const { json } = await other.api.post('/v1/mails/send', {
      sender_email: `test@${other.instance.slug}.sandbox.test`,
      to: [{ email }],
      subject: 'x',
      html: '<p>x</p>',
    });
    const [mail] = await service.db.query<{ mail_id: string; status: number }>(
      'select mail_id, status from mails where msg_id = $1',
      [json.message_id],
    );
    assert.ok(mail);
    return mail;
  };
  const { mail_id } = await sendThere();
  await recordUnsubscribe(service.db, { mail_id, method: 'page', reason: null, at: new Date() });
  await unsubscribed(email);
  await confirm(await submit(email));
  assert.deepEqual(await reasons(email), newsOnly);
  assert.equal((await sendThere()).status, 4);
});
