import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApi } from '../../test/support/api.ts';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

const path = '/v1/private/account/sessions';
let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
});
after(async () => await service.stop());

const elsewhere = async (login: object): Promise<ReturnType<typeof createApi>> => {
  const { base_url } = service;
  const headers = { 'user-agent': `a phone ${'x'.repeat(600)}` };
  const { json } = await createApi({ base_url }).post('/v1/private/auth/login', login, headers);
  return createApi({ base_url, api_key: json.access_token });
};

test('a user sees where they are signed in, and ends one of the sessions', async () => {
  const user = await signIn(service, tenant, 'viewer');
  const phone = await elsewhere(user.login);
  const { data } = (await user.get(path)).json;
  assert.equal(data.length, 2);
  const other = data.find(({ is_current }: { is_current: boolean }) => !is_current);
  assert.match(other.user_agent, /^a phone x+$/);
  assert.equal(other.user_agent.length, 512);
  assert.equal(other.address, '127.0.0.1');
  assert.equal((await user.delete(`${path}/${other.id}`)).status, 204);
  assert.equal((await phone.get('/v1/private/me')).status, 401);
  assert.equal((await user.get(path)).json.data.length, 1);
  assert.equal((await user.delete(`${path}/${other.id}`)).json.code, 'session_not_found');
  assert.equal((await user.delete(`${path}/none`)).json.code, 'session_not_found');
});

test('a session that was not used for a week, or is past its life, has ended and is not listed', async () => {
  const user = await signIn(service, tenant, 'viewer');
  const phone = await elsewhere(user.login);
  const { id } = (await user.get(path)).json.data.find(
    ({ is_current }: { is_current: boolean }) => !is_current,
  );
  const setUnused = async (time: string): Promise<unknown> =>
    await service.db.query('update sessions set last_used_at = now() - $2::interval where id = $1', [
      id,
      time,
    ]);
  await setUnused('6 days 23 hours');
  assert.equal((await user.get(path)).json.data.length, 2);
  await setUnused('7 days');
  assert.equal((await user.get(path)).json.data.length, 1);
  await setUnused('0 days');
  assert.equal((await user.get(path)).json.data.length, 2);
  await service.db.query('update sessions set expires_at = now() where id = $1', [id]);
  assert.equal((await user.get(path)).json.data.length, 1);
  assert.equal((await phone.get('/v1/private/me')).status, 401);
});

test('all others are ended at once; those of other users are not', async () => {
  const [user, stranger] = [await signIn(service, tenant, 'viewer'), await signIn(service, tenant, 'owner')];
  const phone = await elsewhere(user.login);
  const [foreign] = (await stranger.get(path)).json.data;
  assert.equal((await user.delete(`${path}/${foreign.id}`)).json.code, 'session_not_found');
  assert.equal((await user.post(`${path}/end-others`)).status, 204);
  assert.equal((await phone.get('/v1/private/me')).status, 401);
  assert.equal((await user.get('/v1/private/me')).status, 200);
  assert.equal((await stranger.get('/v1/private/me')).status, 200);
});
