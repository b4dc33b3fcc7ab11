import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApi, type Api, type ApiResponse } from '../../test/support/api.ts';
import { awaitNotifications } from '../../test/support/await-notifications.ts';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { createLogin, signIn } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { whileLocked } from '../../test/support/while-locked.ts';
import { limitPlatformMail } from '../limits/index.ts';

const askPath = '/v1/private/auth/forgotten-password';
const resetPath = '/v1/private/auth/reset-password';
const loginPath = '/v1/private/auth/login';
const new_password = 'quite another password';
const clock = createMovableClock(new Date());
let service: TestService;
let tenant: Tenant;
let anyone: Api;
before(async () => {
  service = await startTestService({
    clock,
    env: { CHASQUI_TRUST_PROXY: 'true', CHASQUI_PLATFORM_MAIL_PER_NETWORK_HOUR: '20' },
  });
  tenant = await service.tenant();
  anyone = createApi({ base_url: service.base_url });
});
after(async () => await service.stop());

let networks = 0;
/** From a network of its own unless said, since each may ask a few times an hour. */
const ask = async (email: string, address = `203.0.${(networks += 1)}.1`): Promise<ApiResponse> =>
  await anyone.post(askPath, { email }, { 'x-forwarded-for': address });

async function linksTo(email: string): Promise<string[]> {
  const rows = await service.db.query<{ text: string }>(
    `select convert_from(message.text, 'UTF8') as text from mails m join messages message using (msg_id)
     where m.recipient = $1 order by m.mail_id`,
    [email],
  );
  return rows.map(({ text }) => /\/panel\/reset-password#([\w-]{43})\n/.exec(text)?.[1] ?? '');
}

async function linkFor(email: string): Promise<string> {
  assert.equal((await ask(email)).status, 204);
  return await waitFor(async () => (await linksTo(email)).at(-1));
}

test('the link of the mail chooses a new password once and ends every session', async () => {
  const user = await signIn(service, tenant, 'viewer');
  const token = await linkFor(user.login.email);
  assert.equal((await anyone.post(resetPath, { token, new_password: 'short' })).status, 422);
  assert.equal((await anyone.post(resetPath, { token, new_password })).status, 204);
  assert.equal((await user.get('/v1/private/me')).status, 401);
  assert.equal((await anyone.post(loginPath, user.login)).status, 401);
  assert.equal((await anyone.post(loginPath, { ...user.login, password: new_password })).status, 200);
  assert.equal((await anyone.post(resetPath, { token, new_password })).json.code, 'password_reset_not_found');
  const kept = await service.db.query(
    'select from password_resets where position($1 in encode(token_hash, $2)) > 0',
    [token, 'escape'],
  );
  assert.equal(kept.length, 0);
  assert.ok(!service.logged.join('').includes(token));
});

test('a link that is used twice at the same time chooses one password', async () => {
  const { id, email } = await createLogin(service, tenant, 'viewer');
  const token = await linkFor(email);
  const passwords = ['the first of two passwords', 'the second of two passwords'];
  const answers = await whileLocked(
    service.db,
    { lock: 'select from password_resets where user_id = $1 for update', values: [id], waiting: 2 },
    async () =>
      await Promise.all(
        passwords.map(async (password) => await anyone.post(resetPath, { token, new_password: password })),
      ),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([204, 404]));
  const chosen = passwords[answers.findIndex(({ status }) => status === 204)];
  assert.equal((await anyone.post(loginPath, { email, password: chosen })).status, 200);
});

test('a new password does not end links and sessions of other users', async () => {
  const [user, other] = [await signIn(service, tenant, 'viewer'), await signIn(service, tenant, 'viewer')];
  const [token, theirs] = [await linkFor(user.login.email), await linkFor(other.login.email)];
  assert.equal((await anyone.post(resetPath, { token, new_password })).status, 204);
  assert.equal((await other.get('/v1/private/me')).status, 200);
  assert.equal((await anyone.post(resetPath, { token: theirs, new_password })).status, 204);
});

test('at most 50 links wait for the database, and one more request is told to come back later', async () => {
  const users = await service.db.query<{ email: string }>(
    `insert into users (email, password_hash) select 'waiting-' || n || '@example.com', 'x' from generate_series(1, 51) as n
     returning email`,
  );
  const emails = users.map(({ email }) => email);
  const last = emails.pop() ?? '';
  await service.db.transaction(async (tx) => {
    await tx.query('lock table messages in exclusive mode');
    for (const email of emails) assert.equal((await ask(email)).status, 204);
    assert.equal((await ask(last)).json?.code, 'service_unavailable');
  });
  await waitFor(async () => (await Promise.all(emails.map(linksTo))).every(({ length }) => length === 1));
  assert.match(await linkFor(last), /^[\w-]{43}$/);
});

test('a changed password ends the links that were sent before', async () => {
  const user = await signIn(service, tenant, 'viewer');
  const token = await linkFor(user.login.email);
  const change = { current_password: user.login.password, new_password };
  assert.equal((await user.post('/v1/private/auth/password', change)).status, 200);
  const late = await anyone.post(resetPath, { token, new_password: 'the password of a stranger' });
  assert.equal(late.json?.code, 'password_reset_not_found');
});

test('a new password signs in at once after too many failures, their own or those of strangers', async () => {
  const { email, password } = await createLogin(service, tenant, 'viewer');
  const token = await linkFor(email);
  const from = { 'x-forwarded-for': '198.51.101.9' };
  const attempt = async (given: string): Promise<number> =>
    (await anyone.post(loginPath, { email, password: given }, from)).status;
  for (let n = 0; n < 4; n += 1) assert.equal(await attempt('not the password'), 401);
  await service.db.query(`update login_attempts set failures = 99 where key like 'email:%'`);
  assert.equal(await attempt('not the password'), 401);
  assert.equal(await attempt(password), 429, 'both the account and the pair of it and this network wait');
  assert.equal((await anyone.post(resetPath, { token, new_password }, from)).status, 204);
  assert.equal(await attempt(new_password), 200);
});

test('the answer is the same for an unknown address', async () => {
  const { email } = await createLogin(service, tenant, 'viewer');
  const [known, unknown] = [await ask(email), await ask('nobody@example.com')];
  for (const { status, text } of [known, unknown]) assert.deepEqual([status, text], [204, '']);
  await waitFor(async () => (await linksTo(email)).length > 0);
  assert.deepEqual(await linksTo('nobody@example.com'), []);
});

test('requests of strangers do not lock the owner out', async () => {
  const { email } = await createLogin(service, tenant, 'viewer');
  const token = await linkFor(email);
  for (let n = 0; n < 5; n += 1) assert.equal((await ask(email)).status, 204);
  clock.advance(29 * 60_000);
  assert.equal((await anyone.post(resetPath, { token, new_password })).status, 204);
  assert.equal((await linksTo(email)).length, 1);
});

test('a link that could not be written does not keep the next one from being written', async () => {
  await linkFor((await createLogin(service, tenant, 'viewer')).email);
  const { email } = await createLogin(service, tenant, 'viewer');
  const subscribe = async (status: 'active' | 'inactive'): Promise<unknown> =>
    await service.db.query('update instances set subscription_status = $1 where is_platform', [status]);
  const rarely = { interval_ms: 200 };
  const isLogged = (): boolean => service.logged.join('').includes('a password link could not be written');
  await subscribe('inactive');
  // A link that is written before it is heard of would be the only one for a while.
  await awaitNotifications(service);
  try {
    await waitFor(async () => {
      assert.equal((await ask(email)).status, 204);
      return isLogged();
    }, rarely);
  } finally {
    await subscribe('active');
  }
  await waitFor(async () => {
    assert.equal((await ask(email)).status, 204);
    return (await linksTo(email)).length > 0;
  }, rarely);
});

test('confirmations of forms do not use up what the account may be written', async () => {
  const { email } = await createLogin(service, tenant, 'viewer');
  const limits = {
    per_recipient_day: 1,
    per_instance_hour: 0,
    confirmations_per_instance_hour: 0,
    per_network_hour: 0,
  };
  const request = { instance_id: tenant.instance.id, recipient: email, address: undefined };
  await limitPlatformMail(service.db, limits, { ...request, kind: 'confirmation' });
  await assert.rejects(limitPlatformMail(service.db, limits, { ...request, kind: 'confirmation' }), {
    code: 'rate_limit_exceeded',
  });
  await limitPlatformMail(service.db, limits, { ...request, kind: 'platform' });
  assert.match(await linkFor(email), /^[\w-]{43}$/);
});

test('a link is over after an hour', async () => {
  const { email } = await createLogin(service, tenant, 'viewer');
  const token = await linkFor(email);
  clock.advance(61 * 60_000);
  assert.equal((await anyone.post(resetPath, { token, new_password })).json.code, 'password_reset_not_found');
});

test('one network asks a limited number of times an hour', async () => {
  const answers = [];
  for (let n = 0; n < 40; n += 1) answers.push((await ask(`nobody-${n}@example.com`, '198.51.100.9')).status);
  assert.ok(answers.includes(429), answers.join());
});
