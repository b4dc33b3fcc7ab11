import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApi, type Api, type ApiResponse } from '../../test/support/api.ts';
import { cookieOf, createLogin, panelHeader, signIn } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { whileLocked } from '../../test/support/while-locked.ts';

const loginPath = '/v1/private/auth/login';
const refreshPath = '/v1/private/auth/refresh';
const logoutPath = '/v1/private/auth/logout';
const passwordPath = '/v1/private/auth/password';

let service: TestService;
let tenant: Tenant;
let anyone: Api;
before(async () => {
  service = await startTestService({ env: { CHASQUI_LOG_LEVEL: 'trace' } });
  tenant = await service.tenant();
  anyone = createApi({ base_url: service.base_url });
});
after(async () => await service.stop());

const refresh = async (cookie: string, headers: Record<string, string> = panelHeader) =>
  await anyone.request('POST', refreshPath, { headers: { cookie, ...headers } });
const logout = async (cookie: string, headers: Record<string, string> = panelHeader) =>
  await anyone.request('POST', logoutPath, { headers: { cookie, ...headers } });

async function auditOf(userId: number): Promise<Record<string, unknown>[]> {
  return await service.db.query(
    `select instance_id, actor_kind, actor_id, host(address) as address, action, details
     from audit_events where object_kind = 'user' and object_id = $1 and action like 'user.%' order by id`,
    [String(userId)],
  );
}

test('signing in gives a token, the user, their instances with roles, and a cookie out of reach of scripts', async () => {
  const { id, ...login } = await createLogin(service, tenant, 'admin');
  const answer = await anyone.post(loginPath, { ...login, email: ` ${login.email.toUpperCase()} ` });
  assert.equal(answer.status, 200);
  const { access_token, ...rest } = answer.json;
  const { slug, name } = tenant.instance;
  assert.deepEqual(rest, {
    token_type: 'Bearer',
    expires_in: 900,
    user: { id, email: login.email, name: '' },
    instances: [{ slug, name, role: 'admin', needs_second_factor: false }],
  });
  assert.match(access_token, /^[\w-]+\.[\w-]+\.[\w-]+$/);
  assert.equal(answer.headers.get('cache-control'), 'no-store');
  const [cookie = '', ...more] = answer.headers.getSetCookie();
  assert.deepEqual(more, []);
  assert.match(
    cookie,
    /^chasqui_refresh=[\w-]{43}; Path=\/v1\/private\/auth; Max-Age=604800; HttpOnly; SameSite=Strict$/,
  );
});

test('behind https the cookie is limited to this host and https, and one of version 0.2 still opens its session', async () => {
  const secure = await startTestService({
    database: service.database,
    env: { CHASQUI_BASE_URL: 'https://localhost:0' },
  });
  try {
    const { id: _id, ...login } = await createLogin(service, tenant, 'viewer');
    const api = createApi({ base_url: secure.base_url.replace('https:', 'http:') });
    const [own = '', gone, ...more] = (await api.post(loginPath, login)).headers.getSetCookie();
    assert.deepEqual(more, []);
    assert.match(
      own,
      /^__Host-chasqui_refresh=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Strict; Secure$/,
    );
    assert.equal(
      gone,
      'chasqui_refresh=; Path=/v1/private/auth; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    );
    const [cookie = ''] = own.split(';');
    const ask = async (path: string, given: string): Promise<ApiResponse> =>
      await api.post(path, undefined, { ...panelHeader, cookie: given });
    const earlier = cookie.replace('__Host-', '');
    assert.equal((await ask(refreshPath, `${earlier}; ${earlier}`)).status, 401);
    const answer = await ask(refreshPath, earlier);
    assert.equal(answer.status, 200);
    const [next = ''] = answer.headers.getSetCookie()[0]?.split(';') ?? [];
    assert.match(next, /^__Host-/);
    // A sibling subdomain sets what it likes under the old name.
    assert.equal((await ask(refreshPath, `chasqui_refresh=${'A'.repeat(43)}; ${next}`)).status, 200);
    assert.equal((await ask(refreshPath, `${next}; ${next}`)).status, 401);
    const cleared = (await ask('/v1/private/auth/logout', next)).headers.getSetCookie();
    assert.deepEqual(
      cleared.map((line) => line.split(';')[0]),
      ['__Host-chasqui_refresh=', 'chasqui_refresh='],
    );
  } finally {
    await secure.stop();
  }
});

test('over plain http the name of https is not read', async () => {
  const { cookie } = await signIn(service, tenant, 'viewer');
  assert.equal((await refresh(`__Host-${cookie}`)).status, 401);
  assert.equal((await refresh(cookie)).status, 200);
});

test('a wrong password, an unknown address and a foreign password get the same 401', async () => {
  const [ana, eva] = [
    await createLogin(service, tenant, 'viewer'),
    await createLogin(service, tenant, 'viewer'),
  ];
  const attempts = [
    { email: ana.email, password: 'not the password' },
    { email: ana.email, password: eva.password },
    { email: 'nobody@example.com', password: ana.password },
  ];
  for (const attempt of attempts) {
    const { status, json, headers } = await anyone.post(loginPath, attempt);
    assert.equal(status, 401);
    assert.deepEqual(
      { ...json, request_id: '', trace_id: '' },
      {
        type: `${service.base_url}/docs/errors/unauthorized`,
        title: 'Unauthorized',
        status: 401,
        detail: 'Valid credentials are required.',
        code: 'unauthorized',
        request_id: '',
        trace_id: '',
      },
    );
    assert.equal(headers.get('www-authenticate'), 'Bearer');
    assert.deepEqual(headers.getSetCookie(), []);
  }
});

test('a sign-in is judged by its form first: 422 for an invalid address, 415 for a form of another site', async () => {
  const { status, json } = await anyone.post(loginPath, { email: 'ana', password: '' });
  assert.equal(status, 422);
  assert.deepEqual(
    json.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/email', '/password'],
  );
  const body = JSON.stringify({ email: 'ana@example.com', password: 'x' });
  const foreign = await anyone.request('POST', loginPath, {
    body,
    headers: { 'content-type': 'text/plain' },
  });
  assert.equal(foreign.status, 415);
});

test('a refresh gives the same body with a new token, and rotates the cookie', async () => {
  const user = await signIn(service, tenant, 'developer');
  const answer = await refresh(user.cookie);
  assert.equal(answer.status, 200);
  assert.equal(answer.json.user.id, user.id);
  assert.deepEqual(
    answer.json.instances.map(({ role }: { role: string }) => role),
    ['developer'],
  );
  assert.match(cookieOf(answer), /^chasqui_refresh=[\w-]{43}$/);
  assert.notEqual(cookieOf(answer), user.cookie);
  const api = createApi({
    base_url: service.base_url,
    api_key: answer.json.access_token,
    slug: tenant.instance.slug,
  });
  assert.equal((await api.get('/v1/private/me')).status, 200);
  assert.equal((await refresh(cookieOf(answer))).status, 200);
});

test('a refresh without a cookie, with a strange one or with two is a 401', async () => {
  const { cookie } = await signIn(service, tenant, 'viewer');
  for (const given of [
    'other=1',
    'chasqui_refresh=',
    'chasqui_refresh=strange',
    `chasqui_refresh=${'A'.repeat(43)}`,
    `${cookie}; chasqui_refresh=${'A'.repeat(43)}`,
  ]) {
    assert.equal((await refresh(given)).json.code, 'unauthorized', given);
  }
  assert.equal((await refresh(`theme=dark; ${cookie}; lang=es`)).status, 200);
});

test('the cookie does nothing without the header, which a page of another site cannot send', async () => {
  const user = await signIn(service, tenant, 'viewer');
  for (const headers of [{}, { 'x-requested-with': 'XMLHttpRequest' }] as Record<string, string>[]) {
    for (const attempt of [await refresh(user.cookie, headers), await logout(user.cookie, headers)]) {
      assert.equal(attempt.status, 403);
      assert.equal(attempt.json.code, 'forbidden');
      assert.deepEqual(attempt.headers.getSetCookie(), []);
    }
  }
  assert.equal((await user.get('/v1/private/me')).status, 200);
  assert.equal((await refresh(user.cookie)).status, 200);
  const preflight = await fetch(`${service.base_url}${refreshPath}`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://evil.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'x-requested-with',
    },
  });
  assert.equal(preflight.headers.get('access-control-allow-origin'), null);
  assert.equal(preflight.status, 405);
});

test('signing out ends the session on every node at once, and once more changes nothing', async () => {
  const other = await startTestService({ database: service.database });
  try {
    const user = await signIn(service, tenant, 'viewer');
    const { slug } = tenant.instance;
    const elsewhere = createApi({ base_url: other.base_url, api_key: user.access_token, slug });
    assert.equal((await elsewhere.get('/v1/private/me')).status, 200);
    const answer = await logout(user.cookie);
    assert.equal(answer.status, 204);
    assert.match(answer.headers.getSetCookie()[0] ?? '', /^chasqui_refresh=; .*Max-Age=0; HttpOnly/);
    assert.equal((await elsewhere.get('/v1/private/me')).json.code, 'unauthorized');
    assert.equal((await user.get('/v1/private/me')).json.code, 'unauthorized');
    assert.equal((await refresh(user.cookie)).json.code, 'unauthorized');
    assert.equal((await logout(user.cookie)).status, 204);
    assert.equal((await logout('')).status, 204);
  } finally {
    await other.stop();
  }
});

test('one session ends, the others of the same user go on', async () => {
  const user = await signIn(service, tenant, 'viewer');
  const phone = cookieOf(await anyone.post(loginPath, user.login));
  assert.equal((await logout(user.cookie)).status, 204);
  assert.equal((await refresh(phone)).status, 200);
});

test('a changed password ends all sessions but the one it answers with', async () => {
  const user = await signIn(service, tenant, 'viewer');
  const new_password = 'quite another password';
  const change = { current_password: user.login.password, new_password };
  const answer = await user.post(passwordPath, change);
  assert.equal(answer.status, 200);
  assert.equal((await user.get('/v1/private/me')).json.code, 'unauthorized');
  assert.equal((await refresh(user.cookie)).status, 401);
  assert.equal((await refresh(cookieOf(answer))).status, 200);
  assert.equal((await anyone.post(loginPath, user.login)).status, 401);
  const login = { ...user.login, password: new_password };
  assert.equal((await anyone.post(loginPath, login)).status, 200);
});

test('a sign-in under way with the old password opens no session after the change', async () => {
  const user = await signIn(service, tenant, 'viewer');
  const change = { current_password: user.login.password, new_password: 'quite another password' };
  const answers = await whileLocked(
    service.db,
    { lock: `update users set password_hash = 'changed' where id = $1`, values: [user.id], waiting: 2 },
    async () => await Promise.all([anyone.post(loginPath, user.login), user.post(passwordPath, change)]),
  );
  assert.deepEqual(
    answers.map(({ json }) => json.code),
    ['unauthorized', 'unauthorized'],
  );
});

test('a password is changed only by who knows it, and not to a short one', async () => {
  const user = await signIn(service, tenant, 'viewer');
  const wrong = await user.post(passwordPath, {
    current_password: 'a guess',
    new_password: 'quite another password',
  });
  assert.equal(wrong.status, 422);
  assert.equal(wrong.json.errors[0].pointer, '/current_password');
  const short = await user.post(passwordPath, {
    current_password: user.login.password,
    new_password: 'too short',
  });
  assert.equal(short.json.errors[0].code, 'string_too_short');
  assert.equal((await anyone.post(passwordPath, {})).status, 401);
  assert.equal((await anyone.post(loginPath, user.login)).status, 200);
});

test('the audit trail tells who signed in and out, and which account was tried in vain', async () => {
  const user = await signIn(service, tenant, 'viewer');
  await anyone.post(loginPath, { ...user.login, password: 'a wrong password' });
  await logout(user.cookie);
  await logout(user.cookie);
  const by = { instance_id: null, actor_kind: 'user', address: '127.0.0.1' };
  const themselves = { ...by, actor_id: String(user.id), details: {} };
  assert.deepEqual(await auditOf(user.id), [
    { ...themselves, action: 'user.signed_in' },
    {
      ...by,
      actor_id: null,
      action: 'user.sign_in_failed',
      details: { is_known: true, is_throttled: false },
    },
    { ...themselves, action: 'user.signed_out' },
  ]);
});

test('no password and no token is in the log, the trail or the tables', async () => {
  const user = await signIn(service, tenant, 'viewer');
  const refreshed = await refresh(user.cookie);
  const typed = 'the secret that was typed';
  await anyone.post(loginPath, { ...user.login, password: typed });
  await anyone.post(loginPath, { email: `${typed.replaceAll(' ', '-')}@example.com`, password: typed });
  await user.post(passwordPath, { current_password: typed, new_password: `${typed} twice` });
  await logout(cookieOf(refreshed));
  const [stored] = await service.db.query<{ text: string }>(
    `select (select string_agg(t::text, ' ') from sessions t) || (select string_agg(t::text, ' ') from refresh_tokens t)
       || (select string_agg(t::text, ' ') from login_attempts t)
       || (select string_agg(t::text, ' ') from audit_events t where action like 'user.%') as text`,
  );
  assert.ok(service.logged.length > 0 && (stored?.text.length ?? 0) > 0);
  const valueOf = (cookie: string) => cookie.split('=')[1] ?? '';
  for (const secret of [
    typed,
    typed.replaceAll(' ', '-'),
    user.login.password,
    user.access_token,
    refreshed.json.access_token,
    valueOf(user.cookie),
    valueOf(cookieOf(refreshed)),
  ]) {
    assert.ok(secret.length > 10);
    assert.ok(!service.logged.some((line) => line.includes(secret)), 'in the log');
    assert.ok(!stored?.text.includes(secret), 'in the tables');
  }
});
