import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

const path = '/v1/private/fields';
let service: TestService;
let tenant: Tenant;
let admin: PanelUser;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  admin = await signIn(service, tenant, 'admin');
});
after(async () => await service.stop());

let made = 0;
// oxlint-disable-next-line typescript/no-explicit-any
async function create(more: object = {}): Promise<any> {
  const field = { name: 'Field', field_key: `FIELD_${(made += 1)}`, type: 'text', ...more };
  const created = await admin.post(path, field);
  assert.equal(created.status, 201, created.text);
  assert.equal(created.headers.get('location'), `${path}/${created.json.id}`);
  return created.json;
}

const options = (...labels: string[]) => ({
  options: labels.map((label) => ({ value: label.toUpperCase(), label })),
});

test('the name and the options of a field change, its key and its type never', async () => {
  const field = await create({ type: 'select', config: options('red') });
  const changes = { name: 'Colour', config: options('red', 'blue') };
  const changed = await admin.patch(`${path}/${field.id}`, { ...changes, field_key: 'OTHER', type: 'text' });
  assert.equal(changed.status, 200);
  assert.deepEqual(changed.json, { ...field, ...changes, updated_at: changed.json.updated_at });
  assert.deepEqual((await tenant.api.get(`/v1/fields/${field.id}`)).json, changed.json);
  assert.deepEqual(
    (await admin.patch(`${path}/${field.id}`, changes)).json,
    changed.json,
    'again is the same',
  );
  const bad = await admin.patch(`${path}/${field.id}`, { config: {} });
  assert.deepEqual(
    [bad.status, bad.json.errors[0].pointer, bad.json.errors[0].code],
    [422, '/config/options', 'missing'],
  );
  assert.equal((await admin.patch(`${path}/${field.id}`, { name: '' })).status, 422);
});

test('an inactive field is read-only until it is activated', async () => {
  const { id } = await create();
  assert.equal((await admin.patch(`${path}/${id}`, { is_active: false })).json.is_active, false);
  for (const changes of [{ name: 'x' }, { config: {} }, { name: 'x', is_active: false }]) {
    const refused = await admin.patch(`${path}/${id}`, changes);
    assert.deepEqual([refused.status, refused.json.code], [409, 'field_is_inactive']);
  }
  const back = await admin.patch(`${path}/${id}`, { is_active: true, name: 'Back' });
  assert.deepEqual([back.json.is_active, back.json.name], [true, 'Back']);
});

test('a deleted field is gone, and its key stays reserved', async () => {
  const { id, field_key } = await create();
  assert.equal((await admin.delete(`${path}/${id}`)).status, 204);
  for (const answer of [
    await admin.delete(`${path}/${id}`),
    await admin.patch(`${path}/${id}`, { name: 'x' }),
    await tenant.api.get(`/v1/fields/${id}`),
  ]) {
    assert.deepEqual([answer.status, answer.json.code], [404, 'field_not_found']);
  }
  const again = await tenant.api.post('/v1/fields', { name: 'x', field_key, type: 'text' });
  assert.deepEqual([again.status, again.json.code], [409, 'field_key_reserved']);
});

test('a system field can be renamed, not deleted', async () => {
  const { data } = (await tenant.api.get('/v1/fields')).json;
  const { id } = data[0];
  const refused = await admin.delete(`${path}/${id}`);
  assert.deepEqual([refused.status, refused.json.code], [409, 'field_is_system']);
  assert.equal((await admin.patch(`${path}/${id}`, { name: 'Correo' })).json.name, 'Correo');
});

test('a field that a form asks for stays until it is off the form', async () => {
  const { id } = await create();
  const form = {
    name: 'F',
    kind: 'advanced',
    type: 'registration',
    items: [{ kind: 'field', field_id: id }],
  };
  const { id: form_id } = (await admin.post('/v1/private/forms', form)).json;
  const refused = await admin.delete(`${path}/${id}`);
  assert.deepEqual([refused.status, refused.json.code], [409, 'field_in_use']);
  await admin.delete(`/v1/private/forms/${form_id}`);
  assert.equal((await admin.delete(`${path}/${id}`)).status, 204);
});

test('a field is never deleted while it is put on a form', async () => {
  const { id } = await create();
  const form = {
    name: 'F',
    kind: 'advanced',
    type: 'registration',
    items: [{ kind: 'field', field_id: id }],
  };
  const [made_, deleted] = await Promise.all([
    admin.post('/v1/private/forms', form),
    admin.delete(`${path}/${id}`),
  ]);
  const outcome = [made_.status, deleted.status];
  assert.ok(
    [
      [201, 409],
      [422, 204],
    ].some((one) => one.join() === outcome.join()),
    outcome.join(),
  );
});

test('every change is in the trail, one by an API key too', async () => {
  const created = await tenant.api.post('/v1/fields', { name: 'K', field_key: 'BY_KEY', type: 'text' });
  const { id } = created.json;
  await admin.patch(`${path}/${id}`, { name: 'Other' });
  await admin.patch(`${path}/${id}`, { name: 'Other' });
  await admin.delete(`${path}/${id}`);
  const trail = await service.db.query(
    `select actor_kind, action, details from audit_events where object_kind = 'field' and object_id = $1 order by id`,
    [String(id)],
  );
  assert.deepEqual(trail, [
    {
      actor_kind: 'api_key',
      action: 'field.created',
      details: { name: 'K', field_key: 'BY_KEY', type: 'text', external_id: null },
    },
    {
      actor_kind: 'user',
      action: 'field.updated',
      details: { name: 'Other', is_active: true, external_id: null, is_config_changed: false },
    },
    { actor_kind: 'user', action: 'field.deleted', details: { field_key: 'BY_KEY' } },
  ]);
});

test('viewers read, developers build, admins delete', async () => {
  const [viewer, developer] = [
    await signIn(service, tenant, 'viewer'),
    await signIn(service, tenant, 'developer'),
  ];
  const { id } = await create();
  assert.equal((await viewer.get(path)).status, 200);
  assert.equal((await developer.patch(`${path}/${id}`, { name: 'x' })).status, 200);
  const refused = await Promise.all([
    viewer.post(path, { name: 'x', field_key: 'X', type: 'text' }),
    viewer.patch(`${path}/${id}`, { name: 'x' }),
    developer.delete(`${path}/${id}`),
  ]);
  assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([403]));
});
