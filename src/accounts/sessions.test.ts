import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApi, type Api } from '../../test/support/api.ts';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { cookieOf, panelHeader, signIn } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

const clock = createMovableClock('2026-12-01T12:00:00Z');
let service: TestService;
let tenant: Tenant;
let anyone: Api;
before(async () => {
  service = await startTestService({ clock });
  tenant = await service.tenant();
  anyone = createApi({ base_url: service.base_url });
});
after(async () => await service.stop());

const refresh = async (cookie: string, api = anyone) =>
  await api.request('POST', '/v1/private/auth/refresh', { headers: { cookie, ...panelHeader } });
const asUser = (access_token: string): Api =>
  createApi({ base_url: service.base_url, api_key: access_token, slug: tenant.instance.slug });

test('an access token holds for fifteen minutes, and then a refresh helps', async () => {
  const user = await signIn(service, tenant, 'viewer');
  clock.advance(15 * minute - second);
  assert.equal((await user.get('/v1/private/me')).status, 200);
  clock.advance(second);
  assert.equal((await user.get('/v1/private/me')).json.code, 'unauthorized');
  const { json } = await refresh(user.cookie);
  assert.equal((await asUser(json.access_token).get('/v1/private/me')).status, 200);
});

test('a cookie used again later was stolen: the whole family ends, and the trail says so', async () => {
  const user = await signIn(service, tenant, 'viewer');
  const next = await refresh(user.cookie);
  const third = await refresh(cookieOf(next));
  clock.advance(11 * second);
  assert.equal((await refresh(user.cookie)).json.code, 'unauthorized');
  assert.equal((await refresh(cookieOf(third))).json.code, 'unauthorized');
  for (const token of [user.access_token, third.json.access_token]) {
    assert.equal((await asUser(token).get('/v1/private/me')).json.code, 'unauthorized');
  }
  await refresh(user.cookie);
  const events = await service.db.query(
    `select actor_id, details from audit_events where action = 'user.session_revoked' and object_id = $1`,
    [String(user.id)],
  );
  assert.deepEqual(events, [{ actor_id: null, details: { reason: 'refresh_token_reused' } }]);
});

test('two tabs that send the same cookie both go on, and end up with the same one', async () => {
  const other = await startTestService({ clock, database: service.database });
  try {
    const user = await signIn(service, tenant, 'viewer');
    const elsewhere = createApi({ base_url: other.base_url });
    const answers = await Promise.all(
      [anyone, elsewhere, anyone, elsewhere].map(async (api) => await refresh(user.cookie, api)),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    );
    const [first = '', ...others] = new Set(answers.map(cookieOf));
    assert.deepEqual(others, []);
    assert.notEqual(first, user.cookie);
    clock.advance(10 * second);
    assert.equal(cookieOf(await refresh(user.cookie)), first, 'the end of the grace');
    clock.advance(minute);
    const next = await refresh(first);
    assert.equal(next.status, 200);
    assert.equal((await asUser(next.json.access_token).get('/v1/private/me')).status, 200);
  } finally {
    await other.stop();
  }
});

test('a late tab does not put an old cookie in the place of a newer one', async () => {
  const user = await signIn(service, tenant, 'viewer');
  const next = await refresh(user.cookie);
  await refresh(cookieOf(next));
  const late = await refresh(user.cookie);
  assert.equal(late.status, 200);
  assert.deepEqual(late.headers.getSetCookie(), []);
});

test('a session unused for seven days is over', async () => {
  const user = await signIn(service, tenant, 'viewer');
  clock.advance(7 * day - second);
  const kept = await refresh(user.cookie);
  assert.equal(kept.status, 200);
  clock.advance(7 * day);
  assert.equal((await refresh(cookieOf(kept))).json.code, 'unauthorized');
});

test('no session lasts longer than thirty days, however often it is used', async () => {
  const user = await signIn(service, tenant, 'viewer');
  let { cookie } = user;
  for (let days = 0; days < 29; days += 1) {
    clock.advance(day);
    cookie = cookieOf(await refresh(cookie));
  }
  clock.advance(day - 10 * minute);
  const last = await refresh(cookie);
  assert.equal(last.json.expires_in, 600, 'the access token ends with the session');
  assert.match(last.headers.getSetCookie()[0] ?? '', /Max-Age=600;/);
  clock.advance(10 * minute);
  assert.equal((await refresh(cookieOf(last))).json.code, 'unauthorized');
  assert.equal((await asUser(last.json.access_token).get('/v1/private/me')).json.code, 'unauthorized');
});

test('sessions past their life are removed with their tokens as others sign in', async () => {
  const old = await signIn(service, tenant, 'viewer');
  clock.advance(30 * day);
  for (let left = 1; left > 0;) {
    await signIn(service, tenant, 'viewer');
    const [row] = await service.db.query<{ left: number }>(
      'select count(*)::int as left from sessions where expires_at <= $1',
      [clock.now()],
    );
    left = row?.left ?? 0;
  }
  const tokens = await service.db.query(
    'select from refresh_tokens t join sessions s on s.id = t.session_id where s.user_id = $1',
    [old.id],
  );
  assert.deepEqual(tokens, []);
});

test('a session remembers a bounded number of its tokens', async () => {
  const [user, other] = [await signIn(service, tenant, 'viewer'), await signIn(service, tenant, 'viewer')];
  const count = async () => {
    const [row] = await service.db.query<{ count: number }>(
      `select count(*)::int as count from refresh_tokens t join sessions s on s.id = t.session_id
       where s.user_id = $1`,
      [user.id],
    );
    return row?.count;
  };
  await service.db.query('update sessions set generation = 3500 where user_id = $1', [user.id]);
  await service.db.query(
    `update refresh_tokens t set generation = 3500 from sessions s where s.id = t.session_id and s.user_id = $1`,
    [user.id],
  );
  await service.db.query(
    `insert into refresh_tokens (hash, session_id, generation, rotated_at, successor_nonce)
     select sha256(n::text::bytea), s.id, n, $2, sha256('') from sessions s, generate_series(0, 3499) n
     where s.user_id = $1`,
    [user.id, clock.now()],
  );
  assert.equal(await count(), 3_501);
  assert.equal((await refresh(user.cookie)).status, 200);
  assert.equal(await count(), 3_001);
  assert.equal((await refresh(other.cookie)).status, 200, 'those of others stay');
});
