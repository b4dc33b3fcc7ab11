import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApi } from '../../test/support/api.ts';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';

const keys = '/v1/private/api-keys';
const credentials = '/v1/private/smtp-credentials';
let service: TestService;
let tenant: Tenant;
let admin: PanelUser;
let developer: PanelUser;
let viewer: PanelUser;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  admin = await signIn(service, tenant, 'admin');
  developer = await signIn(service, tenant, 'developer');
  viewer = await signIn(service, tenant, 'viewer');
});
after(async () => await service.stop());

const trailOf = async (id: string): Promise<string[]> => {
  const rows = await service.db.query<{ action: string }>(
    'select action from audit_events where instance_id = $1 and object_id = $2 order by id',
    [tenant.instance.id, id],
  );
  return rows.map(({ action }) => action);
};

test('an API key is told once, works, and stops with its revocation', async () => {
  const wanted = { name: 'website', scopes: ['field:read'], ip_allowlist: ['127.0.0.0/8'] };
  const created = await admin.post(keys, wanted);
  assert.equal(created.status, 201);
  const { api_key, ...record } = created.json;
  assert.deepEqual(
    { ...record, id: '', created_at: '' },
    {
      ...wanted,
      id: '',
      external_id: null,
      sandbox_only: false,
      created_at: '',
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    },
  );
  const api = createApi({ base_url: service.base_url, api_key, slug: tenant.instance.slug });
  assert.equal((await api.get('/v1/fields')).status, 200);
  const { text, json } = await admin.get(`${keys}?page_size=100`);
  assert.deepEqual(json.data.at(-1), record);
  assert.ok(!text.includes(api_key.split('.')[2]), 'the list does not tell it');
  const revoked = await admin.post(`${keys}/${record.id}/revoke`);
  assert.equal(revoked.status, 200);
  assert.match(revoked.json.revoked_at, /Z$/);
  assert.deepEqual((await admin.post(`${keys}/${record.id}/revoke`)).json, revoked.json);
  // Well below the 5 s after which the key is looked up again in any case.
  await waitFor(async () => (await api.get('/v1/fields')).status === 401, {
    timeout_ms: 4_000,
    what: 'the key to be refused',
  });
  assert.deepEqual(await trailOf(record.id), ['api_key.created', 'api_key.revoked']);
});

test('a key for the sandbox only is told apart, in lists and in the audit log', async () => {
  const wanted = { name: 'agent', scopes: ['mail:send'], sandbox_only: true };
  const { status, json } = await admin.post(keys, wanted);
  assert.deepEqual([status, json.sandbox_only], [201, true]);
  const listed = (await admin.get(`${keys}?page_size=100`)).json.data.at(-1);
  assert.deepEqual([listed.id, listed.sandbox_only], [json.id, true]);
  const [noted] = await service.db.query<{ details: object }>(
    `select details from audit_events where object_id = $1 and action = 'api_key.created'`,
    [json.id],
  );
  assert.deepEqual(noted?.details, { ...wanted, ip_allowlist: [] });
  const wrong = await admin.post(keys, { ...wanted, sandbox_only: 'yes' });
  assert.equal(wrong.status, 422);
});

test('an invalid key is refused with the reason', async () => {
  for (const scopes of [[], undefined]) {
    const refused = await admin.post(keys, { name: 'x', scopes });
    assert.deepEqual([refused.status, refused.json.code], [409, 'api_key_scope_required']);
  }
  const bad = { name: 'x', scopes: ['mail:eat'], ip_allowlist: ['here'] };
  const problemsOf = async (body: object): Promise<string[]> =>
    (await admin.post(keys, body)).json.errors.map(
      ({ pointer, code }: Record<string, string>) => `${pointer} ${code}`,
    );
  assert.deepEqual(await problemsOf(bad), ['/scopes/0 enum', '/ip_allowlist/0 value_error.cidr']);
  const good = { name: 'x', scopes: ['mail:read'] };
  assert.deepEqual(await problemsOf({ ...good, expires_at: 'tomorrow' }), [
    '/expires_at string_pattern_mismatch',
  ]);
  for (const expires_at of ['2020-01-01T00:00:00Z', '2099-13-01T00:00:00Z']) {
    assert.deepEqual(await problemsOf({ ...good, expires_at }), ['/expires_at value_error.date_time']);
  }
  const later = await admin.post(keys, { ...good, expires_at: '2099-01-01T00:00:00-03:00' });
  assert.equal(later.json.expires_at, '2099-01-01T03:00:00.000Z');
  const missing = await admin.post(`${keys}/nothing/revoke`);
  assert.deepEqual([missing.status, missing.json.code], [404, 'api_key_not_found']);
});

test('an SMTP credential is told once and revoked', async () => {
  const created = await developer.post(credentials, { name: 'printer' });
  assert.equal(created.status, 201);
  const { password, ...record } = created.json;
  assert.match(record.username, /^chq-[a-z0-9]{16}$/);
  const { text, json } = await developer.get(credentials);
  assert.deepEqual(json.data, [record]);
  assert.ok(!text.includes(password));
  const revoked = await developer.post(`${credentials}/${record.username}/revoke`);
  assert.match(revoked.json.revoked_at, /Z$/);
  assert.deepEqual((await developer.post(`${credentials}/${record.username}/revoke`)).json, revoked.json);
  const missing = await developer.post(`${credentials}/chq-nothing/revoke`);
  assert.deepEqual([missing.status, missing.json.code], [404, 'smtp_credential_not_found']);
  assert.deepEqual(await trailOf(record.id), ['smtp_credential.created', 'smtp_credential.revoked']);
});

test('keys are for admins, credentials for developers', async () => {
  const refused = await Promise.all([
    developer.get(keys),
    developer.post(keys, { name: 'x', scopes: ['mail:send'] }),
    developer.post(`${keys}/x/revoke`),
    viewer.get(credentials),
    viewer.post(credentials, { name: 'x' }),
    viewer.post(`${credentials}/x/revoke`),
  ]);
  assert.deepEqual(new Set(refused.map(({ status }) => status)), new Set([403]));
});
