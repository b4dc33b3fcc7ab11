import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { indexSubjectsJob } from '../activity/index-subjects.ts';
import { erasedAddress } from '../base/personal-data.ts';
import { RootSecret } from '../base/secrets.ts';
import { verifyChain } from '../consent/chain/verify-chain.ts';
import { openConsentAccount, type ConsentAccount } from '../consent/consent-account.fixture.ts';
import { createFormAccount, type FormAccount } from '../forms/form-account.fixture.ts';
import { expireSubmissions } from '../forms/settle-submission.ts';
import { SubmissionTokens } from '../forms/submission-token.ts';
import { listErasures, takeOverErasures } from '../restrictions/erasure-list.ts';
import { ContactHashes } from '../base/contact-hash.ts';
import { eraseReturns } from './erase-returns.ts';
import { runErasures } from './run-erasures.ts';

const secret = new RootSecret('a root secret for tests, and for tests alone');
const tokens = new SubmissionTokens(secret);
const hashes = new ContactHashes(secret);
const clock = createMovableClock(new Date().toISOString());
let service: TestService;
let account: FormAccount & ConsentAccount;
let term_id: number;
before(async () => {
  service = await startTestService({ roles: 'api,web', clock });
  const forms = await createFormAccount(service);
  account = { ...forms, ...(await openConsentAccount(service, forms)) };
  const { marketing, newsletter } = account;
  for (const [name, stream, purpose] of [
    ['news', 'broadcast', newsletter],
    ['offers', 'broadcast', marketing],
    ['orders', 'transactional', newsletter],
    ['plain', 'transactional', null],
  ] as const) {
    await service.db.query(
      `insert into senders (instance_id, domain_id, name, email_address, stream, consent_purpose_id, requires_consent)
       select instance_id, id, $2, $2 || '@' || domain, $3, $4::bigint, $3 = 'broadcast' from domains where instance_id = $1`,
      [account.instance.id, name, stream, purpose],
    );
  }
  ({ id: term_id } = await account.term({ channels: ['mail', 'sms'], purposes: [account.newsletter] }));
});
after(async () => await service.stop());

interface MadeForm {
  id: number;
  url: string;
}

async function makeForm(more: object = { requires_confirmation: true }): Promise<MadeForm> {
  const created = await account.panel.post('/v1/private/forms', {
    name: 'Come back',
    kind: 'advanced',
    type: 'registration',
    auto_reply_sender_id: account.sender_id,
    items: [
      ...['EMAIL', 'PHONE', 'FIRST_NAME'].map((key) => ({ kind: 'field', field_id: account.fields[key] })),
      { kind: 'consent', term_id },
    ],
    ...more,
  });
  assert.equal(created.status, 201, created.text);
  return { id: created.json.id, url: `${service.base_url}/f/${created.json.public_token}` };
}

/** What a person sees who fills in the form. */
async function submit({ url }: MadeForm, answers: Record<string, string>): Promise<unknown[]> {
  const body = new URLSearchParams({ FIRST_NAME: 'Ana Quispe', consent: String(term_id), ...answers });
  const sent = await fetch(url, { method: 'POST', redirect: 'manual', body });
  return [sent.status, sent.headers.get('location'), await sent.text()];
}

const listed = async ({ id }: MadeForm) =>
  (await account.panel.get(`/v1/private/forms/${id}/submissions`)).json.data;

async function confirm(id: number): Promise<string> {
  const link = `${service.base_url}/confirm/${tokens.make(id)}`;
  await fetch(link, { method: 'POST', redirect: 'manual', body: new URLSearchParams() });
  return /<h1>(.*?)<\/h1>/.exec(await (await fetch(link)).text())?.[1] ?? '';
}

const job = () => ({ db: service.db, now: clock.now(), isStopping: () => false });

/** As after seven days; a session of the panel is shorter. */
async function expire({ id }: MadeForm): Promise<void> {
  await service.db.query('update form_submissions set expires_at = $2 where form_id = $1', [id, clock.now()]);
  await expireSubmissions(service.db, clock.now());
}

interface GivenContact {
  contact: string;
  contact_type: string;
}
const addressOf = (contact: string): GivenContact => ({ contact, contact_type: 'email_address' });

async function erase(...contacts: GivenContact[]): Promise<number> {
  const asked = await account.api.post('/v1/rights-requests', { kind: 'erasure', contacts });
  assert.equal(asked.status, 201, asked.text);
  assert.equal((await account.api.post(`/v1/rights-requests/${asked.json.id}/fulfil`, {})).status, 200);
  await indexSubjectsJob.run(job());
  assert.deepEqual(await runErasures(job()), { done: 1, left: 0 });
  return asked.json.id;
}

/** Why a sender's mail to the address is dropped, and whom it is stored for. */
async function send(name: string, email: string): Promise<[reason: string | null, recipient: string]> {
  const { json, text } = await account.api.post('/v1/mails/send', {
    sender_email: `${name}@${account.instance.slug}.sandbox.test`,
    to: [{ email }],
    subject: 'Hola',
    html: '<p>Hola</p>',
  });
  const [mail] = await service.db.query<{ recipient: string; reason: string | null }>(
    `select m.recipient, e.reason from mails m left join events e on e.mail_id = m.mail_id and e.event = 'dropped'
     where m.msg_id = $1`,
    [json.message_id],
  );
  assert.ok(mail, text);
  return [mail.reason, mail.recipient];
}

const dropped = ['recipient_erased', erasedAddress];
const formMails = async (email: string): Promise<number> =>
  (
    await service.db.query(
      `select from mails m join messages g on g.msg_id = m.msg_id join queue q using (mail_id)
       where lower(m.recipient) = lower($1) and g.source = 'form'`,
      [email],
    )
  ).length;

/** Tables with rows that have the text, also in what is stored as bytes. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await service.db.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relkind in ('r', 'p') and not c.relispartition
       and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await service.db.query(
      `select from ${name} t where t::text ilike '%' || $1 || '%' or t::text like '%' || $2 || '%' limit 1`,
      [text, Buffer.from(text).toString('hex')],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

let people = 0;
/** Somebody who agreed, was written to, and was erased; nothing is left of them but sealed evidence. */
async function erasedPerson(): Promise<{ email: string; request_id: number }> {
  const email = `person${(people += 1)}.x@sandbox.test`;
  await account.recordAllow(email, { purpose_id: account.newsletter });
  assert.equal((await send('news', email))[0], null);
  const request_id = await erase(addressOf(email));
  assert.deepEqual(await send('news', email), dropped);
  assert.deepEqual(await tablesWith(email), ['consent_rules']);
  return { email, request_id };
}

test('a person who was erased comes back by a double opt-in, for what they agree to', async () => {
  const { email, request_id } = await erasedPerson();
  const form = await makeForm();
  const [status, location] = await submit(form, { EMAIL: email });
  assert.deepEqual([status, String(location).endsWith('?check-mail')], [303, true]);
  assert.equal(await formMails(email), 1, 'the confirmation is let through');
  assert.ok(!(await tablesWith(email)).includes('audit_events'), 'the log does not name them');
  const [{ id, ...waiting }] = await listed(form);
  assert.deepEqual([waiting.status, waiting.is_return, waiting.consent_event_ids], ['pending', true, []]);
  for (const name of ['news', 'offers', 'orders', 'plain'])
    assert.deepEqual(await send(name, email), dropped);
  const evidence = async (): Promise<unknown[]> =>
    await service.db.query(
      `select e.id, e.method, e.status, o.status as outcome from consent_rules r join consent_events e on e.id = r.event_id
         left join consent_event_outcomes o on o.event_id = e.id
       where r.contact = $1 and r.channel = 'mail' and not exists (select from consent_seals s where s.event_id = e.id)`,
      [email],
    );
  assert.deepEqual(await evidence(), [], 'nothing that would have to stay is recorded');

  assert.equal(await confirm(id), 'Confirmed');
  const [shown] = await listed(form);
  assert.deepEqual([shown.status, shown.is_return], ['confirmed', false]);
  assert.deepEqual(await evidence(), [
    { id: shown.consent_event_ids[0], method: 'double_opt_in', status: 'pending', outcome: 'confirmed' },
  ]);
  assert.deepEqual(await send('news', email), [null, email]);
  assert.deepEqual(await send('orders', email), [null, email]);
  assert.deepEqual(await send('offers', email), dropped, 'a purpose that they did not agree to');
  assert.deepEqual(await send('plain', email), dropped, 'no purpose that they could have agreed to');
  const receipts = await service.db.query<{ step: string; content: Record<string, unknown> }>(
    `select step, content from consent_receipts where subject = 'rights_request' and subject_id = $1 order by id desc limit 1`,
    [request_id],
  );
  assert.deepEqual(
    [receipts[0]?.step, receipts[0]?.content['consent_event_ids'], receipts[0]?.content['submission_id']],
    ['returned', shown.consent_event_ids, id],
  );
  const chain = await verifyChain(service.db, account.instance.id);
  assert.equal(chain.is_intact, true, JSON.stringify(chain));
});

test('a person who comes back and withdraws is erased again', async () => {
  const { email } = await erasedPerson();
  const form = await makeForm();
  await submit(form, { EMAIL: email });
  await confirm((await listed(form))[0].id);
  assert.deepEqual(await send('news', email), [null, email]);
  await account.recordDeny(email, { purpose_id: account.newsletter });
  assert.deepEqual(await send('orders', email), dropped);
});

test('an unconfirmed return leaves nothing behind', async () => {
  const { email } = await erasedPerson();
  const form = await makeForm();
  const name = 'Zulema Mamani';
  await submit(form, { EMAIL: email, FIRST_NAME: name });
  assert.notDeepEqual(await tablesWith(email), ['consent_rules']);
  await service.db.query('delete from queue');
  await indexSubjectsJob.run(job());
  await expire(form);
  assert.deepEqual(await eraseReturns(job(), hashes), { done: 1, left: 0 });
  assert.deepEqual(await tablesWith(email), ['consent_rules'], 'the sealed evidence from before');
  assert.deepEqual(await tablesWith(name), []);
  const [{ id, status, answers, address }] = await listed(form);
  assert.deepEqual([status, answers, address], ['expired', {}, null]);
  assert.equal(await confirm(id), 'This link has expired');
  assert.deepEqual(await send('news', email), dropped);
  assert.deepEqual(await eraseReturns(job(), hashes), { done: 0, left: 0 });
});

test('a return whose mail is being delivered is erased when that has ended', async () => {
  const { email } = await erasedPerson();
  const form = await makeForm();
  await submit(form, { EMAIL: email });
  const leased = `update queue q set lease = gen_random_uuid(), ready_priority = null, due_at = now() + interval '1 hour'
    from mails m where m.mail_id = q.mail_id and m.recipient = $1`;
  await service.db.query(leased, [email]);
  await indexSubjectsJob.run(job());
  await expire(form);
  assert.deepEqual(await eraseReturns(job(), hashes), { done: 0, left: 1 });
  assert.ok((await tablesWith(email)).includes('mails'));
  await service.db.query('delete from queue');
  assert.deepEqual(await eraseReturns(job(), hashes), { done: 1, left: 0 });
  assert.deepEqual(await tablesWith(email), ['consent_rules']);
});

test('a stranger who fills in an address makes one mail a day and sees nothing', async () => {
  const { email } = await erasedPerson();
  const form = await makeForm();
  const other = await makeForm();
  const usual = await submit(form, { EMAIL: 'nobody.knows@sandbox.test' });
  for (const each of [form, other, form, form]) {
    const seen = await submit(each, { EMAIL: email });
    if (each === form) assert.deepEqual(seen, usual);
  }
  assert.equal(await formMails(email), 1);
  const rows = [...(await listed(form)), ...(await listed(other))];
  assert.equal(rows.filter(({ is_return }) => is_return).length, 1, 'nobody is asked, nothing is kept');
  const waiting = (await listed(form)).find(({ is_return }: { is_return: boolean }) => is_return);
  const again = await account.panel.post(
    `/v1/private/forms/${form.id}/submissions/${waiting.id}/resend-confirmation`,
  );
  assert.deepEqual([again.status, again.json.code], [429, 'rate_limit_exceeded']);
  await service.db.query(`update rate_buckets set refilled_at = refilled_at - interval '1 day'`);
  await submit(other, { EMAIL: email.toUpperCase() });
  assert.equal(await formMails(email), 2);
});

test('a form without double opt-in asks an erased person to confirm, and does not show it', async () => {
  const { email } = await erasedPerson();
  const form = await makeForm({ settings: { auto_reply: { subject: 'Hello', text: 'Hello' } } });
  const usual = await submit(form, { EMAIL: 'nobody.knows@sandbox.test' });
  for (let n = 0; n < 2; n += 1) assert.deepEqual(await submit(form, { EMAIL: email }), usual);
  const [{ id, status, is_return }, ...others] = await listed(form);
  assert.deepEqual([status, is_return, others.length], ['pending', true, 1]);
  assert.deepEqual(await send('news', email), dropped);
  assert.equal(await confirm(id), 'Confirmed');
  assert.deepEqual(await send('news', email), [null, email]);
  assert.equal(await formMails(email), 2, 'the reply comes once it counts');
});

test('contacts of an erased person are not stored when they cannot be asked', async () => {
  const { email } = await erasedPerson();
  const form = await makeForm({ auto_reply_sender_id: null });
  const usual = await submit(form, { EMAIL: 'nobody.knows@sandbox.test' });
  assert.deepEqual(await submit(form, { EMAIL: email, PHONE: '+56911112222' }), usual);
  const [{ status, answers, consent_event_ids }] = await listed(form);
  assert.deepEqual(
    [status, answers, consent_event_ids.length],
    ['confirmed', { PHONE: '+56911112222', FIRST_NAME: 'Ana Quispe' }, 1],
  );
  const rules = await service.db.query('select contact from consent_rules where event_id = $1', [
    consent_event_ids[0],
  ]);
  assert.deepEqual(rules, [{ contact: '+56911112222' }]);
  assert.deepEqual(await tablesWith(email), ['consent_rules']);
});

test('an address proves no phone number but that of its own erasure', async () => {
  const phone = (contact: string): GivenContact => ({ contact, contact_type: 'phone_number' });
  const [own, foreign] = ['+56922223333', '+56933334444'];
  await erase(addressOf('with.phone@sandbox.test'), phone(own));
  await erase(phone(foreign));
  const form = await makeForm();
  for (const [email, number, kept] of [
    ['with.phone@sandbox.test', own, own],
    ['somebody.new@sandbox.test', foreign, undefined],
    ['somebody.else@sandbox.test', own, undefined],
  ] as const) {
    await submit(form, { EMAIL: email, PHONE: number });
    const [{ id, answers }] = await listed(form);
    assert.deepEqual([answers.EMAIL, answers.PHONE], [email, kept]);
    if (kept) continue;
    await confirm(id);
    const gone = await service.db.query(
      'select from suppressed_contacts where instance_id = $1 and hash = $2 and returned_at is null',
      [
        account.instance.id,
        hashes.of(account.instance.id, { contact_type: 'phone_number', contact: number }),
      ],
    );
    assert.equal(gone.length, 1);
  }
});

test('a second erasure ends a life that came back, a return that waits, and what a backup brings', async () => {
  const { email } = await erasedPerson();
  const form = await makeForm();
  await submit(form, { EMAIL: email });
  await confirm((await listed(form))[0].id);
  await service.db.query('delete from queue');
  const [beforeIt] = await listErasures(service.db).then((all) => all.slice(-1));
  clock.advance(1_000);
  await erase(addressOf(email));
  assert.deepEqual(await send('news', email), dropped);
  assert.deepEqual(await tablesWith(email), ['consent_rules']);
  const [now] = await listErasures(service.db).then((all) => all.slice(-1));
  assert.ok(beforeIt && now && now.hash === beforeIt.hash && now.since > beforeIt.since);

  await service.db.query(`update rate_buckets set refilled_at = refilled_at - interval '1 day'`);
  await submit(form, { EMAIL: email });
  assert.equal((await listed(form))[0].is_return, true);
  await service.db.query('delete from queue');
  await erase(addressOf(email));
  assert.deepEqual(await tablesWith(email), ['consent_rules']);
  assert.equal((await listed(form))[0].is_return, false);

  // A backup of the time between: the first erasure, from which they had come back.
  await service.db.query(
    `update suppressed_contacts set since = $2, returned_at = since where hash = decode($1, 'hex')`,
    [now.hash, beforeIt.since],
  );
  assert.equal(await takeOverErasures(service.db, [now]), 1);
  assert.equal(await takeOverErasures(service.db, [now]), 0, 'once');
  const [row] = await service.db.query(
    `select returned_at, replay_since is not null as is_replayed from suppressed_contacts where hash = decode($1, 'hex')`,
    [now.hash],
  );
  assert.deepEqual(row, { returned_at: null, is_replayed: true });
});

test('a person who withdraws between filling in and confirming stays withdrawn', async () => {
  const { email } = await erasedPerson();
  const form = await makeForm();
  await submit(form, { EMAIL: email });
  clock.advance(1_000);
  // Under the same term, so that the newest rule stands.
  await account.recordDeny(email, { purpose_id: account.newsletter, term_id });
  assert.equal(await confirm((await listed(form))[0].id), 'Confirmed');
  assert.deepEqual(await send('news', email), dropped);
});
