import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApi } from '../../test/support/api.ts';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { setOperator } from './users.ts';

const path = '/v1/private/me';
let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
});
after(async () => await service.stop());

test('GET me without a slug answers the user and all their instances', async () => {
  const user = await signIn(service, tenant, 'developer');
  const second = await service.tenant();
  await service.db.query("insert into memberships (instance_id, user_id, role) values ($1, $2, 'viewer')", [
    second.instance.id,
    user.id,
  ]);
  await service.tenant();
  const slugless = createApi({ base_url: service.base_url, api_key: user.access_token });
  const { json } = await slugless.get(path);
  const membership = ({ instance: { slug, name, timezone } }: Tenant, role: string) => ({
    slug,
    name,
    role,
    timezone,
    is_enabled: true,
  });
  assert.deepEqual(json, {
    user: { id: user.id, email: user.login.email, name: '' },
    is_operator: false,
    language: null,
    theme: 'system',
    has_password: true,
    two_factor: { is_enabled: false, recovery_codes_left: 0 },
    instances: [membership(tenant, 'developer'), membership(second, 'viewer')],
  });
});

test('a user without memberships still has an account', async () => {
  const user = await signIn(service, tenant, 'viewer');
  await service.db.query('delete from memberships where user_id = $1', [user.id]);
  const { status, json } = await user.get(path);
  assert.equal(status, 200);
  assert.deepEqual(json.instances, []);
});

test('preferences are changed one by one, and the language goes back to that of the browser', async () => {
  const user = await signIn(service, tenant, 'viewer');
  const changed = (await user.patch(path, { name: ' Ana ', language: 'es', theme: 'dark' })).json;
  assert.deepEqual([changed.user.name, changed.language, changed.theme], ['Ana', 'es', 'dark']);
  const again = (await user.patch(path, { language: null })).json;
  assert.deepEqual([again.user.name, again.language, again.theme], ['Ana', null, 'dark']);
  assert.equal((await user.patch(path, { theme: 'pink' })).status, 422);
  assert.equal((await user.patch(path, { language: 'fr' })).status, 422);
});

test('rejects a request without a token or with an API key', async () => {
  assert.equal((await createApi({ base_url: service.base_url }).get(path)).json.code, 'unauthorized');
  assert.equal((await tenant.api.get(path)).json.code, 'unauthorized');
});

test('a new operator is shown as one, and the audit log names who made them one', async () => {
  const user = await signIn(service, tenant, 'viewer');
  const actor = { kind: 'operator' } as const;
  await setOperator(service.db, user.login.email, { is_operator: true, actor });
  assert.equal((await user.get(path)).json.is_operator, true);
  const [noted] = await service.db.query(
    "select action from audit_events where object_kind = 'user' and object_id = $1 and action = 'user.made_operator'",
    [String(user.id)],
  );
  assert.ok(noted);
  await assert.rejects(setOperator(service.db, 'nobody@example.com', { is_operator: true, actor }), {
    code: 'user_not_found',
  });
});
