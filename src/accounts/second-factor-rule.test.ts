import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApi } from '../../test/support/api.ts';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(async () => await service.stop());

const path = '/v1/private/instance';

/** As if an authenticator app had been set up. */
async function giveFactor({ id }: PanelUser): Promise<void> {
  await service.db.query(
    "update users set two_factor_secret = 'x', two_factor_enabled_at = now() where id = $1",
    [id],
  );
}

async function enforcing(): Promise<{ tenant: Tenant; owner: PanelUser }> {
  const tenant = await service.tenant();
  const owner = await signIn(service, tenant, 'owner');
  await giveFactor(owner);
  const answer = await owner.patch(path, { requires_second_factor: true });
  assert.equal(answer.json.requires_second_factor, true, answer.text);
  return { tenant, owner };
}

test('a member without a second factor gets nothing of the instance until they have one', async () => {
  const { tenant } = await enforcing();
  const member = await signIn(service, tenant, 'admin');
  for (const place of ['/v1/private/instance', '/v1/private/mails', '/v1/private/team/members']) {
    const { status, json } = await member.get(place);
    assert.deepEqual([status, json.code], [403, 'second_factor_setup_required'], place);
  }
  assert.equal((await member.post('/v1/private/domains', {})).json.code, 'second_factor_setup_required');
  const login = await createApi({ base_url: service.base_url }).post('/v1/private/auth/login', member.login);
  assert.equal(login.json.instances[0].needs_second_factor, true);
  assert.equal((await member.get('/v1/private/me')).status, 200, 'the account stays open');
  const begun = await member.post('/v1/private/account/two-factor', { password: member.login.password });
  assert.equal(begun.status, 200);
  assert.equal((await member.get(path)).status, 403, 'one that was only begun is not one');
  await giveFactor(member);
  assert.equal((await member.get(path)).status, 200);
});

test('a passkey is a second factor too', async () => {
  const { tenant } = await enforcing();
  const member = await signIn(service, tenant, 'viewer');
  await service.db.query(
    `insert into passkeys (user_id, credential_id, public_key, sign_count, name, is_backed_up, created_at)
     values ($1, uuid_send(gen_random_uuid()), 'x', 0, 'Phone', false, now())`,
    [member.id],
  );
  assert.equal((await member.get(path)).status, 200);
});

test('API keys and other instances are not affected', async () => {
  const { tenant } = await enforcing();
  const member = await signIn(service, tenant, 'viewer');
  const other = await service.tenant();
  await service.db.query("insert into memberships (instance_id, user_id, role) values ($1, $2, 'viewer')", [
    other.instance.id,
    member.id,
  ]);
  assert.equal((await tenant.api.get('/v1/instance')).json.requires_second_factor, true);
  const there = createApi({
    base_url: service.base_url,
    api_key: member.access_token,
    slug: other.instance.slug,
  });
  assert.equal((await there.get(path)).status, 200);
});

test('a member demands a second factor only with one of their own, and a key only if an owner has one', async () => {
  const tenant = await service.tenant();
  const [owner, admin] = [await signIn(service, tenant, 'owner'), await signIn(service, tenant, 'admin')];
  const wanted = { requires_second_factor: true };
  assert.equal((await owner.patch(path, wanted)).json.code, 'second_factor_rule_locks_out');
  assert.equal((await tenant.api.patch('/v1/instance', wanted)).json.code, 'second_factor_rule_locks_out');
  await giveFactor(admin);
  assert.equal((await owner.patch(path, wanted)).json.code, 'second_factor_rule_locks_out');
  assert.equal((await tenant.api.patch('/v1/instance', wanted)).json.code, 'second_factor_rule_locks_out');
  assert.equal((await tenant.api.get('/v1/instance')).json.requires_second_factor, false);
  await giveFactor(owner);
  assert.equal((await tenant.api.patch('/v1/instance', wanted)).status, 200);
  // Who changes something else later is not asked again.
  assert.equal((await tenant.api.patch('/v1/instance', { ...wanted, name: 'Acme' })).status, 200);
  assert.equal((await tenant.api.patch('/v1/instance', { requires_second_factor: false })).status, 200);
});
