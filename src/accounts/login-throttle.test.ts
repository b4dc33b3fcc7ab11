import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RootSecret } from '../base/secrets.ts';
import { createApi, type ApiResponse } from '../../test/support/api.ts';
import { runWithFewFiles } from '../../test/support/few-files.ts';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { createLogin, type Login } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { createLoginThrottle } from './login-throttle.ts';
import { createSignInContext, signIn } from './sign-in.ts';

const second = 1_000;
const minute = 60 * second;
const env = { CHASQUI_TRUST_PROXY: 'true' };

const clock = createMovableClock('2026-12-01T12:00:00Z');
let service: TestService;
let other: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ clock, env });
  other = await startTestService({ clock, env, database: service.database });
  tenant = await service.tenant();
});
after(async () => {
  await other.stop();
  await service.stop();
});

let networks = 0;
/** An address in a network that no other test uses. */
const newAddress = (): string => `10.${Math.floor((networks += 1) / 250)}.${networks % 250}.7`;

async function attempt(login: Login, from: string, { base_url } = service): Promise<ApiResponse> {
  const headers = { 'x-forwarded-for': from };
  const { email, password } = login;
  return await createApi({ base_url }).post('/v1/private/auth/login', { email, password }, headers);
}

const wrong = ({ email }: { email: string }): Login => ({ email, password: 'not the password' });
const waitOf = ({ status, headers }: ApiResponse) =>
  status === 429 ? Number(headers.get('retry-after')) : undefined;

async function fail(login: Login, from: string, times: number): Promise<void> {
  for (let time = 1; time <= times; time += 1) {
    assert.equal((await attempt(wrong(login), from)).status, 401, `failure ${time}`);
  }
}

test('after five failures each further one doubles the wait, up to fifteen minutes', async () => {
  const login = await createLogin(service, tenant, 'viewer');
  const from = newAddress();
  await fail(login, from, 5);
  const waits: number[] = [];
  for (let time = 0; time < 12; time += 1) {
    const refused = await attempt(wrong(login), from);
    assert.equal(refused.json.code, 'rate_limit_exceeded');
    const wait = waitOf(refused) ?? 0;
    waits.push(wait);
    clock.advance(wait * second - 1);
    assert.equal((await attempt(login, from)).status, 429, 'even the right password waits');
    clock.advance(1);
    assert.equal((await attempt(wrong(login), from)).status, 401);
  }
  assert.deepEqual(waits, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]);
});

test('nodes share the counts, and so do spellings of an address', async () => {
  const login = await createLogin(service, tenant, 'viewer');
  const from = newAddress();
  for (const node of [service, other, service, other, service]) {
    const email = node === other ? login.email.toUpperCase() : login.email;
    assert.equal((await attempt(wrong({ email }), from, node)).status, 401);
  }
  assert.equal(waitOf(await attempt(login, from, other)), 1);
  assert.equal(waitOf(await attempt(login, from, service)), 1);
});

test('a success forgets the failures of its pair', async () => {
  const login = await createLogin(service, tenant, 'viewer');
  const from = newAddress();
  await fail(login, from, 4);
  assert.equal((await attempt(login, from)).status, 200);
  await fail(login, from, 5);
  assert.equal(waitOf(await attempt(login, from)), 1);
  clock.advance(second);
  assert.equal((await attempt(login, from)).status, 200);
  assert.equal((await attempt(wrong(login), from)).status, 401);
});

test('failures from elsewhere do not lock the user out, and addresses of one network count as one', async () => {
  const login = await createLogin(service, tenant, 'viewer');
  const [attacker, user] = [newAddress(), newAddress()];
  await fail(login, attacker, 5);
  assert.equal((await attempt(login, attacker.replace(/7$/, '200'))).status, 429);
  assert.equal((await attempt(login, user)).status, 200);
  const v6 = ['2001:db8:1:200::1', '2001:db8:1:2ff:ffff::9', '2001:db8:1:300::1'] as const;
  await fail(login, v6[0], 5);
  assert.equal((await attempt(login, v6[1])).status, 429);
  assert.equal((await attempt(login, v6[2])).status, 200);
});

test('thirty failures from a network close it for the rest of fifteen minutes, whatever the account', async () => {
  const login = await createLogin(service, tenant, 'viewer');
  const from = newAddress();
  for (let person = 0; person < 30; person += 1) {
    if (person === 10) clock.advance(5 * minute);
    await fail({ email: `person-${person}@example.com`, password: '' }, from.replace(/7$/, `${person}`), 1);
  }
  assert.equal(waitOf(await attempt(login, from)), 600);
  assert.equal((await attempt(login, newAddress())).status, 200);
  clock.advance(10 * minute);
  assert.equal((await attempt(login, from)).status, 200);
});

test('no block outlasts a clock that was set back', async () => {
  const login = await createLogin(service, tenant, 'viewer');
  const from = newAddress();
  const year = 365 * 24 * 60 * minute;
  clock.advance(year);
  await fail(login, from, 5);
  await service.db.query(`update login_attempts set failures = 99 where key like 'email:%'`);
  await service.db.query(`update login_attempts set failures = 29 where key like 'network:%'`);
  clock.advance(second);
  await fail(login, from, 1);
  assert.equal((await attempt(login, from)).status, 429);
  clock.advance(-year);
  await fail(login, from, 5);
  assert.equal(waitOf(await attempt(login, from)), 1, 'and failures are counted anew');
  clock.advance(second);
  assert.equal((await attempt(login, from)).status, 200);
});

test('sign-ins that succeed close neither a network nor an account', async () => {
  const login = await createLogin(service, tenant, 'viewer');
  const from = newAddress();
  for (let time = 0; time < 31; time += 1) assert.equal((await attempt(login, from)).status, 200);
  await fail(login, newAddress(), 2);
  assert.equal((await attempt(login, from)).status, 200);
  const secret = new RootSecret('a root secret for tests, and for tests alone');
  const throttle = createLoginThrottle({ db: service.db, secret, clock });
  const rows = await service.db.query<{ kind: string; failures: number }>(
    `select split_part(key, ':', 1) as kind, failures from login_attempts where key = any($1) order by key`,
    [throttle.attempt(login.email, from)],
  );
  assert.deepEqual(rows, [
    { kind: 'email', failures: 2 },
    { kind: 'network', failures: 0 },
  ]);
});

test('a hundred failures on an account from anywhere close it for the rest of fifteen minutes', async () => {
  const login = await createLogin(service, tenant, 'viewer');
  for (let network = 0; network < 25; network += 1) await fail(login, newAddress(), 4);
  assert.equal(waitOf(await attempt(login, newAddress())), 900);
  clock.advance(15 * minute);
  assert.equal((await attempt(login, newAddress())).status, 200);
});

test('guesses that arrive together are limited as guesses in a row are', async () => {
  const login = await createLogin(service, tenant, 'viewer');
  const from = newAddress();
  const answers = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => await attempt(wrong(login), from, n % 2 ? service : other)),
  );
  const statuses = answers.map(({ status }) => status);
  assert.equal(statuses.filter((status) => status === 401).length, 5);
  assert.equal(statuses.filter((status) => status === 429).length, 35);
});

test('an address without an account is counted, refused and answered as one with an account', async () => {
  const known = await createLogin(service, tenant, 'viewer');
  const story = async (login: Login) => {
    const from = newAddress();
    const answers: unknown[] = [];
    for (let time = 0; time < 8; time += 1) {
      const { status, headers, text } = await attempt(wrong(login), from);
      answers.push([
        status,
        headers.get('retry-after'),
        text.replace(/"request_id":"[\w-]+","trace_id":"\w+"/, ''),
      ]);
    }
    const [rows] = await service.db.query<{ count: number }>(
      "select count(*)::int as count from audit_events where action = 'user.sign_in_failed' and address = $1",
      [from],
    );
    return { answers, events: rows?.count };
  };
  const stories = [await story(known), await story({ email: 'nobody@example.com', password: '' })];
  assert.deepEqual(stories[1], stories[0]);
  assert.equal(stories[0]?.events, 6, 'five failures and the first refusal');
});

test('an address without an account costs the same statements as one with an account', async () => {
  const known = await createLogin(service, tenant, 'viewer');
  const context = createSignInContext({
    base_url: 'http://localhost:8080',
    db: service.db,
    secret: new RootSecret('any'),
    clock,
  });
  const cost = async (email: string): Promise<number> => {
    const before_ = service.db.round_trips;
    const given = { ...wrong({ email }), address: newAddress(), code: undefined, user_agent: undefined };
    await assert.rejects(signIn(context, given), { code: 'unauthorized' });
    return service.db.round_trips - before_;
  };
  assert.equal(await cost('nobody@example.com'), await cost(known.email));
});

test('a flood of sign-ins is sent away instead of piling up', async () => {
  const answers = await Promise.all(
    Array.from(
      { length: 120 },
      async (_, n) => await attempt(wrong({ email: `${n}@flood.test` }), newAddress()),
    ),
  );
  const sentAway = answers.filter(({ status }) => status === 503);
  assert.ok(sentAway.length > 0);
  for (const { headers } of sentAway) assert.equal(headers.get('retry-after'), '2');
  assert.ok(answers.every(({ status }) => status === 503 || status === 401));
  assert.ok(sentAway.length <= 120 - 67, 'as many as have room are served');
});

test('the trail tells of a block once, and of the next one again', async () => {
  const login = await createLogin(service, tenant, 'viewer');
  const from = newAddress();
  await fail(login, from, 5);
  for (let time = 0; time < 4; time += 1) await attempt(login, from, time % 2 ? service : other);
  clock.advance(second);
  await fail(login, from, 1);
  await attempt(login, from);
  const events = await service.db.query<{ details: unknown }>(
    `select details from audit_events
     where object_id = $1 and action = 'user.sign_in_failed' and details @> '{"is_throttled": true}' order by id`,
    [String(login.id)],
  );
  assert.deepEqual(
    events.map(({ details }) => details),
    [1, 2].map((retry_after_seconds) => ({ is_known: true, is_throttled: true, retry_after_seconds })),
  );
});

test('the table does not reveal who tried from where, and old rows are deleted', async () => {
  const login = await createLogin(service, tenant, 'viewer');
  await fail(login, newAddress(), 1);
  const keys = await service.db.query<{ key: string }>('select key from login_attempts');
  assert.ok(keys.length > 3);
  for (const { key } of keys) assert.match(key, /^(email|network|pair):[\w-]{43}$/);
  clock.advance(24 * 60 * minute);
  for (let left = 1; left > 0;) {
    assert.equal((await attempt(login, newAddress())).status, 200);
    const [row] = await service.db.query<{ left: number }>(
      'select count(*)::int as left from login_attempts where resets_at <= $1',
      [clock.now()],
    );
    left = row?.left ?? 0;
  }
});

test('guesses at the current password of a signed-in user count as failed sign-ins', async () => {
  const { id: _id, ...login } = await createLogin(service, tenant, 'viewer');
  const from = newAddress();
  const { json } = await attempt(login, from);
  const api = createApi({
    base_url: service.base_url,
    api_key: json.access_token,
    slug: tenant.instance.slug,
  });
  const body = { current_password: 'a guess', new_password: 'quite another password' };
  const guess = async () => await api.post('/v1/private/auth/password', body, { 'x-forwarded-for': from });
  for (let time = 0; time < 5; time += 1) assert.equal((await guess()).status, 422);
  assert.equal(waitOf(await guess()), 1);
  assert.equal(waitOf(await attempt(login, from)), 1);
});

test('a sign-in that failed for want of files does not keep the next one from succeeding', async () => {
  const moduleAt = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
  const { email, password } = await createLogin(service, tenant, 'viewer');
  const output = await runWithFewFiles(`
    import { takeAllFiles } from ${moduleAt('../../test/support/few-files.ts')};
    import { systemClock } from ${moduleAt('../base/clock.ts')};
    import { Database } from ${moduleAt('../base/db/database.ts')};
    import { RootSecret } from ${moduleAt('../base/secrets.ts')};
    import { createSignInContext, signIn } from ${moduleAt('sign-in.ts')};
    const connection = ${JSON.stringify(service.database.connection)};
    const db = new Database({ connection, pool_size: 1, pipelines: 1, on_error: console.error });
    const context = createSignInContext({ db, secret: new RootSecret('any'), clock: systemClock, base_url: 'http://localhost' });
    const given = ${JSON.stringify({ email, password, address: newAddress() })};
    const attempt = async () => await signIn(context, given).then(() => 'signed in', ({ code }) => code);
    // Opens the connections.
    await Promise.all([db.query('select 1'), db.query({ name: 'one', text: 'select 1' })]);
    const release = takeAllFiles();
    const during = await attempt();
    release();
    console.log(JSON.stringify([during, await attempt()]));
    process.exit();
  `);
  const [during, later] = JSON.parse(output) as string[];
  assert.notEqual(during, 'signed in');
  assert.equal(later, 'signed in');
});
