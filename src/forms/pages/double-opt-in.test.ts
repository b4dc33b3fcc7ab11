import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createMovableClock } from '../../../test/support/movable-clock.ts';
import { waitForLocks } from '../../../test/support/wait-for-locks.ts';
import { RootSecret } from '../../base/secrets.ts';
import { SubmissionTokens } from '../submission-token.ts';
import { type HostedForms, post, startHostedForms } from './hosted-form.fixture.ts';

const clock = createMovableClock('2026-11-01T12:00:00Z');
const tokens = new SubmissionTokens(new RootSecret('a root secret for tests, and for tests alone'));
let service: HostedForms['service'];
let account: HostedForms['account'];
let makeForm: HostedForms['makeForm'];
let field: HostedForms['field'];
let consent: HostedForms['consent'];
let doubleOptIn: HostedForms['doubleOptIn'];
let submissions: HostedForms['submissions'];
before(async () => {
  ({ service, account, makeForm, field, consent, doubleOptIn, submissions } = await startHostedForms(clock));
});
after(async () => await service.stop());

test('double opt-in: a mail goes out, its link asks, and its button confirms', async () => {
  const { id, url } = await makeForm([field('EMAIL'), consent()], doubleOptIn());
  const fields = { EMAIL: 'opt-in@sandbox.test', consent: String(account.term_id) };
  const sent = await post(url, fields, { 'accept-language': 'es' });
  assert.match(sent.headers.get('location') ?? '', /\?check-mail$/);
  const { data } = (await account.api.get('/v1/mails?recipient=opt-in@sandbox.test')).json;
  assert.deepEqual(
    data.map(({ subject }: { subject: string }) => subject),
    ['Confirma, por favor: Boletín <1>'],
  );
  const [row] = await submissions(id);
  assert.equal(row.status, 'pending');
  const link = `${service.base_url}/confirm/${tokens.make(row.id)}`;
  const [message] = await service.db.query<{ source: string; text: string }>(
    `select source, convert_from(text, 'UTF8') as text from messages where msg_id = $1`,
    [data[0].msg_id],
  );
  assert.equal(message?.source, 'form');
  assert.ok(message.text.includes(`\n${link}\n`), message.text);
  const asked = await fetch(link);
  assert.match(await asked.text(), /<form method="post"><button>Yes, confirm<\/button><\/form>/);
  assert.equal((await submissions(id))[0].status, 'pending', 'looking at it confirms nothing');
  const confirmed = await post(link, {});
  assert.equal(confirmed.status, 303);
  const after_ = await fetch(new URL(confirmed.headers.get('location') ?? '', link));
  assert.match(await after_.text(), /<h1>Confirmed<\/h1>/);
  assert.equal((await submissions(id))[0].status, 'confirmed');
  assert.equal((await post(link, {})).status, 303, 'again changes nothing');
});

test('a long title is cut in the subject between two characters', async () => {
  for (const length of [104, 105]) {
    const title = `${'x'.repeat(length)}${'😀'.repeat(150)}`;
    const { url } = await makeForm([field('EMAIL')], { ...doubleOptIn(), settings: { title } });
    const EMAIL = `long-${length}@sandbox.test`;
    assert.equal((await post(url, { EMAIL })).status, 303);
    const { data } = (await account.api.get(`/v1/mails?recipient=${EMAIL}`)).json;
    assert.match(data[0].subject, /^Please confirm: x+😀+$/u);
  }
});

test('an expired confirmation and an invalid token confirm nothing', async () => {
  const { id, url } = await makeForm([field('EMAIL')], doubleOptIn());
  await post(url, { EMAIL: 'late@sandbox.test' });
  const [row] = await submissions(id);
  const token = tokens.make(row.id);
  const other = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
  for (const madeUp of ['x', other, tokens.make(row.id + 1_000_000)]) {
    assert.equal((await fetch(`${service.base_url}/confirm/${madeUp}`)).status, 404, madeUp);
    await post(`${service.base_url}/confirm/${madeUp}`, {});
  }
  await service.db.query(`update form_submissions set expires_at = $2 where id = $1`, [row.id, clock.now()]);
  const link = `${service.base_url}/confirm/${token}`;
  assert.equal((await post(link, {})).status, 303);
  assert.equal((await fetch(link)).status, 410);
  assert.equal((await submissions(id))[0].status, 'expired');
});

test('a person does not get more mail than the limit when others fill in their address', async () => {
  const { id, url } = await makeForm([field('EMAIL')], doubleOptIn());
  for (let n = 0; n < 5; n += 1) {
    const sent = await post(url, { EMAIL: n % 2 ? 'Victim@sandbox.test' : 'victim@sandbox.test' });
    assert.match(sent.headers.get('location') ?? '', /\?check-mail$/, 'it is not told');
  }
  assert.equal((await submissions(id)).length, 3);
});

test('a submission that waits for a mail limit does not block recording of consent', async () => {
  const { id, url } = await makeForm([field('EMAIL'), consent()], doubleOptIn());
  const fields = { EMAIL: 'waits@sandbox.test', consent: String(account.term_id) };
  assert.equal((await post(url, fields)).status, 303);
  const { id: instance_id } = account.instance;
  let waiting: Promise<Response> | undefined;
  await service.db.transaction(async (tx) => {
    const limit = `platform mail instance ${instance_id} confirmation`;
    assert.equal((await tx.query('select from rate_buckets where key = $1 for update', [limit])).length, 1);
    waiting = post(url, fields);
    await waitForLocks(service.db);
    await tx.query('select from consent_chains where instance_id = $1 for update nowait', [instance_id]);
  });
  assert.equal((await waiting)?.status, 303);
  assert.equal((await submissions(id)).length, 2);
});

test('a mail that cannot be sent is told, and nothing counts', async () => {
  const { id, url } = await makeForm([field('EMAIL')], doubleOptIn());
  // Not counted for the address, to which three may be written in a day: it would be told of a mail that never comes.
  for (let n = 0; n < 5; n += 1) {
    // A sandbox sender writes only to the sandbox.
    const refused = await post(url, { EMAIL: 'ana@example.com' });
    assert.equal(refused.status, 503);
    assert.match(await refused.text(), /could not write to you/);
  }
  assert.deepEqual(await submissions(id), [], 'nor is anything kept that nobody can confirm');
});

test('a form whose sender requires consent by now is closed: its confirmation would be dropped', async () => {
  const email_address = `later@${account.instance.slug}.sandbox.test`;
  const created = await account.panel.post('/v1/private/senders', { name: 'Later', email_address });
  assert.equal(created.status, 201, created.text);
  const more = { requires_confirmation: true, auto_reply_sender_id: created.json.id };
  const { id, url } = await makeForm([field('EMAIL')], more);
  const requires = (requires_consent: boolean) => ({
    requires_consent,
    consent_purpose_id: requires_consent ? account.purpose_id : null,
  });
  await post(url, { EMAIL: 'before@sandbox.test' });
  const [{ id: submission_id }] = await submissions(id);
  await account.panel.patch(`/v1/private/senders/${created.json.id}`, requires(true));
  assert.equal((await post(url, { EMAIL: 'nobody-told@sandbox.test' })).status, 404);
  const again = `/v1/private/forms/${id}/submissions/${submission_id}/resend-confirmation`;
  assert.equal((await account.panel.post(again)).json.code, 'confirmation_requires_email');
  await account.panel.patch(`/v1/private/senders/${created.json.id}`, requires(false));
  assert.equal((await post(url, { EMAIL: 'nobody-told@sandbox.test' })).status, 303);
  assert.equal((await account.panel.post(again)).status, 204);
});
