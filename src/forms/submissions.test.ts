import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Problem } from '../base/errors/problem.ts';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { RootSecret } from '../base/secrets.ts';
import { ContactHashes } from '../base/contact-hash.ts';
import { findFillableForm, type FillableForm } from './fillable-form.ts';
import { createCurrentTerm, createFormAccount, type FormAccount } from './form-account.fixture.ts';
import type { RawSubmission } from './read-submission.ts';
import { confirmSubmission, expireSubmissions } from './settle-submission.ts';
import { readValid, storeSubmission, type Submitted } from './submit-form.ts';

const path = '/v1/private/forms';
const evidence = { address: '192.0.2.7', user_agent: 'Test', at: new Date('2026-03-01T12:00:00Z') };
const day = 24 * 3_600_000;
const hashes = new ContactHashes(new RootSecret('a root secret for tests, and for tests alone'));
let service: TestService;
let account: FormAccount;
before(async () => {
  service = await startTestService({ clock: createMovableClock('2026-03-01T12:00:00Z') });
  account = await createFormAccount(service);
});
after(async () => await service.stop());

const field = (key: string, more: object = {}): object => ({
  kind: 'field',
  field_id: account.fields[key],
  ...more,
});
const consent = (more: object = {}): object => ({ kind: 'consent', term_id: account.term_id, ...more });

async function makeForm(items: object[], more: object = {}): Promise<FillableForm> {
  const form = { name: 'Form', kind: 'advanced', type: 'registration', items, ...more };
  const created = await account.panel.post(path, form);
  assert.equal(created.status, 201, created.text);
  const found = await findFillableForm(service.db, created.json.public_token);
  assert.ok(found);
  return found;
}

const doubleOptIn = () => ({ requires_confirmation: true, auto_reply_sender_id: account.sender_id });

async function submit(
  form: FillableForm,
  given: Partial<RawSubmission>,
  at = evidence.at,
): Promise<Submitted> {
  const read = readValid(form, { answers: {}, consents: [], ...given });
  const submission = { read, evidence: { ...evidence, at } };
  return await service.db.transaction(async (tx) => await storeSubmission(tx, form, submission));
}

async function refusal(work: Promise<unknown>): Promise<string[]> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof Problem, 'it is refused');
  return error.facts.errors?.map(({ pointer, code }) => `${pointer} ${code}`) ?? [error.code];
}

const eventOf = async (id: number) =>
  (await account.panel.get('/v1/private/consent-events?page_size=100')).json.data.find(
    (event: { id: number }) => event.id === id,
  );
const listed = async (form: FillableForm, query = '') =>
  (await account.panel.get(`${path}/${form.id}/submissions${query}`)).json.data;

test('a submission keeps its answers by key, from where and with what, and the consents given with it', async () => {
  const form = await makeForm([field('EMAIL'), field('FIRST_NAME'), consent()]);
  const answers = { EMAIL: ' Ana@Example.com', FIRST_NAME: 'Ana' };
  const submitted = await submit(form, { answers, consents: [account.term_id] });
  assert.equal(submitted.status, 'confirmed');
  const [row] = await listed(form);
  const { consent_event_ids, ...rest } = row;
  assert.deepEqual(rest, {
    id: submitted.id,
    status: 'confirmed',
    answers: { EMAIL: 'Ana@example.com', FIRST_NAME: 'Ana' },
    address: '192.0.2.7',
    user_agent: 'Test',
    is_return: false,
    is_update: false,
    replaced_by: null,
    created_at: '2026-03-01T12:00:00.000Z',
    confirmed_at: '2026-03-01T12:00:00.000Z',
  });
  const event = await eventOf(consent_event_ids[0]);
  assert.deepEqual(
    [event.term_id, event.status, event.method, event.source],
    [account.term_id, 'confirmed', 'single_opt_in', 'form'],
  );
  const [{ channel, contact_type, contact, purpose_id, action }] = event.rules;
  assert.deepEqual(
    [channel, contact_type, contact, purpose_id, action],
    ['mail', 'email_address', 'ana@example.com', account.purpose_id, 'allow'],
  );
});

test('optional answers may be left out, and an unchecked consent is not recorded', async () => {
  const form = await makeForm([field('EMAIL'), field('FIRST_NAME'), consent()]);
  await submit(form, { answers: { EMAIL: '', FIRST_NAME: '  ' } });
  const [row] = await listed(form);
  assert.deepEqual([row.answers, row.consent_event_ids], [{}, []]);
});

test('everything wrong with a submission is told at once, and nothing of it is kept', async () => {
  const form = await makeForm([
    field('EMAIL', { is_required: true }),
    field('PHONE'),
    field('FIRST_NAME', { is_required: true }),
    consent({ is_required: true }),
  ]);
  const given = {
    answers: { PHONE: 'x', LAST_NAME: 'y', FIRST_NAME: '\0', constructor: 1 },
    consents: [999],
  };
  assert.deepEqual(await refusal(submit(form, given)), [
    '/answers/FIRST_NAME string_unicode',
    '/answers/LAST_NAME extra_forbidden',
    '/answers/constructor extra_forbidden',
    '/answers/EMAIL missing',
    '/answers/PHONE value_error.phone',
    '/answers/FIRST_NAME string_pattern_mismatch',
    '/consents/999 extra_forbidden',
    `/consents/${account.term_id} missing`,
  ]);
  assert.deepEqual(await listed(form), []);
});

test('a consent counts for the channels over which what was answered reaches the person', async () => {
  const term_id = await createCurrentTerm(account, { channels: ['mail', 'sms', 'push'] });
  const items = [field('EMAIL'), field('PHONE'), field('UNIQUECODE'), { kind: 'consent', term_id }];
  const form = await makeForm(items);
  const channelsFor = async (answers: Record<string, string>): Promise<string[]> => {
    await submit(form, { answers, consents: [term_id] });
    const [row] = await listed(form);
    const { rules } = await eventOf(row.consent_event_ids[0]);
    return rules.map(({ channel, contact }: Record<string, string>) => `${channel} ${contact}`);
  };
  assert.deepEqual(await channelsFor({ EMAIL: 'a@example.com' }), ['mail a@example.com']);
  assert.deepEqual(await channelsFor({ PHONE: '+56 9 1234 5678' }), ['sms +56912345678']);
  assert.deepEqual(await channelsFor({ EMAIL: 'a@example.com', UNIQUECODE: 'Ab1' }), [
    'mail a@example.com',
    'sms Ab1',
    'push Ab1',
  ]);
  assert.deepEqual(await refusal(submit(form, { consents: [term_id] })), [
    `/consents/${term_id} value_error.contact`,
  ]);
  const longest = 'x'.repeat(254);
  assert.deepEqual(await channelsFor({ UNIQUECODE: longest }), [
    `mail ${longest}`,
    `sms ${longest}`,
    `push ${longest}`,
  ]);
  for (const answers of [{ UNIQUECODE: `${longest}x` }, { UNIQUECODE: 'x'.repeat(1_000) }]) {
    const refused = await refusal(submit(form, { answers, consents: [term_id] }));
    assert.deepEqual(refused, ['/answers/UNIQUECODE string_too_long']);
  }
});

test('a term that was closed is asked for no more, and one that is required closes the form', async () => {
  const term_id = await createCurrentTerm(account, { channels: ['mail'] });
  const optional = await makeForm([field('EMAIL'), { kind: 'consent', term_id }]);
  const strict = await makeForm([field('EMAIL'), { kind: 'consent', term_id, is_required: true }]);
  await account.panel.patch(`/v1/private/consent-terms/${term_id}`, { is_active: false });
  const [later, closed] = await Promise.all(
    [optional, strict].map(async ({ public_token }) => await findFillableForm(service.db, public_token)),
  );
  assert.ok(later && closed);
  const answers = { EMAIL: 'a@example.com' };
  assert.equal((await submit(later, { answers })).status, 'confirmed');
  assert.deepEqual(await refusal(submit(later, { answers, consents: [term_id] })), [
    `/consents/${term_id} extra_forbidden`,
  ]);
  assert.deepEqual(await refusal(submit(closed, { answers })), ['consent_term_inactive']);
});

test('double opt-in: nothing counts before the confirmation, and everything after', async () => {
  const form = await makeForm([field('EMAIL'), consent()], doubleOptIn());
  assert.deepEqual(await refusal(submit(form, { consents: [account.term_id] })), ['/answers/EMAIL missing']);
  const { id, status } = await submit(form, {
    answers: { EMAIL: 'b@example.com' },
    consents: [account.term_id],
  });
  assert.equal(status, 'pending');
  const [waiting] = await listed(form, '?status=pending');
  assert.deepEqual([waiting.id, waiting.confirmed_at], [id, null]);
  const [event_id] = waiting.consent_event_ids;
  const event = await eventOf(event_id);
  assert.deepEqual([event.status, event.method], ['pending', 'double_opt_in']);
  const at = new Date(evidence.at.getTime() + day);
  const confirm = async () =>
    await service.db.transaction(
      async (tx) => await confirmSubmission(tx, id, { hashes, evidence: { ...evidence, at } }),
    );
  await confirm();
  const [confirmed] = await listed(form);
  assert.deepEqual([confirmed.status, confirmed.confirmed_at], ['confirmed', at.toISOString()]);
  assert.equal((await eventOf(event_id)).status, 'confirmed');
  assert.deepEqual(await refusal(confirm()), ['form_submission_not_pending']);
});

test('an unconfirmed submission expires with its consents, and cannot be confirmed any more', async () => {
  const form = await makeForm([field('EMAIL'), consent()], doubleOptIn());
  const given = { answers: { EMAIL: 'c@example.com' }, consents: [account.term_id] };
  const { id } = await submit(form, given);
  const late = new Date(evidence.at.getTime() + 7 * day);
  const confirm = async (at: Date) =>
    await service.db.transaction(
      async (tx) => await confirmSubmission(tx, id, { hashes, evidence: { ...evidence, at } }),
    );
  assert.deepEqual(await refusal(confirm(late)), ['form_submission_not_pending']);
  await expireSubmissions(service.db, new Date(late.getTime() - 1));
  assert.equal((await listed(form))[0].status, 'pending');
  assert.equal(await expireSubmissions(service.db, late), 1);
  const [row] = await listed(form);
  assert.equal(row.status, 'expired');
  assert.equal((await eventOf(row.consent_event_ids[0])).status, 'expired');
  assert.deepEqual(await refusal(confirm(evidence.at)), ['form_submission_not_pending']);
});

test('confirmed twice at the same time, a submission is confirmed once', async () => {
  const form = await makeForm([field('EMAIL'), consent()], doubleOptIn());
  const given = { answers: { EMAIL: 'd@example.com' }, consents: [account.term_id] };
  const { id } = await submit(form, given);
  const ends = await Promise.allSettled(
    [1, 2, 3].map(
      async () =>
        await service.db.transaction(async (tx) => await confirmSubmission(tx, id, { hashes, evidence })),
    ),
  );
  assert.equal(ends.filter((end) => end.status === 'fulfilled').length, 1);
});

test('a form is open only while it, its instance and its sender are', async () => {
  const form = await makeForm([field('EMAIL')]);
  assert.equal(await findFillableForm(service.db, 'x'.repeat(43)), undefined);
  await account.panel.patch(`${path}/${form.id}`, { is_active: false });
  assert.equal(await findFillableForm(service.db, form.public_token), undefined);
  const asked = await makeForm([field('EMAIL')], doubleOptIn());
  assert.deepEqual(
    await refusal(submit({ ...asked, sender_email: null }, { answers: { EMAIL: 'a@example.com' } })),
    ['confirmation_requires_email'],
  );
});

test('the list is filtered by status and by local days', async () => {
  const form = await makeForm([field('EMAIL')]);
  for (const at of ['2026-03-01T02:59:59.999Z', '2026-03-01T03:00:00Z', '2026-03-02T03:00:00Z']) {
    await submit(form, { answers: { EMAIL: 'a@example.com' } }, new Date(at));
  }
  const days = async (query: string): Promise<string[]> =>
    (await listed(form, `?${query}`)).map(({ created_at }: { created_at: string }) =>
      created_at.slice(0, 13),
    );
  assert.deepEqual(await days(''), ['2026-03-02T03', '2026-03-01T03', '2026-03-01T02']);
  const santiago = 'tz=America/Santiago';
  assert.deepEqual(await days(`start_date=2026-03-01&end_date=2026-03-01&${santiago}`), ['2026-03-01T03']);
  assert.deepEqual(await days(`start_date=2026-03-02&${santiago}`), ['2026-03-02T03']);
  assert.deepEqual(await days(`end_date=2026-02-28&${santiago}`), ['2026-03-01T02']);
  assert.deepEqual(await days('status=expired'), []);
  const backwards = await account.panel.get(
    `${path}/${form.id}/submissions?start_date=2026-03-02&end_date=2026-03-01`,
  );
  assert.equal(backwards.status, 400);
});

test('reads one submission with its consents, only in its form and its instance', async () => {
  const form = await makeForm([field('EMAIL'), consent()], doubleOptIn());
  const other = await makeForm([field('EMAIL')]);
  const { id } = await submit(form, { answers: { EMAIL: 'a@b.example' }, consents: [account.term_id] });
  const { json } = await account.panel.get(`${path}/${form.id}/submissions/${id}`);
  assert.deepEqual([json.status, json.answers], ['pending', { EMAIL: 'a@b.example' }]);
  const [{ name, ...agreed }] = json.consents;
  assert.match(name, /^Term/);
  assert.deepEqual(agreed, {
    consent_event_id: json.consent_event_ids[0],
    term_id: account.term_id,
    version: '1',
    status: 'pending',
    action: 'allow',
  });
  assert.deepEqual(json.history, []);
  const elsewhere = await account.panel.get(`${path}/${other.id}/submissions/${id}`);
  assert.deepEqual([elsewhere.status, elsewhere.json.code], [404, 'form_submission_not_found']);
  const stranger = await createFormAccount(service);
  assert.equal(
    (await stranger.panel.get(`${path}/${form.id}/submissions/${id}`)).json.code,
    'form_not_found',
  );
});

test('an export has a column for every field, those of the past included, and is in the trail', async () => {
  const options = {
    options: [
      { value: 'A', label: 'a' },
      { value: 'B', label: 'b' },
    ],
  };
  const ids: number[] = [];
  for (const [field_key, type, config] of [
    ['COLOURS', 'multiselect', options],
    ['AGE', 'number', null],
    ['AGREED', 'boolean', null],
  ] as const) {
    ids.push((await account.api.post('/v1/fields', { name: field_key, field_key, type, config })).json.id);
  }
  const items = ids.map((field_id) => ({ kind: 'field', field_id }));
  const form = await makeForm([field('FIRST_NAME'), ...items]);
  const answers = { FIRST_NAME: '=1+1, "ñ"', COLOURS: ['B', 'A'], AGE: '4.5', AGREED: 'false' };
  const { id } = await submit(form, { answers });
  await account.panel.request('PUT', `${path}/${form.id}/items`, {
    body: { items: [field('EMAIL'), field('FIRST_NAME')] },
  });
  const json = await account.api.get(`/v1/forms/${form.id}/submissions/export?format=json&status=confirmed`);
  assert.deepEqual(json.json.data, [
    {
      id,
      status: 'confirmed',
      created_at: '2026-03-01T12:00:00Z',
      confirmed_at: '2026-03-01T12:00:00Z',
      EMAIL: null,
      FIRST_NAME: '=1+1, "ñ"',
      COLOURS: ['B', 'A'],
      AGE: 4.5,
      AGREED: false,
      replaced_by: null,
    },
  ]);
  const csv = await account.api.get(`/v1/forms/${form.id}/submissions/export?tz=America/Santiago`);
  assert.match(csv.headers.get('content-disposition') ?? '', /filename="form-submissions-[\d-]+\.csv"/);
  assert.deepEqual(csv.text.replace(/^\u{feff}/u, '').split('\r\n'), [
    '"id","status","created_at","confirmed_at","EMAIL","FIRST_NAME","COLOURS","AGE","AGREED","replaced_by"',
    `${id},"confirmed","2026-03-01T09:00:00-03:00","2026-03-01T09:00:00-03:00",,"'=1+1, ""ñ""","[""B"", ""A""]",4.5,false,`,
    '',
  ]);
  const none = await account.api.get(
    `/v1/forms/${form.id}/submissions/export?format=json&end_date=2026-02-28`,
  );
  assert.deepEqual(none.json.data, []);
  const [trail] = await service.db.query(
    `select details from audit_events where instance_id = $1 and action = 'form_submissions.exported' order by id limit 1`,
    [account.instance.id],
  );
  assert.deepEqual(trail, {
    details: { format: 'json', filters: { status: 'confirmed' }, path: { id: form.id } },
  });
});

test('the submissions of a form that is not there are not there either', async () => {
  for (const answer of [
    await account.api.get('/v1/forms/999999/submissions/export'),
    await account.panel.get(`${path}/999999/submissions`),
    await account.panel.get(`${path}/999999/submissions/export`),
  ]) {
    assert.deepEqual([answer.status, answer.json.code], [404, 'form_not_found']);
  }
});
