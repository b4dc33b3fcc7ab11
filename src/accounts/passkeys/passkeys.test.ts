import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { after, before, test } from 'node:test';
import { createApi, type Api, type ApiResponse } from '../../../test/support/api.ts';
import { createMovableClock } from '../../../test/support/movable-clock.ts';
import { signIn, type PanelUser } from '../../../test/support/panel-user.ts';
import { SoftAuthenticator } from '../../../test/support/soft-authenticator.ts';
import { startTestService, type Tenant, type TestService } from '../../../test/support/test-service.ts';

const path = '/v1/private/account/passkeys';
const sign_in = '/v1/private/auth/passkey';
const loginPath = '/v1/private/auth/login';
/** The configured address of a service that listens at any free port. */
const origin = 'http://localhost:0';
const clock = createMovableClock(new Date());
let service: TestService;
let tenant: Tenant;
let anyone: Api;
before(async () => {
  service = await startTestService({ clock, env: { CHASQUI_TRUST_PROXY: 'true' } });
  tenant = await service.tenant();
  anyone = createApi({ base_url: service.base_url });
});
after(async () => await service.stop());

type Json = Record<string, unknown>;
let networks = 0;
const somewhere = () => ({ 'x-forwarded-for': `203.0.${(networks += 1)}.1` });

async function creationOptions(user: PanelUser): Promise<Json> {
  const begun = await user.post(`${path}/begin`, { password: user.login.password });
  assert.equal(begun.status, 200, begun.text);
  return begun.json.options;
}

async function requestOptions(): Promise<Json> {
  const begun = await anyone.post(`${sign_in}/begin`, {}, somewhere());
  assert.equal(begun.status, 200, begun.text);
  return begun.json.options;
}

async function withPasskey(): Promise<{ user: PanelUser; key: SoftAuthenticator; added: ApiResponse }> {
  const user = await signIn(service, tenant, 'developer');
  const key = new SoftAuthenticator(origin);
  const credential = key.create(await creationOptions(user));
  const added = await user.post(path, { name: ' Phone ', credential });
  assert.equal(added.status, 201, added.text);
  return { user, key, added };
}

const enter = async (assertion: Json): Promise<ApiResponse> =>
  await anyone.post(sign_in, assertion, somewhere());

test('a passkey signs in, and is listed with its last use', async () => {
  const { user, key, added } = await withPasskey();
  assert.equal(added.json.passkey.name, 'Phone');
  assert.equal(added.json.passkey.last_used_at, null);
  const entered = await enter(key.get(await requestOptions()));
  assert.equal(entered.json.user?.id, user.id, entered.text);
  const { data } = (await user.get(path)).json;
  assert.equal(data.length, 1);
  assert.equal(data[0].last_used_at, clock.now().toISOString());
  const renamed = await user.patch(`${path}/${data[0].id}`, { name: 'Old phone' });
  assert.equal(renamed.json.name, 'Old phone');
  const other = await signIn(service, tenant, 'owner');
  assert.equal((await other.patch(`${path}/${data[0].id}`, { name: 'Mine' })).json.code, 'passkey_not_found');
  const proof = { password: other.login.password };
  assert.equal((await other.post(`${path}/${data[0].id}/remove`, proof)).json.code, 'passkey_not_found');
  const [noted] = await service.db.query<{ details: Json }>(
    "select details from audit_events where action = 'user.signed_in' and object_id = $1 order by id desc limit 1",
    [String(user.id)],
  );
  assert.deepEqual(noted?.details, { method: 'passkey' });
});

test('an answer counts once, for five minutes', async () => {
  const { key } = await withPasskey();
  const assertion = key.get(await requestOptions());
  const answers = await Promise.all([enter(assertion), enter(assertion), enter(assertion)]);
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 401, 401],
  );
  const late = key.get(await requestOptions());
  clock.advance(5 * 60_000 + 1);
  assert.equal((await enter(late)).json.code, 'unauthorized');
});

const forgeries: [string, (key: SoftAuthenticator, options: Json) => Json][] = [
  ['from another origin', (key, options) => key.get(options, { origin: 'https://evil.test' })],
  ['for another relying party', (key, options) => key.get(options, { rp_id: 'evil.test' })],
  ['to a challenge nobody issued', (key, options) => key.get(options, { challenge: 'A'.repeat(72) })],
  ['that registers instead of signing in', (key, options) => key.get(options, { type: 'webauthn.create' })],
  ['without verification of its owner', (key, options) => key.get(options, { is_verified: false })],
  ['whose counter went back', (key, options) => key.get(options, { counter: 1 })],
  ['of another user', (key, options) => key.get(options, { user_handle: 'c29tZWJvZHkgZWxzZQ' })],
  [
    'signed with another key',
    (key, options) =>
      key.get(options, { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }),
  ],
];
for (const [what, forge] of forgeries) {
  test(`refuses an answer ${what}, as it refuses an unknown key`, async () => {
    const { key } = await withPasskey();
    assert.equal((await enter(key.get(await requestOptions()))).status, 200);
    const options = await requestOptions();
    const forged = await enter(forge(key, options));
    assert.equal(forged.status, 401);
    const stranger = new SoftAuthenticator(origin);
    const unknown = await enter(stranger.get(await requestOptions(), { user_handle: 'abc' }));
    const bodyOf = ({ json }: ApiResponse): Json => ({ ...json, trace_id: '', request_id: '' });
    assert.deepEqual(bodyOf(forged), bodyOf(unknown));
    // What was refused used nothing up.
    key.counter += 10;
    assert.equal((await enter(key.get(options))).status, 200);
  });
}

test('the challenge is the same kind for everybody, and asking for one stores nothing', async () => {
  await withPasskey();
  const [one, two] = [await requestOptions(), await requestOptions()];
  assert.notEqual(one['challenge'], two['challenge']);
  assert.deepEqual({ ...one, challenge: '' }, { ...two, challenge: '' });
  assert.deepEqual(one['allowCredentials'], []);
  const count = async () => (await service.db.query('select from used_challenges')).length;
  const stored = await count();
  await requestOptions();
  await enter(new SoftAuthenticator(origin).get(await requestOptions(), { user_handle: 'abc' }));
  assert.equal(await count(), stored);
});

test('beside the password a passkey is the second factor, and recovery codes stand in for it', async () => {
  const { user, key, added } = await withPasskey();
  const { login } = user;
  const loginWith = async (more: Json) => await anyone.post(loginPath, { ...login, ...more }, somewhere());
  assert.equal((await loginWith({})).json.code, 'second_factor_required');
  assert.equal((await loginWith({ code: '123456' })).json.code, 'unauthorized');
  const silent = key.get(await requestOptions(), { is_verified: false });
  const wrong = await anyone.post(loginPath, { ...login, password: 'wrong', passkey: silent }, somewhere());
  assert.equal(wrong.json.code, 'unauthorized');
  assert.equal((await loginWith({ passkey: silent })).status, 200);
  assert.equal((await loginWith({ passkey: silent })).json.code, 'unauthorized', 'replayed');
  const other = await withPasskey();
  const theirs = other.key.get(await requestOptions());
  assert.equal((await loginWith({ passkey: theirs })).json.code, 'unauthorized', 'the key of another user');
  const [code] = added.json.recovery_codes;
  assert.equal((await loginWith({ code })).status, 200);
  assert.equal((await loginWith({ code })).json.code, 'unauthorized');
});

test('a passkey is added only with the password, in the session that gave it, once', async () => {
  const user = await signIn(service, tenant, 'developer');
  const missing = await user.post(`${path}/begin`, {});
  assert.deepEqual(missing.json.errors?.[0]?.pointer, '/password');
  assert.equal((await user.post(`${path}/begin`, { password: 'not the password' })).status, 422);
  const add = async (by: PanelUser, credential: Json) =>
    (await by.post(path, { name: 'Key', credential })).status;
  const key = new SoftAuthenticator(origin);
  const request = await requestOptions();
  const options = await creationOptions(user);
  assert.equal(
    await add(user, key.create({ ...options, challenge: request['challenge'] })),
    422,
    'another purpose',
  );
  assert.equal(await add(user, key.create(options, { origin: 'https://evil.test' })), 422);
  assert.equal(await add(user, key.create(options, { is_verified: false })), 422);
  const other = await signIn(service, tenant, 'developer');
  assert.equal(await add(other, key.create(options)), 422, 'another user');
  assert.equal(await add(user, key.create(options)), 201);
  assert.equal(await add(user, new SoftAuthenticator(origin).create(options)), 422, 'replayed');
  assert.equal(await add(other, key.create(await creationOptions(other))), 422, 'a key that is taken');
});

test('the first second factor ends other sessions, and the last one takes the recovery codes along', async () => {
  const { user, key, added } = await withPasskey();
  const entered = await enter(key.get(await requestOptions()));
  const second = createApi({ base_url: service.base_url, api_key: entered.json.access_token });
  assert.equal((await second.get('/v1/private/me')).status, 200);
  const proof = { password: user.login.password };
  const { id } = added.json.passkey;
  assert.equal((await user.post(`${path}/${id}/remove`, {})).status, 422);
  assert.equal((await user.post(`${path}/${id}/remove`, proof)).status, 204);
  const codes = await service.db.query('select from recovery_codes where user_id = $1', [user.id]);
  assert.equal(codes.length, 0);
  assert.equal((await anyone.post(loginPath, user.login, somewhere())).status, 200);
  await user.post(path, { name: 'Again', credential: key.create(await creationOptions(user)) });
  assert.equal((await second.get('/v1/private/me')).status, 401);
});

test('an account without a password adds one within 15 minutes of its sign-in', async () => {
  const user = await signIn(service, tenant, 'developer');
  await service.db.query('update users set has_password = false where id = $1', [user.id]);
  assert.equal((await user.post(`${path}/begin`, {})).status, 200);
  clock.advance(14 * 60_000);
  assert.equal((await user.post(`${path}/begin`, {})).status, 200);
  clock.advance(60_001);
  const late = await user.post(`${path}/begin`, {});
  // The access token ends after 15 minutes too; what counts is the session.
  assert.ok(['recent_sign_in_required', 'unauthorized'].includes(late.json.code), late.text);
});

test('an account has at most 20', async () => {
  const { user } = await withPasskey();
  await service.db.query(
    `insert into passkeys (user_id, credential_id, public_key, sign_count, name, is_backed_up, created_at)
     select $1, sha256(n::text::bytea || $2::bytea), 'x', 0, 'one', false, now() from generate_series(1, 19) as n`,
    [user.id, Buffer.from(String(user.id))],
  );
  const begun = await user.post(`${path}/begin`, { password: user.login.password });
  assert.equal(begun.json.code, 'passkey_limit_reached');
});

test('guesses are counted against their network', async () => {
  const stranger = new SoftAuthenticator(origin);
  const from = { 'x-forwarded-for': '198.51.100.7' };
  const codes = new Set<string>();
  for (let tries = 0; tries < 31; tries += 1) {
    const { json } = await anyone.post(
      sign_in,
      stranger.get(await requestOptions(), { user_handle: 'abc' }),
      from,
    );
    codes.add(json.code);
  }
  assert.deepEqual([...codes], ['unauthorized', 'rate_limit_exceeded']);
});

test('passkeys are not offered over plain HTTP at an IP address', async () => {
  const plain = await startTestService({
    database: service.database,
    env: { CHASQUI_BASE_URL: 'http://192.0.2.1:8080' },
    config: { base_url: 'http://192.0.2.1:0' },
  });
  try {
    const { port } = new URL(plain.base_url);
    const api = createApi({ base_url: `http://127.0.0.1:${port}` });
    assert.equal((await api.get('/v1/private/auth/methods')).json.passkeys, false);
    assert.equal((await api.post(`${sign_in}/begin`, {})).json.code, 'passkeys_unavailable');
  } finally {
    await plain.stop();
  }
});
