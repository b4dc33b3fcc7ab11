import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

const path = '/v1/private/instance';
const trail = '/v1/private/audit-events';
let service: TestService;
let tenant: Tenant;
let admin: PanelUser;
let viewer: PanelUser;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  admin = await signIn(service, tenant, 'admin');
  viewer = await signIn(service, tenant, 'viewer');
});
after(async () => await service.stop());

test('settings are read by everyone and changed by admins, limits by neither', async () => {
  const before_ = (await viewer.get(path)).json;
  assert.deepEqual(
    [before_.slug, before_.timezone, before_.plan_send_limit],
    [tenant.instance.slug, 'UTC', null],
  );
  const changes = {
    name: 'Acme',
    timezone: 'America/Santiago',
    ip_allowlist: ['127.0.0.1/8', '2001:db8::/32'],
  };
  const beyond = { plan_send_limit: 9, is_enabled: false, retention_months: 99, nonsense: 1 };
  const changed = await admin.patch(path, { ...changes, ...beyond });
  assert.equal(changed.status, 200, changed.text);
  assert.deepEqual(changed.json, {
    ...before_,
    ...changes,
    ip_allowlist: ['127.0.0.0/8', '2001:db8::/32'],
    updated_at: changed.json.updated_at,
  });
  assert.deepEqual((await viewer.get(path)).json, changed.json);
  assert.deepEqual((await admin.patch(path, {})).json, changed.json);
  assert.equal((await viewer.patch(path, { name: 'x' })).status, 403);
});

test('users cannot lock themselves out, and an unknown setting is reported', async () => {
  const out = await admin.patch(path, { ip_allowlist: ['203.0.113.0/24'] });
  assert.deepEqual([out.status, out.json.code], [409, 'ip_allowlist_excludes_caller']);
  for (const [changes, pointer] of [
    [{ ip_allowlist: ['here'] }, '/ip_allowlist'],
    [{ timezone: 'Mars/Olympus' }, '/timezone'],
    [{ name: '' }, '/name'],
  ] as const) {
    const { status, json } = await admin.patch(path, changes);
    assert.deepEqual([status, json.errors[0].pointer], [422, pointer]);
  }
  assert.equal((await admin.patch(path, { ip_allowlist: [] })).json.ip_allowlist.length, 0);
});

test('the trail tells who did what, newest first, and is filtered', async () => {
  const own = await service.tenant({ instance: { timezone: 'America/Santiago' } });
  const owner = await signIn(service, own, 'owner');
  await owner.patch(path, { name: 'Renamed' });
  const { json } = await owner.get(trail);
  const { id, at, ...latest } = json.data[0];
  assert.deepEqual([typeof id, typeof at], ['number', 'string']);
  assert.deepEqual(latest, {
    actor_kind: 'user',
    actor_id: String(owner.id),
    actor_email: owner.login.email,
    address: '127.0.0.1',
    action: 'instance.updated',
    object_kind: 'instance',
    object_id: own.instance.slug,
    details: { name: 'Renamed' },
  });
  await service.db.query(
    `insert into audit_events (instance_id, at, actor_kind, action, object_kind, object_id)
     select $1, at::timestamptz, 'system', 'test.done', 'test', at
     from unnest(array['2026-03-01T02:59:59Z', '2026-03-01T03:00:00Z', '2026-03-02T03:00:00Z']) as at`,
    [own.instance.id],
  );
  const found = async (query: string): Promise<string[]> =>
    (await owner.get(`${trail}?object_kind=test&${query}`)).json.data.map(
      ({ object_id }: { object_id: string }) => object_id,
    );
  assert.deepEqual(await found('start_date=2026-03-01&end_date=2026-03-01'), ['2026-03-01T03:00:00Z']);
  assert.deepEqual(await found('end_date=2026-03-01&tz=UTC'), [
    '2026-03-01T03:00:00Z',
    '2026-03-01T02:59:59Z',
  ]);
  assert.deepEqual(await found('action=test.none'), []);
  assert.deepEqual(await found('object_id=2026-03-02T03:00:00Z&action=test.done'), ['2026-03-02T03:00:00Z']);
  assert.deepEqual(await found(`actor_id=${owner.id}`), []);
  assert.equal((await owner.get(`${trail}?start_date=yesterday`)).status, 400);
});

test('the trail is for admins', async () => {
  assert.equal((await admin.get(trail)).status, 200);
  const developer = await signIn(service, tenant, 'developer');
  assert.equal((await developer.get(trail)).status, 403);
});
