import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createApi, type Api } from '../../test/support/api.ts';
import { runCommand } from '../../test/support/run-command.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { createOperatorKey, listOperatorKeys, revokeOperatorKey } from './operator-keys.ts';

const instances = '/v1/operator/instances';
const actor = { kind: 'operator' } as const;
let service: TestService;
let tenant: Tenant;
let folder: string;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  folder = await mkdtemp(path.join(tmpdir(), 'chq-operator-'));
});
after(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function chasqui(...words: string[]) {
  const env = { DATABASE_URL: service.database.url, CHASQUI_DATA_DIR: folder };
  return await runCommand(['operator-key', ...words], env);
}

async function keyWith(bounds: { ip_allowlist?: string[]; expires_at?: Date }) {
  const wanted = { name: 'test', ip_allowlist: [], expires_at: null, actor, ...bounds };
  const { id, operator_key } = await createOperatorKey(service.db, wanted);
  return { id, api: as(operator_key), operator_key };
}

const as = (api_key: string): Api => createApi({ base_url: service.base_url, api_key });

test('a key is printed once, listed without its secret, and ends with its revocation', async () => {
  const made = await chasqui('create', '--name', 'terraform', '--json');
  assert.equal(made.code, 0, made.stderr);
  const { operator_key, ...record } = JSON.parse(made.stdout);
  assert.match(operator_key, /^chqop\.[a-z0-9]{16}\.[A-Za-z0-9_-]{43}$/);
  const [stored] = await service.db.query<{ all: string }>(
    'select to_jsonb(k)::text as all from operator_keys k where id = $1',
    [record.id],
  );
  assert.ok(!stored?.all.includes(operator_key.split('.')[2]));
  const api = as(operator_key);
  assert.equal((await api.get(instances)).status, 200);
  const listed = await chasqui('list', '--json');
  assert.deepEqual(JSON.parse(listed.stdout).data, [record]);
  assert.match((await chasqui('list')).stdout, /terraform\s+active\s+never\s+anywhere/);
  const revoked = await chasqui('revoke', record.id, '--json');
  assert.match(JSON.parse(revoked.stdout).revoked_at, /Z$/);
  assert.equal((await api.get(instances)).json.code, 'unauthorized');
  assert.equal((await chasqui('revoke', record.id, '--json')).stdout, revoked.stdout);
  const unknown = await chasqui('revoke', 'nothing');
  assert.deepEqual([unknown.code, /There is no such operator key/.test(unknown.stderr)], [1, true]);
  const trail = await service.db.query<{ action: string }>(
    `select action from audit_events where object_kind = 'operator_key' and object_id = $1 order by id`,
    [record.id],
  );
  assert.deepEqual(
    trail.map(({ action }) => action),
    ['operator_key.created', 'operator_key.revoked'],
  );
});

test('a key that is wrong, expired or used from elsewhere opens nothing', async () => {
  const { operator_key, api } = await keyWith({ expires_at: new Date(Date.now() + 3_600_000) });
  assert.equal((await api.get(instances)).status, 200);
  const [prefix, id, token = ''] = operator_key.split('.');
  const wrong = [
    `${prefix}.${id}.${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    `${prefix}.${'a'.repeat(16)}.${token}`,
    `chq.${id}.${token}`,
    operator_key.slice(0, -1),
    tenant.api_key.replace('chq.', 'chqop.'),
    tenant.api_key,
  ];
  for (const each of wrong) assert.equal((await as(each).get(instances)).json.code, 'unauthorized', each);
  await service.db.query(`update operator_keys set expires_at = now() - interval '1 second' where id = $1`, [
    id,
  ]);
  assert.equal((await api.get(instances)).json.code, 'unauthorized');
  const elsewhere = await keyWith({ ip_allowlist: ['203.0.113.0/24'] });
  assert.equal((await elsewhere.api.get(instances)).json.code, 'ip_not_allowed');
  for (const words of [
    ['--expires', '2020-01-01'],
    ['--ip', 'here'],
  ]) {
    assert.equal((await chasqui('create', '--name', 'x', ...words)).code, 1);
  }
});

test('a refused key is answered no sooner than a refused API key', async () => {
  const began = performance.now();
  await as(`chqop.${'a'.repeat(16)}.${'a'.repeat(43)}`).get(instances);
  assert.ok(performance.now() - began >= 24);
});

test('an operator key opens what operators do, and nothing of an instance or of an account', async () => {
  const { operator_key } = await keyWith({});
  const api = createApi({ base_url: service.base_url, api_key: operator_key, slug: tenant.instance.slug });
  for (const route of ['/v1/fields', '/v1/private/fields', '/v1/private/me', '/v1/instance'])
    assert.equal((await api.get(route)).json.code, 'unauthorized', route);
  const operations = service.service.operations.filter(({ path: route }) =>
    route.startsWith('/v1/operator/'),
  );
  assert.ok(operations.length >= 10, `${operations.length}`);
  assert.ok(operations.every(({ access }) => access.kind === 'operator'));
  assert.equal((await api.get('/v1/operator/sources')).status, 200);
});

test('an instance and its first API key are made with an operator key, in the name of that key', async () => {
  const { id, api } = await keyWith({});
  const made = await api.post(instances, { slug: 'by-key', name: 'By key', plan_send_limit: 100 });
  assert.deepEqual([made.status, made.headers.get('location')], [201, '/v1/operator/instances/by-key']);
  const wanted = { name: 'setup', scopes: ['field:read'], external_id: 'setup' };
  const key = await api.post(`${instances}/by-key/api-keys`, wanted);
  assert.equal(key.status, 201, key.text);
  const own = createApi({ base_url: service.base_url, api_key: key.json.api_key, slug: 'by-key' });
  assert.equal((await own.get('/v1/fields')).status, 200);
  const twice = await api.post(`${instances}/by-key/api-keys`, wanted);
  assert.deepEqual([twice.json.code, twice.json.existing_id], ['external_id_already_exists', key.json.id]);
  const nowhere = await api.post(`${instances}/nowhere/api-keys`, wanted);
  assert.equal(nowhere.json.code, 'instance_not_found');
  const rows = await service.db.query<{ action: string; actor_kind: string; actor_id: string }>(
    `select action, actor_kind, actor_id from audit_events
     where instance_id = (select id from instances where slug = 'by-key') and actor_id is not null order by id`,
  );
  assert.ok(rows.every(({ actor_kind, actor_id }) => actor_kind === 'operator' && actor_id === id));
  const actions = rows.map(({ action }) => action);
  assert.ok(actions.includes('instance.created') && actions.includes('api_key.created'), actions.join());
});

test('PUT of what GET answered of an instance changes nothing', async () => {
  const { api } = await keyWith({});
  await api.post(instances, { slug: 'put-back', name: 'Put back' });
  const route = `${instances}/put-back`;
  await api.patch(route, { ip_allowlist: ['203.0.113.7'], retention_months: 6 });
  const { json } = await api.get(route);
  const same = await api.request('PUT', route, { body: json });
  assert.deepEqual([same.status, same.json], [200, json]);
  const changed = await api.request('PUT', route, { body: { ...json, plan_send_limit: 7 } });
  assert.deepEqual([changed.json.plan_send_limit, changed.json.retention_months], [7, 6]);
  const renamed = await api.request('PUT', route, { body: { ...json, slug: 'other' } });
  assert.deepEqual([renamed.status, renamed.json.errors[0].pointer], [422, '/slug']);
});

test('revoking twice is in the audit log once', async () => {
  const { id } = await keyWith({});
  const now = new Date();
  for (const each of [now, now])
    await service.db.transaction(async (tx) => await revokeOperatorKey(tx, { id, actor, now: each }));
  const rows = await service.db.query(
    `select from audit_events where action = 'operator_key.revoked' and object_id = $1`,
    [id],
  );
  assert.equal(rows.length, 1);
  const found = (await listOperatorKeys(service.db)).find((each) => each.id === id);
  assert.deepEqual(found?.revoked_at, now);
});
