import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApi, type Api, type ApiResponse } from '../../test/support/api.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import type { NewApiKey } from './api-keys.ts';

const keys = '/v1/api-keys';
const credentials = '/v1/smtp-credentials';
const tomorrow = new Date(Date.now() + 24 * 3_600_000).toISOString();
const later = new Date(Date.now() + 48 * 3_600_000).toISOString();
const mine = [
  'mail:send',
  'api-keys:read',
  'api-keys:write',
  'smtp-credentials:read',
  'smtp-credentials:write',
];

let service: TestService;
let tenant: Tenant;
/** Bounded in each way. */
let bounded: Api;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  bounded = await keyWith({ scopes: mine, ip_allowlist: ['127.0.0.0/8'], expires_at: tomorrow });
});
after(async () => await service.stop());

interface Wanted extends Omit<Partial<NewApiKey>, 'expires_at'> {
  expires_at?: string | null;
}

async function keyWith(wanted: Wanted, maker: Api = tenant.api): Promise<Api> {
  const { status, json, text } = await maker.post(keys, { name: 'maker', ...wanted });
  assert.equal(status, 201, text);
  return createApi({ base_url: service.base_url, api_key: json.api_key, slug: tenant.instance.slug });
}

const codesOf = ({ status, json }: ApiResponse): unknown[] => [
  status,
  ...(json.errors ?? []).map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`),
];

/** What would be more than `bounded` has, and how it is refused. */
const escapes: [title: string, wanted: object, refusal: string][] = [
  ['another scope', { scopes: ['mail:send', 'mail:read'] }, '/scopes/1 value_error.scope_not_held'],
  ['a wider range', { ip_allowlist: ['127.0.0.0/7'] }, '/ip_allowlist/0 value_error.range_not_held'],
  ['any address', { ip_allowlist: ['0.0.0.0/0'] }, '/ip_allowlist/0 value_error.range_not_held'],
  ['any mapped address', { ip_allowlist: ['::ffff:0:0/96'] }, '/ip_allowlist/0 value_error.range_not_held'],
  ['any IPv6 address', { ip_allowlist: ['::/0'] }, '/ip_allowlist/0 value_error.range_not_held'],
  [
    'one more range',
    { ip_allowlist: ['127.0.0.1', '8.8.8.8'] },
    '/ip_allowlist/1 value_error.range_not_held',
  ],
  ['a later end', { expires_at: later }, '/expires_at value_error.expiry_not_held'],
];

for (const [title, wanted, refusal] of escapes) {
  test(`a key makes no key with more than it has: ${title}`, async () => {
    const made = await bounded.post(keys, { name: 'x', scopes: ['mail:send'], ...wanted });
    assert.deepEqual(codesOf(made), [422, refusal]);
  });

  test(`a key changes no key to have more than it has, itself included: ${title}`, async () => {
    const { json: present } = await bounded.post(keys, { name: 'x', scopes: ['mail:send'] });
    const { data } = (await bounded.get(`${keys}?page_size=100`)).json;
    const own = data.find(({ scopes }: { scopes: string[] }) => scopes.length === mine.length);
    for (const { id, name, scopes } of [present, own]) {
      const path = `${keys}/${id}`;
      assert.deepEqual(codesOf(await bounded.patch(path, wanted)), [422, refusal]);
      const put = await bounded.request('PUT', path, { body: { name, scopes, ...wanted } });
      assert.deepEqual(codesOf(put), [422, refusal]);
    }
  });

  if ('scopes' in wanted) continue;
  test(`a key makes no SMTP credential with more than it has: ${title}`, async () => {
    assert.deepEqual(codesOf(await bounded.post(credentials, { name: 'x', ...wanted })), [422, refusal]);
    const { json } = await bounded.post(credentials, { name: 'x' });
    const path = `${credentials}/${json.username}`;
    assert.deepEqual(codesOf(await bounded.patch(path, wanted)), [422, refusal]);
    const put = await bounded.request('PUT', path, { body: { name: 'x', ...wanted } });
    assert.deepEqual(codesOf(put), [422, refusal]);
  });
}

test('credentials made by a key without bounds of their own have those of the key, also once they are removed', async () => {
  const bounds = { ip_allowlist: ['127.0.0.0/8'], expires_at: tomorrow };
  const { json: key } = await bounded.post(keys, { name: 'x', scopes: ['mail:send'] });
  assert.partialDeepStrictEqual(key, bounds);
  const none = { ip_allowlist: [], expires_at: null, sandbox_only: false };
  assert.partialDeepStrictEqual((await bounded.patch(`${keys}/${key.id}`, none)).json, bounds);
  const body = { name: 'x', scopes: ['mail:send'], ...none };
  assert.partialDeepStrictEqual((await bounded.request('PUT', `${keys}/${key.id}`, { body })).json, bounds);
  const { json: credential } = await bounded.post(credentials, { name: 'x' });
  assert.partialDeepStrictEqual(credential, bounds);
  assert.partialDeepStrictEqual(
    (await bounded.patch(`${credentials}/${credential.username}`, none)).json,
    bounds,
  );
});

test('credentials made by a sandbox key are for the sandbox', async () => {
  const sandboxed = await keyWith({ scopes: mine, sandbox_only: true });
  const { json } = await sandboxed.post(keys, { name: 'x', scopes: ['mail:send'], sandbox_only: false });
  assert.equal(json.sandbox_only, true);
  const freed = await sandboxed.patch(`${keys}/${json.id}`, { sandbox_only: false });
  assert.equal(freed.json.sandbox_only, true);
  const { json: credential } = await sandboxed.post(credentials, { name: 'x', sandbox_only: false });
  assert.equal(credential.sandbox_only, true);
});

test('a key does not change one that has more than itself, and makes no SMTP credential without sending', async () => {
  const { json: strong } = await tenant.api.post(keys, { name: 'strong', scopes: ['consent:write'] });
  const renamed = await bounded.patch(`${keys}/${strong.id}`, { name: 'weak' });
  assert.deepEqual(codesOf(renamed), [422, '/scopes/0 value_error.scope_not_held']);
  const idle = await keyWith({ scopes: ['smtp-credentials:write'] });
  const refused = await idle.post(credentials, { name: 'x' });
  assert.deepEqual(codesOf(refused), [422, ' value_error.scope_not_held']);
});

test('bounds hold over generations', async () => {
  const child = await keyWith({ scopes: mine }, bounded);
  const grandchild = await child.post(keys, { name: 'x', scopes: ['mail:send'], expires_at: later });
  assert.deepEqual(codesOf(grandchild), [422, '/expires_at value_error.expiry_not_held']);
});

test('a key is changed in place, and each change is in the audit log with what differs', async () => {
  const { json: made } = await tenant.api.post(keys, { name: 'old', scopes: ['field:read'] });
  const { api_key, ...record } = made;
  const path = `${keys}/${record.id}`;
  const changed = await tenant.api.patch(path, { name: 'new', ip_allowlist: ['127.0.0.1'] });
  assert.deepEqual(changed.json, { ...record, name: 'new', ip_allowlist: ['127.0.0.1/32'] });
  const api = createApi({ base_url: service.base_url, api_key, slug: tenant.instance.slug });
  assert.equal((await api.get('/v1/fields')).status, 200, 'the key itself stays');
  const same = { name: 'new', ip_allowlist: ['127.0.0.1'], scopes: ['field:read'] };
  assert.equal((await tenant.api.patch(path, same)).status, 200);
  assert.equal((await tenant.api.request('PUT', path, { body: same })).status, 200);
  const rows = await service.db.query<{ action: string; details: object }>(
    'select action, details from audit_events where object_id = $1 order by id',
    [record.id],
  );
  assert.deepEqual(rows.slice(1), [
    { action: 'api_key.updated', details: { name: 'new', ip_allowlist: ['127.0.0.1/32'] } },
  ]);
  assert.equal((await tenant.api.patch(path, { scopes: [] })).json.code, 'api_key_scope_required');
  await tenant.api.post(`${path}/revoke`);
  assert.equal((await tenant.api.patch(path, { name: 'x' })).json.code, 'api_key_not_found');
});
