import assert from 'node:assert/strict';
import { createHmac, createSecretKey } from 'node:crypto';
import { after, before, test } from 'node:test';
import { decodeJwt, SignJWT, UnsecuredJWT } from 'jose';
import { roles } from '../base/http/access.ts';
import { RootSecret } from '../base/secrets.ts';
import { createApi, type Api, type ApiResponse } from '../../test/support/api.ts';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { createUserAuthentication, type UserAuthentication } from './authenticate-user.ts';

const root = 'the root secret of this test, long enough';
const clock = createMovableClock('2026-12-01T12:00:00Z');
const env = { CHASQUI_SECRET: root, CHASQUI_TRUST_PROXY: 'true' };
const address = '192.0.2.1';
let service: TestService;
let other: TestService;
let tenant: Tenant;
let users: UserAuthentication;
before(async () => {
  service = await startTestService({ clock, env });
  other = await startTestService({ clock, env, database: service.database });
  tenant = await service.tenant();
  users = createUserAuthentication({ db: service.db, secret: new RootSecret(root), clock });
});
after(async () => {
  await other.stop();
  await service.stop();
});

const bearer = (token: string) => ({
  authorization: `Bearer ${token}`,
  instance_slug: tenant.instance.slug,
  address,
});
const as = (api_key: string, slug?: string, { base_url } = service): Api =>
  createApi({ base_url, api_key, ...(slug === undefined ? {} : { slug }) });
/** Everything a client can see but the two identifiers of the request. */
function visible({ status, text, headers }: ApiResponse): unknown {
  const shown = [...headers].filter(([name]) => !['x-request-id', 'x-trace-id', 'date'].includes(name));
  return {
    status,
    text: text.replace(/"request_id":"[0-9a-f-]{36}","trace_id":"[0-9a-f]{32}"/, ''),
    headers: shown,
  };
}

test('a role may do what the roles below it may, and nothing above', async () => {
  for (const [rank, held] of roles.entries()) {
    const { access_token, id } = await signIn(service, tenant, held);
    for (const [neededRank, needed] of roles.entries()) {
      const attempt = users.authenticate(bearer(access_token), { role: needed, changes: true });
      if (neededRank < rank) {
        await assert.rejects(attempt, { code: 'forbidden' }, `${held} is no ${needed}`);
        continue;
      }
      const { id: instance_id, slug, timezone, retention_months } = tenant.instance;
      const { instance, actor } = await attempt;
      assert.deepEqual(instance, { id: instance_id, slug, timezone, retention_months });
      assert.ok(actor.kind === 'user' && actor.id === id);
      assert.match(actor.session_id, /^[0-9a-f-]{36}$/);
    }
  }
});

test('a missing, an unknown and a foreign slug get the very same 403 for the same work', async () => {
  const { access_token } = await signIn(service, tenant, 'owner');
  const foreign = await service.tenant();
  const slugs = [undefined, '', 'no-such-instance', foreign.instance.slug, 'x'.repeat(500), 'Ünïcödé?'];
  const [first, ...others] = await Promise.all(
    slugs.slice(0, 5).map(async (slug) => visible(await as(access_token, slug).get('/v1/private/instance'))),
  );
  assert.equal((first as { status: number }).status, 403);
  assert.match((first as { text: string }).text, /"code":"forbidden"/);
  for (const answer of others) assert.deepEqual(answer, first);
  for (const instance_slug of slugs) {
    const before_ = service.db.round_trips;
    const attempt = users.authenticate(
      { ...bearer(access_token), instance_slug },
      { role: 'viewer', changes: true },
    );
    await assert.rejects(attempt, { code: 'forbidden' });
    assert.equal(service.db.round_trips - before_, 1);
  }
});

test('one query lets a member in', async () => {
  const { access_token } = await signIn(service, tenant, 'owner');
  const before_ = service.db.round_trips;
  await users.authenticate(bearer(access_token), { role: 'owner', changes: true });
  assert.equal(service.db.round_trips - before_, 1);
});

test('a change of role and the end of a membership hold at once, on every node', async () => {
  const user = await signIn(service, tenant, 'admin');
  const elsewhere = as(user.access_token, tenant.instance.slug, other);
  assert.equal((await elsewhere.get('/v1/private/api-keys')).status, 200);
  await service.db.query("update memberships set role = 'viewer' where user_id = $1", [user.id]);
  assert.equal((await elsewhere.get('/v1/private/api-keys')).json.code, 'forbidden');
  assert.equal((await elsewhere.get('/v1/private/instance')).status, 200);
  await assert.rejects(users.authenticate(bearer(user.access_token), { role: 'developer', changes: true }), {
    code: 'forbidden',
  });
  await service.db.query('delete from memberships where user_id = $1', [user.id]);
  assert.equal((await elsewhere.get('/v1/private/instance')).json.code, 'forbidden');
  await service.db.query('delete from users where id = $1', [user.id]);
  assert.equal((await elsewhere.get('/v1/private/instance')).json.code, 'unauthorized');
});

for (const ended of ['revoked_at = $2', 'expires_at = $2']) {
  test(`an ended session opens neither an instance nor an account: ${ended}`, async () => {
    const user = await signIn(service, tenant, 'owner');
    const attempts = [
      () => users.authenticate(bearer(user.access_token), { role: 'viewer', changes: true }),
      () => users.authenticateAccount(bearer(user.access_token), 'account'),
    ];
    for (const attempt of attempts) await attempt();
    await service.db.query(`update sessions set ${ended} where user_id = $1`, [user.id, clock.now()]);
    for (const attempt of attempts) await assert.rejects(attempt, { code: 'unauthorized' });
  });
}

test('the IP allowlist of an instance holds for people too, and is shown only to members', async () => {
  const closed = await service.tenant();
  const { access_token } = await signIn(service, closed, 'viewer');
  await service.db.query("update instances set ip_allowlist = '{198.51.100.0/24}' where id = $1", [
    closed.instance.id,
  ]);
  const stranger = await signIn(service, tenant, 'owner');
  const from = (ip: string) => ({ 'x-forwarded-for': ip });
  const { slug } = closed.instance;
  const member = as(access_token, slug);
  assert.equal((await member.get('/v1/private/instance', from('198.51.100.7'))).status, 200);
  const refused = await member.get('/v1/private/instance', from('203.0.113.7'));
  assert.equal(refused.status, 403);
  assert.equal(refused.json.code, 'ip_not_allowed');
  const foreign = await as(stranger.access_token, slug).get('/v1/private/instance', from('203.0.113.7'));
  assert.equal(foreign.json.code, 'forbidden');
  const tooLow = { ...bearer(access_token), instance_slug: slug };
  await assert.rejects(users.authenticate(tooLow, { role: 'owner', changes: true }), { code: 'forbidden' });
});

test('a disabled instance is open to its members and closed to its keys', async () => {
  const disabled = await service.tenant();
  const user = await signIn(service, disabled, 'viewer');
  await service.db.query('update instances set is_enabled = false where id = $1', [disabled.instance.id]);
  assert.equal((await user.get('/v1/private/instance')).json.is_enabled, false);
  assert.equal((await other.tenant()).instance.is_enabled, true);
  assert.equal(
    (await as(disabled.api_key, disabled.instance.slug, other).get('/v1/fields')).json.code,
    'forbidden',
  );
});

test('a key is not accepted as a token, nor a token as a key', async () => {
  const user = await signIn(service, tenant, 'owner');
  const nobody = visible(
    await createApi({ base_url: service.base_url, slug: tenant.instance.slug }).get('/v1/fields'),
  );
  assert.equal((nobody as { status: number }).status, 401);
  assert.deepEqual(visible(await tenant.api.get('/v1/private/instance')), nobody);
  assert.deepEqual(visible(await user.get('/v1/fields')), nobody);
  assert.equal((await user.get('/v1/private/instance')).status, 200);
});

/** A token under our own key that asks to be verified in another way. */
function signWith(hash: string, alg: string, claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encode({ alg, typ: 'JWT' })}.${encode(claims)}`;
  const key = new RootSecret(root).deriveKey('panel-access');
  return `${signed}.${createHmac(hash, key).update(signed).digest('base64url')}`;
}

test('a forged, altered or foreign token is the same 401 as none', async () => {
  const user = await signIn(service, tenant, 'owner');
  const stranger = await signIn(service, tenant, 'owner');
  const claims = decodeJwt(user.access_token);
  const key = createSecretKey(new RootSecret(root).deriveKey('panel-access'));
  const sign = async (changes: Record<string, unknown>, used = key) =>
    await new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'HS256' }).sign(used);
  for (const good of [await sign({}), signWith('sha256', 'HS256', claims)]) {
    assert.equal((await as(good, tenant.instance.slug).get('/v1/private/instance')).status, 200);
  }
  const [head = '', body = '', mark = ''] = user.access_token.split('.');
  const forged = {
    nothing: '',
    garbage: 'a.b.c',
    unsigned: new UnsecuredJWT(claims).encode(),
    'without signature': `${head}.${body}.`,
    'our key, another algorithm': signWith('sha512', 'HS512', claims),
    'our key, the algorithm of another': signWith('sha256', 'RS256', claims),
    'another key': await sign({}, createSecretKey(new RootSecret(root).deriveKey('other'))),
    'an altered body': `${head}.${stranger.access_token.split('.')[1]}.${mark}`,
    'another issuer': await sign({ iss: 'someone' }),
    'another audience': await sign({ aud: 'chasqui' }),
    'no expiry': await sign({ exp: undefined }),
    expired: await sign({ exp: Math.floor(clock.now().getTime() / 1000) }),
    'no session': await sign({ sid: undefined }),
    'an invalid session': await sign({ sid: 'x' }),
    'an unknown session': await sign({ sid: '00000000-0000-4000-8000-000000000000' }),
    'the session of another': await sign({ sub: String(stranger.id) }),
    'an invalid user': await sign({ sub: "1' or true" }),
  };
  for (const [what, token] of Object.entries(forged)) {
    const { status, json } = await as(token, tenant.instance.slug).get('/v1/private/instance');
    assert.deepEqual([status, json.code], [401, 'unauthorized'], what);
  }
});
