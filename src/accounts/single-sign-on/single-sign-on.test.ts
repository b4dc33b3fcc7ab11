import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApi, type Api, type ApiResponse } from '../../../test/support/api.ts';
import { createMovableClock } from '../../../test/support/movable-clock.ts';
import { createLogin, panelHeader, signIn } from '../../../test/support/panel-user.ts';
import {
  startSignInProvider,
  type Persona,
  type SignInProvider,
} from '../../../test/support/sign-in-provider.ts';
import { startTestService, type Tenant, type TestService } from '../../../test/support/test-service.ts';
import { createInvitation } from '../invitations.ts';

const path = '/v1/private/auth/single-sign-on';
/** The configured address of a service that listens at any free port. */
const base_url = 'http://localhost:0';
const clock = createMovableClock(new Date());
let provider: SignInProvider;
let service: TestService;
let tenant: Tenant;
let anyone: Api;
before(async () => {
  provider = await startSignInProvider(`${base_url}/panel/single-sign-on`);
  service = await startTestService({ clock, env: environment() });
  tenant = await service.tenant();
  anyone = createApi({ base_url: service.base_url });
});
after(async () => {
  await service.stop();
  await provider.stop();
});

function environment(): Record<string, string> {
  return {
    CHASQUI_TRUST_PROXY: 'true',
    CHASQUI_OIDC_ISSUER: provider.issuer,
    CHASQUI_OIDC_CLIENT_ID: provider.client_id,
    CHASQUI_OIDC_CLIENT_SECRET: provider.client_secret,
    CHASQUI_OIDC_NAME: 'Acme',
  };
}

let networks = 0;
const from = (address: string) => ({ ...panelHeader, 'x-forwarded-for': address });
const cookiesOf = ({ headers }: ApiResponse): string[] =>
  headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
const sealed = (answer: ApiResponse): string =>
  cookiesOf(answer).find((each) => each.startsWith('chasqui_single_sign_on=')) ?? '';

/** What the provider gives to a browser that began, and the cookie of that browser. */
async function visit(
  persona: Persona,
): Promise<{ query: string; cookie: string; headers: Record<string, string> }> {
  const headers = from(`203.0.${(networks += 1)}.1`);
  const begun = await anyone.post(path, {}, headers);
  assert.equal(begun.status, 200, begun.text);
  provider.persona = persona;
  return { query: await provider.walk(begun.json.url), cookie: sealed(begun), headers };
}

async function enter(persona: Persona): Promise<ApiResponse> {
  const { query, cookie, headers } = await visit(persona);
  return await anyone.post(`${path}/finish`, { query }, { ...headers, cookie });
}

async function invite(email: string): Promise<void> {
  const owner = await signIn(service, tenant, 'owner');
  await service.db.transaction(async (tx) => {
    const limits = {
      per_recipient_day: 0,
      per_instance_hour: 0,
      confirmations_per_instance_hour: 0,
      per_network_hour: 0,
    };
    await createInvitation(tx, tenant.instance.id, {
      wanted: { email, role: 'developer' },
      actor: { kind: 'user', id: String(owner.id) },
      now: clock.now(),
      mail_limits: limits,
    });
  });
}

const actsOf = async (userId: number): Promise<string[]> =>
  (
    await service.db.query<{ action: string }>(
      "select action from audit_events where object_kind = 'user' and object_id = $1 order by id",
      [String(userId)],
    )
  ).map(({ action }) => action);

test('an invited person gets an account and the membership, and comes back by the subject', async () => {
  await invite('ana@acme.test');
  const first = await enter({ sub: 'ana', email: 'Ana@acme.test', email_verified: true, name: 'Ana' });
  assert.equal(first.status, 200, first.text);
  assert.equal(first.json.next, 'signed_in');
  const { session } = first.json;
  assert.equal(session.user.email, 'ana@acme.test');
  assert.deepEqual(session.instances, [
    { slug: tenant.instance.slug, name: tenant.instance.name, role: 'developer', needs_second_factor: false },
  ]);
  assert.ok(cookiesOf(first).some((each) => /^chasqui_refresh=[\w-]{43}$/.test(each)));
  assert.equal(sealed(first), 'chasqui_single_sign_on=', 'the cookie of the sign-in is gone');
  const api = createApi({ base_url: service.base_url, api_key: session.access_token });
  assert.equal((await api.get('/v1/private/me')).json.has_password, false);
  assert.deepEqual(await actsOf(session.user.id), ['user.created', 'user.identity_linked', 'user.signed_in']);

  const again = await enter({ sub: 'ana', email: 'ana.married@acme.test', email_verified: false });
  assert.equal(again.json.session.user.id, session.user.id);
  const { data } = (await api.get('/v1/private/account/identities')).json;
  assert.deepEqual([data.length, data[0].email], [1, 'ana.married@acme.test']);
  const refused = await api.delete(`/v1/private/account/identities/${data[0].id}`);
  assert.equal(refused.json.code, 'identity_is_only_sign_in');
  assert.equal((await api.get('/v1/private/account/identities')).json.data.length, 1);
});

test('a sign-in without an invitation makes no account, unless the operator allows it', async () => {
  const stranger = { sub: 'stranger', email: 'stranger@acme.test', email_verified: true };
  assert.equal((await enter(stranger)).json.code, 'single_sign_on_no_account');
  assert.deepEqual(await service.db.query('select from users where email = $1', [stranger.email]), []);
  const open = await startTestService({
    database: service.database,
    env: { ...environment(), CHASQUI_OIDC_CREATE_ACCOUNTS: 'true' },
  });
  try {
    const guest = createApi({ base_url: open.base_url });
    const begun = await guest.post(path, {}, panelHeader);
    provider.persona = stranger;
    const query = await provider.walk(begun.json.url);
    const entered = await guest.post(`${path}/finish`, { query }, { ...panelHeader, cookie: sealed(begun) });
    assert.deepEqual([entered.json.next, entered.json.session?.instances], ['signed_in', []], entered.text);
  } finally {
    await open.stop();
  }
});

test('an email that the provider does not confirm neither makes nor finds an account', async () => {
  await invite('eve@acme.test');
  const { email } = await createLogin(service, tenant, 'owner');
  for (const persona of [
    { sub: 'eve', email: 'eve@acme.test', email_verified: false },
    { sub: 'eve', email: 'eve@acme.test' },
    { sub: 'eve', email, email_verified: false },
    { sub: 'eve' },
  ]) {
    assert.equal((await enter(persona)).json.code, 'single_sign_on_email_unverified');
  }
});

test('an account with a password is linked only with that password', async () => {
  const { id, email, password } = await createLogin(service, tenant, 'developer');
  const persona = { sub: `sub of ${email}`, email, email_verified: true };
  const asked = await enter(persona);
  assert.deepEqual([asked.json.next, asked.json.email, asked.json.session], ['password', email, null]);
  assert.equal(
    cookiesOf(asked).some((each) => each.startsWith('chasqui_refresh')),
    false,
  );
  const complete = async (body: object, cookie = sealed(asked)): Promise<ApiResponse> =>
    await anyone.post(`${path}/complete`, body, { ...from('203.0.113.7'), cookie });
  assert.equal((await complete({ password: 'not the password' })).json.code, 'unauthorized');
  assert.equal((await complete({})).json.code, 'unauthorized');
  assert.equal((await complete({ code: '123456' })).json.code, 'unauthorized');
  assert.equal((await complete({ password }, '')).json.code, 'single_sign_on_failed');
  assert.deepEqual(await service.db.query('select from user_identities where user_id = $1', [id]), []);
  const linked = await complete({ password });
  assert.equal(linked.json.session?.user.id, id, linked.text);
  assert.equal((await enter(persona)).json.session?.user.id, id);
});

test('the second factor of a linked account is asked for, and taken once', async () => {
  const { id, email, password } = await createLogin(service, tenant, 'developer');
  const persona = { sub: `sub of ${email}`, email, email_verified: true };
  const asked = await enter(persona);
  const headers = from('203.0.113.8');
  await anyone.post(`${path}/complete`, { password }, { ...headers, cookie: sealed(asked) });
  await service.db.query(
    "update users set two_factor_secret = 'x', two_factor_enabled_at = now() where id = $1",
    [id],
  );
  await service.db.query(
    "insert into recovery_codes (user_id, hash) values ($1, sha256('abcdefghijklmnop'))",
    [id],
  );
  const second = await enter(persona);
  assert.deepEqual([second.json.next, second.json.session], ['code', null], second.text);
  const complete = async (body: object): Promise<ApiResponse> =>
    await anyone.post(`${path}/complete`, body, { ...headers, cookie: sealed(second) });
  assert.equal((await complete({ password })).json.code, 'second_factor_required');
  assert.equal((await complete({ code: 'wrong-wrong-wrong' })).json.code, 'unauthorized');
  assert.equal((await complete({ code: 'abcd-efgh-ijkl-mnop' })).json.session?.user.id, id);
  assert.equal((await complete({ code: 'abcd-efgh-ijkl-mnop' })).json.code, 'unauthorized');
});

test('an answer of the provider counts once, in the browser that began, for ten minutes', async () => {
  const { email, password } = await createLogin(service, tenant, 'viewer');
  const persona = { sub: `sub of ${email}`, email, email_verified: true };
  const asked = await enter(persona);
  await anyone.post(`${path}/complete`, { password }, { ...from('203.0.113.9'), cookie: sealed(asked) });
  const finish = async (query: string, cookie: string): Promise<string | undefined> => {
    const headers = from(`203.1.${(networks += 1)}.1`);
    const { json } = await anyone.post(`${path}/finish`, { query }, { ...headers, cookie });
    return json.code ?? json.next;
  };
  const [mine, other] = [await visit(persona), await visit(persona)];
  assert.equal(await finish(mine.query, ''), 'single_sign_on_failed', 'no cookie');
  assert.equal(
    await finish(mine.query, other.cookie),
    'single_sign_on_failed',
    'the cookie of another browser',
  );
  assert.equal(
    await finish(mine.query, `${mine.cookie}; ${other.cookie}`),
    'single_sign_on_failed',
    'two cookies',
  );
  assert.equal(await finish(mine.query, `${mine.cookie.slice(0, -2)}AA`), 'single_sign_on_failed', 'forged');
  assert.equal(
    await finish(mine.query.replace(/state=[\w-]+/, 'state=x'), mine.cookie),
    'single_sign_on_failed',
  );
  assert.equal(await finish('error=access_denied&state=x', mine.cookie), 'single_sign_on_failed');
  assert.equal(await finish(mine.query, mine.cookie), 'signed_in');
  assert.equal(await finish(mine.query, mine.cookie), 'single_sign_on_failed', 'replayed');
  clock.advance(10 * 60_000 + 1);
  assert.equal(await finish(other.query, other.cookie), 'single_sign_on_failed', 'expired');
  const { headers } = other;
  const foreign = await anyone.post(path, {}, { 'x-forwarded-for': headers['x-forwarded-for'] ?? '' });
  assert.equal(foreign.json.code, 'forbidden', 'another site cannot begin');
});

test('failed answers are counted against their network', async () => {
  const { cookie } = await visit({ sub: 'guesser' });
  const headers = { ...from('198.51.100.1'), cookie };
  const codes = new Set<string>();
  for (let tries = 0; tries < 31; tries += 1) {
    codes.add((await anyone.post(`${path}/finish`, { query: `code=${tries}&state=x` }, headers)).json.code);
  }
  assert.deepEqual([...codes], ['single_sign_on_failed', 'rate_limit_exceeded']);
});

test('the ways to sign in name the provider, or no provider', async () => {
  const { json } = await anyone.get('/v1/private/auth/methods');
  assert.deepEqual(json.single_sign_on, { name: 'Acme' });
  const plain = await startTestService({ database: service.database });
  try {
    const guest = createApi({ base_url: plain.base_url });
    assert.equal((await guest.get('/v1/private/auth/methods')).json.single_sign_on, null);
    assert.equal((await guest.post(path, {}, panelHeader)).json.code, 'single_sign_on_disabled');
  } finally {
    await plain.stop();
  }
});
