import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { ApiResponse } from '../../test/support/api.ts';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { waitForLocks } from '../../test/support/wait-for-locks.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import type { Queryable } from '../base/db/database.ts';
import { updateItems } from './change-form.ts';
import { createCurrentTerm, createFormAccount, type FormAccount } from './form-account.fixture.ts';

const path = '/v1/private/forms';
let service: TestService;
let account: FormAccount;
let panel: PanelUser;
before(async () => {
  service = await startTestService();
  account = await createFormAccount(service);
  ({ panel } = account);
});
after(async () => await service.stop());

const blank = { name: 'Form', kind: 'advanced', type: 'registration', items: [] };
const email = (): object => ({ kind: 'field', field_id: account.fields['EMAIL'], is_required: true });
const consent = (): object => ({ kind: 'consent', term_id: account.term_id });
// oxlint-disable-next-line typescript/no-explicit-any
const create = async (form: object): Promise<any> => (await panel.post(path, { ...blank, ...form })).json;
const replaceItems = async (id: number, items: object[]) =>
  await panel.request('PUT', `${path}/${id}/items`, { body: { items } });
const problemsOf = (json: { errors: { pointer: string; code: string }[] }): string[] =>
  json.errors.map(({ pointer, code }) => `${pointer} ${code}`);

test('a form is created with its items in order, and read by its key and in the panel', async () => {
  const settings = { title: 'Hi', design: { primary_color: '#abc', logo_url: 'https://acme.example/l.png' } };
  const items = [
    { kind: 'text', content: 'Welcome', width: 'half', is_required: true, field_id: 7 },
    { ...email(), label: 'Your mail', width: 'half' },
    { kind: 'divider' },
    consent(),
  ];
  const created = await panel.post(path, { ...blank, settings, items });
  assert.equal(created.status, 201);
  assert.equal(created.headers.get('location'), `${path}/${created.json.id}`);
  const { id, public_token, created_at, updated_at, items: kept, ...rest } = created.json;
  assert.deepEqual(rest, {
    external_id: null,
    name: 'Form',
    kind: 'advanced',
    type: 'registration',
    dataset_id: null,
    is_default: false,
    is_active: true,
    requires_confirmation: false,
    auto_reply_sender_id: null,
    settings,
  });
  assert.match(public_token, /^[\w-]{43}$/);
  assert.equal(created_at, updated_at);
  const plain = {
    field_id: null,
    term_id: null,
    label: null,
    content: null,
    is_required: false,
    width: 'full',
  };
  assert.deepEqual(
    kept.map(({ id: _id, ...item }: { id: number }) => item),
    [
      { ...plain, kind: 'text', content: 'Welcome', sort_order: 1 },
      {
        ...plain,
        kind: 'field',
        field_id: account.fields['EMAIL'],
        label: 'Your mail',
        is_required: true,
        width: 'half',
        sort_order: 2,
      },
      { ...plain, kind: 'divider', sort_order: 3 },
      { ...plain, kind: 'consent', term_id: account.term_id, sort_order: 4 },
    ],
  );
  assert.deepEqual((await account.api.get(`/v1/forms/${id}`)).json, created.json);
  assert.deepEqual((await panel.get(`${path}/${id}`)).json, created.json);
  const listed = (await account.api.get('/v1/forms')).json.data;
  assert.deepEqual(
    listed.find((form: { id: number }) => form.id === id),
    created.json,
    'lists have the items too',
  );
});

test('a form that is not there is form_not_found', async () => {
  const { status, json } = await account.api.get('/v1/forms/999999999');
  assert.deepEqual([status, json.code], [404, 'form_not_found']);
});

test('every filter of the list works by itself and with the others', async () => {
  const own = await createFormAccount(service);
  const make = async (form: object) => await own.panel.post(path, { ...blank, ...form });
  const mail = { kind: 'field', field_id: own.fields['EMAIL'] };
  await make({ name: 'Alfa Ñandú', type: 'update', items: [mail], auto_reply_sender_id: own.sender_id });
  await make({ name: 'Beta', is_active: false, auto_reply_sender_id: own.sender_id });
  await make({
    name: 'Gamma',
    kind: 'consent',
    requires_confirmation: true,
    auto_reply_sender_id: own.sender_id,
    items: [mail, { kind: 'consent', term_id: own.term_id }],
  });
  const names = async (query: string): Promise<string[]> =>
    (await own.api.get(`/v1/forms?${query}`)).json.data.map(({ name }: { name: string }) => name);
  assert.deepEqual(await names(''), ['Alfa Ñandú', 'Beta', 'Gamma']);
  assert.deepEqual(await names('kind=consent'), ['Gamma']);
  assert.deepEqual(await names('type=update'), ['Alfa Ñandú']);
  assert.deepEqual(await names('is_active=false'), ['Beta']);
  assert.deepEqual(await names('name=%C3%B1AND'), ['Alfa Ñandú']);
  assert.deepEqual(await names('requires_confirmation=true'), ['Gamma']);
  assert.deepEqual(await names('requires_confirmation=false'), ['Alfa Ñandú', 'Beta']);
  assert.deepEqual(await names(`auto_reply_sender_id=${own.sender_id}`), ['Alfa Ñandú', 'Beta', 'Gamma']);
  assert.deepEqual(await names(`auto_reply_sender_id=${own.sender_id}&is_active=true&kind=consent`), [
    'Gamma',
  ]);
  assert.deepEqual(await names('page=2&page_size=2'), ['Gamma']);
});

test('double opt-in needs the field EMAIL and a sender, whatever of it changes', async () => {
  const refused = async (form: object): Promise<unknown[]> => {
    const { status, json } = await panel.post(path, { ...blank, requires_confirmation: true, ...form });
    return [status, json.code];
  };
  const expected = [409, 'confirmation_requires_email'];
  const phone = { kind: 'field', field_id: account.fields['PHONE'] };
  const { sender_id } = account;
  assert.deepEqual(await refused({ items: [email()] }), expected);
  assert.deepEqual(await refused({ items: [phone], auto_reply_sender_id: sender_id }), expected);
  const { id } = await create({ items: [email()] });
  const on = await panel.patch(`${path}/${id}`, { requires_confirmation: true });
  assert.deepEqual([on.status, on.json.code], expected);
  const whole = { requires_confirmation: true, auto_reply_sender_id: sender_id };
  assert.equal((await panel.patch(`${path}/${id}`, whole)).json.requires_confirmation, true);
  const without = await replaceItems(id, [phone]);
  assert.deepEqual([without.status, without.json.code], expected);
  const orphaned = await panel.patch(`${path}/${id}`, { auto_reply_sender_id: null });
  assert.deepEqual([orphaned.status, orphaned.json.code], expected);
});

test('a form of another instance, its fields, terms and senders included, is out of reach', async () => {
  const other = await createFormAccount(service);
  const { status, json } = await panel.post(path, {
    ...blank,
    auto_reply_sender_id: other.sender_id,
    items: [
      { kind: 'field', field_id: other.fields['EMAIL'] },
      { kind: 'consent', term_id: other.term_id },
    ],
  });
  assert.equal(status, 422);
  assert.deepEqual(problemsOf(json), [
    '/items/0/field_id value_error.field',
    '/items/1/term_id value_error.term',
    '/auto_reply_sender_id value_error.sender',
  ]);
});

test('each item is held to the rules of its kind, all at once', async () => {
  const { json } = await panel.post(path, {
    ...blank,
    items: [
      { kind: 'field' },
      { kind: 'consent' },
      { kind: 'text', content: ' ' },
      email(),
      email(),
      consent(),
      consent(),
    ],
  });
  assert.deepEqual(problemsOf(json), [
    '/items/0/field_id missing',
    '/items/1/term_id missing',
    '/items/2/content missing',
    '/items/4/field_id value_error.duplicate',
    '/items/6/term_id value_error.duplicate',
  ]);
});

test('an inactive field is not put on forms, but stays on those that have it', async () => {
  const wanted = { name: 'Old', field_key: 'OLD', type: 'text' };
  const field = (await account.api.post('/v1/fields', wanted)).json.id;
  const item = { kind: 'field', field_id: field };
  const { id } = await create({ items: [item] });
  await service.db.query('update fields set is_active = false where id = $1', [field]);
  const { json } = await panel.post(path, { ...blank, items: [item] });
  assert.deepEqual(problemsOf(json), ['/items/0/field_id value_error.field_inactive']);
  assert.equal((await replaceItems(id, [email(), item])).status, 200);
});

test('a consent needs an active term with a current version, and a field that reaches its channels', async () => {
  const draft = { name: 'Draft', type: 'other', channels: ['mail'], purpose_ids: [account.purpose_id] };
  const none = (await panel.post('/v1/private/consent-terms', draft)).json.id;
  const inactive = await createCurrentTerm(account, { channels: ['mail'] });
  await panel.patch(`/v1/private/consent-terms/${inactive}`, { is_active: false });
  const push = await createCurrentTerm(account, { channels: ['push'] });
  const sms = await createCurrentTerm(account, { channels: ['sms', 'mail'] });
  const items = [none, inactive, push, sms].map((term_id) => ({ kind: 'consent', term_id }));
  const { json } = await panel.post(path, { ...blank, items: [email(), ...items] });
  assert.deepEqual(problemsOf(json), [
    '/items/1/term_id value_error.term_no_current_version',
    '/items/2/term_id value_error.term_inactive',
    '/items/3/term_id value_error.term_unreachable',
  ]);
});

test('a form of kind consent has identifiers and at least one consent', async () => {
  const name = { kind: 'field', field_id: account.fields['FIRST_NAME'] };
  const bad = await panel.post(path, { ...blank, kind: 'consent', items: [email(), name] });
  assert.deepEqual(problemsOf(bad.json), [
    '/items/1/field_id value_error.field_kind',
    '/items value_error.consent',
  ]);
  const good = await panel.post(path, { ...blank, kind: 'consent', items: [email(), consent()] });
  assert.equal(good.status, 201);
});

test('one form of a kind is the default, also when two become it at once', async () => {
  const own = await createFormAccount(service);
  const make = async (): Promise<number> => (await own.panel.post(path, blank)).json.id;
  const ids = await Promise.all([make(), make(), make(), make()]);
  const answers = await Promise.all(
    ids.map(async (id) => await own.panel.patch(`${path}/${id}`, { is_default: true })),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const { data } = (await own.api.get('/v1/forms')).json;
  assert.equal(data.filter(({ is_default }: { is_default: boolean }) => is_default).length, 1);
  const created = await own.panel.post(path, { ...blank, is_default: true });
  assert.equal(created.json.is_default, true);
  await create({ is_default: true });
  const kept = await own.panel.get(`${path}/${created.json.id}`);
  assert.equal(kept.json.is_default, true, 'another instance has a default of its own');
});

/** Begins a request while `change` is not committed yet, and gives its answer. */
async function whileUncommitted(
  change: (tx: Queryable) => Promise<unknown>,
  request: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  let answer: Promise<ApiResponse> | undefined;
  await service.db.transaction(async (tx) => {
    await change(tx);
    answer = request();
    await waitForLocks(service.db);
  });
  return (await answer) as ApiResponse;
}

test('changes of one form at once are judged one after the other', async () => {
  const { id } = await create({ items: [email()] });
  const answer = await whileUncommitted(
    async (tx) =>
      await tx.query(
        'update forms set requires_confirmation = true, auto_reply_sender_id = $2 where id = $1',
        [id, account.sender_id],
      ),
    async () => await panel.patch(`${path}/${id}`, { items: [] }),
  );
  assert.deepEqual([answer.status, answer.json.code], [409, 'confirmation_requires_email']);
});

test('a field is not deleted while a form takes it up, nor taken up while it is deleted', async () => {
  const makeField = async (field_key: string): Promise<number> =>
    (await account.api.post('/v1/fields', { name: 'F', field_key, type: 'text' })).json.id;
  const gone = await makeField('GONE');
  const refused = await whileUncommitted(
    async (tx) => await tx.query('update fields set deleted_at = now() where id = $1', [gone]),
    async () => await panel.post(path, { ...blank, items: [{ kind: 'field', field_id: gone }] }),
  );
  assert.deepEqual(problemsOf(refused.json), ['/items/0/field_id value_error.field']);
  const used = await makeField('USED');
  const { id: form_id } = await create({});
  const kept = await whileUncommitted(
    async (tx) => await updateItems(tx, account.instance.id, taking(form_id, used)),
    async () => await panel.delete(`/v1/private/fields/${used}`),
  );
  assert.deepEqual([kept.status, kept.json.code], [409, 'field_in_use']);
});

const taking = (id: number, field_id: number) => ({
  id,
  items: [{ kind: 'field' as const, field_id }],
  actor: { kind: 'operator' as const },
});

test('items are replaced whole, and the rest of a form changes by parts', async () => {
  const form = await create({ items: [email()] });
  const replaced = await replaceItems(form.id, [{ kind: 'divider' }, email()]);
  assert.deepEqual(
    replaced.json.items.map(({ kind, sort_order }: { kind: string; sort_order: number }) => [
      kind,
      sort_order,
    ]),
    [
      ['divider', 1],
      ['field', 2],
    ],
  );
  const changed = await panel.patch(`${path}/${form.id}`, {
    name: 'Renamed',
    is_active: false,
    type: 'update',
    auto_reply_sender_id: account.sender_id,
  });
  assert.deepEqual(
    [changed.json.name, changed.json.is_active, changed.json.type, changed.json.public_token],
    ['Renamed', false, 'update', form.public_token],
  );
  assert.deepEqual(changed.json.items, replaced.json.items);
  assert.deepEqual((await panel.patch(`${path}/${form.id}`, { name: 'Renamed' })).json, changed.json);
});

test('a deleted form is gone, and each act is in the trail', async () => {
  const { id } = await create({ is_default: true });
  await panel.patch(`${path}/${id}`, { name: 'Other' });
  await panel.patch(`${path}/${id}`, { name: 'Other' });
  await replaceItems(id, [email()]);
  assert.equal((await panel.delete(`${path}/${id}`)).status, 204);
  for (const answer of [
    await panel.delete(`${path}/${id}`),
    await panel.patch(`${path}/${id}`, { name: 'x' }),
    await replaceItems(id, []),
    await account.api.get(`/v1/forms/${id}`),
  ]) {
    assert.deepEqual([answer.status, answer.json.code], [404, 'form_not_found']);
  }
  const trail = await service.db.query(
    `select action from audit_events where object_kind = 'form' and object_id = $1 order by id`,
    [String(id)],
  );
  assert.deepEqual(
    trail.map(({ action }) => action),
    ['form.created', 'form.updated', 'form.items_replaced', 'form.deleted'],
  );
});

test('items change together with what depends on them, or not at all', async () => {
  const { id } = await create({ items: [{ kind: 'field', field_id: account.fields['FIRST_NAME'] }] });
  const confirmed = { requires_confirmation: true, auto_reply_sender_id: account.sender_id };
  const refused = await panel.patch(`${path}/${id}`, confirmed);
  assert.deepEqual([refused.status, refused.json.code], [409, 'confirmation_requires_email']);
  const { json, status } = await panel.patch(`${path}/${id}`, { ...confirmed, items: [email()] });
  assert.equal(status, 200);
  assert.deepEqual([json.requires_confirmation, json.items.length], [true, 1]);
  const wrong = await panel.patch(`${path}/${id}`, { name: 'Kept out', items: [email(), { kind: 'text' }] });
  assert.deepEqual(problemsOf(wrong.json), ['/items/1/content missing']);
  const none = await panel.patch(`${path}/${id}`, { items: [] });
  assert.equal(none.json.code, 'confirmation_requires_email');
  const same = await panel.patch(`${path}/${id}`, { items: [email()] });
  assert.equal(same.json.updated_at, json.updated_at, 'nothing changed');
  assert.notEqual(same.json.name, 'Kept out');
  const trail = await service.db.query(
    `select details from audit_events where object_kind = 'form' and object_id = $1 and action = 'form.updated'`,
    [String(id)],
  );
  assert.deepEqual(trail, [
    { details: { changed: ['requires_confirmation', 'auto_reply_sender_id', 'items'] } },
  ]);
});

test('viewers read, developers build, admins delete', async () => {
  const [viewer, developer] = [
    await signIn(service, account, 'viewer'),
    await signIn(service, account, 'developer'),
  ];
  const { id } = await create({});
  assert.equal((await viewer.get(`${path}/${id}`)).status, 200);
  assert.equal((await developer.patch(`${path}/${id}`, { name: 'x' })).status, 200);
  const refused = await Promise.all([
    viewer.post(path, blank),
    viewer.patch(`${path}/${id}`, { name: 'x' }),
    viewer.request('PUT', `${path}/${id}/items`, { body: { items: [] } }),
    developer.delete(`${path}/${id}`),
  ]);
  assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([403]));
});

test('forms need form:read', async () => {
  const { api } = await service.tenant({ scopes: ['field:read'] });
  assert.equal((await api.get('/v1/forms')).json.code, 'forbidden');
});
