import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApi, type Api } from '../../test/support/api.ts';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { whileLocked } from '../../test/support/while-locked.ts';
import { codeAt, stepAt } from '../protocol/totp/totp.ts';

const path = '/v1/private/account/two-factor';
const loginPath = '/v1/private/auth/login';
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

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, String).map((each) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(each).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** A user with a second factor: what an app shows now, and the recovery codes. */
async function enabled(): Promise<{ user: PanelUser; codeNow: () => string; recovery: string[] }> {
  const user = await signIn(service, tenant, 'viewer');
  const begun = await user.post(path, { password: user.login.password });
  assert.equal(begun.status, 200, begun.text);
  assert.match(begun.json.otpauth_url, new RegExp(`secret=${begun.json.secret}`));
  const secret = fromBase32(begun.json.secret);
  const codeNow = (): string => codeAt(secret, stepAt(clock.now()));
  const confirmed = await user.post(`${path}/confirm`, { code: codeNow() });
  assert.equal(confirmed.status, 200, confirmed.text);
  return { user, codeNow, recovery: confirmed.json.recovery_codes };
}

const nextStep = (): Date => clock.advance(31_000);

test('a sign-in asks for a code, takes it once, and tells nothing without the password', async () => {
  const { user, codeNow } = await enabled();
  nextStep();
  const { login } = user;
  const asked = await anyone.post(loginPath, login);
  assert.equal(asked.status, 401);
  assert.equal(asked.json.code, 'second_factor_required');
  const wrong = await anyone.post(loginPath, { ...login, password: 'not the password', code: codeNow() });
  assert.equal(wrong.json.code, 'unauthorized');
  assert.equal((await anyone.post(loginPath, { ...login, code: '000000' })).json.code, 'unauthorized');
  const code = codeNow();
  assert.equal((await anyone.post(loginPath, { ...login, code })).status, 200);
  assert.equal((await anyone.post(loginPath, { ...login, code })).json.code, 'unauthorized', 'replayed');
  nextStep();
  assert.equal((await anyone.post(loginPath, { ...login, code: codeNow() })).status, 200);
});

test('the code that confirmed does not sign in', async () => {
  const { user, codeNow } = await enabled();
  assert.equal((await anyone.post(loginPath, { ...user.login, code: codeNow() })).json.code, 'unauthorized');
});

test('a recovery code signs in once, however it is typed', async () => {
  const { user, recovery } = await enabled();
  assert.equal(recovery.length, 10);
  const [first = '', second = ''] = recovery;
  const code = first.replaceAll('-', '').toUpperCase();
  assert.equal((await anyone.post(loginPath, { ...user.login, code })).status, 200);
  assert.equal((await anyone.post(loginPath, { ...user.login, code: first })).status, 401);
  assert.equal((await anyone.post(loginPath, { ...user.login, code: second })).status, 200);
  const { json } = await user.get('/v1/private/me');
  assert.deepEqual(json.two_factor, { is_enabled: true, recovery_codes_left: 8 });
});

test('a recovery code of another user does not sign in', async () => {
  const [{ user }, { recovery }] = [await enabled(), await enabled()];
  const given = { ...user.login, code: recovery[0] };
  assert.equal((await anyone.post(loginPath, given)).json.code, 'unauthorized');
});

test('a code that is right forgets the wrong ones before it', async () => {
  const { user, codeNow } = await enabled();
  for (let round = 0; round < 3; round += 1) {
    nextStep();
    for (let n = 0; n < 3; n += 1) {
      assert.equal((await anyone.post(loginPath, { ...user.login, code: '000000' })).status, 401);
    }
    assert.equal((await anyone.post(loginPath, { ...user.login, code: codeNow() })).status, 200);
  }
});

test('guessing codes is slowed down per account, also by asking without one in between', async () => {
  const { user } = await enabled();
  const { login } = user;
  let status = 0;
  for (let n = 0; n < 12 && status !== 429; n += 1) {
    ({ status } = await anyone.post(loginPath, { ...login, code: String(100_000 + n) }));
    if (status !== 429) await anyone.post(loginPath, login);
  }
  assert.equal(status, 429);
});

test('guessing codes is slowed down from every network, also for a signed-in user with the password', async () => {
  const [{ user }, { user: absent }] = [await enabled(), await enabled()];
  const begun = await signIn(service, tenant, 'viewer');
  assert.equal((await begun.post(path, { password: begun.login.password })).status, 200);
  const proof = { password: user.login.password, code: '000000' };
  for (let network = 0; network < 6; network += 1) {
    const from = { 'x-forwarded-for': `203.0.${network}.1` };
    const answers = [
      await user.post(`${path}/disable`, proof, from),
      await begun.post(`${path}/confirm`, { code: '000000' }, from),
      await anyone.post(loginPath, { ...absent.login, code: '000000' }, from),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      network < 5 ? [422, 422, 401] : [429, 429, 429],
      `guess ${network}`,
    );
  }
});

test('asking without a code costs no attempts', async () => {
  const { user } = await enabled();
  for (let n = 0; n < 10; n += 1) {
    assert.equal((await anyone.post(loginPath, user.login)).json.code, 'second_factor_required');
  }
});

test('enabling needs the password and a code, and ends the sessions that had neither', async () => {
  const user = await signIn(service, tenant, 'viewer');
  const other = (await anyone.post(loginPath, user.login)).json.access_token;
  assert.equal((await user.post(`${path}/confirm`, { code: '123456' })).json.code, 'two_factor_not_enabled');
  const refused = await user.post(path, { password: 'not the password' });
  assert.equal(refused.json.errors[0].code, 'value_error.wrong_password');
  const { secret } = (await user.post(path, { password: user.login.password })).json;
  const wrong = await user.post(`${path}/confirm`, { code: '000000' });
  assert.equal(wrong.json.errors[0].code, 'value_error.wrong_code');
  assert.equal((await anyone.post(loginPath, user.login)).status, 200, 'not enabled yet');
  const code = codeAt(fromBase32(secret), stepAt(clock.now()));
  assert.equal((await user.post(`${path}/confirm`, { code })).status, 200);
  const elsewhere = createApi({ base_url: service.base_url, api_key: other });
  assert.equal((await elsewhere.get('/v1/private/me')).status, 401);
  assert.equal((await user.get('/v1/private/me')).status, 200);
  const again = await user.post(path, { password: user.login.password });
  assert.equal(again.json.code, 'two_factor_already_enabled');
  nextStep();
  const next = codeAt(fromBase32(secret), stepAt(clock.now()));
  const repeated = await user.post(`${path}/confirm`, { code: next });
  assert.equal(repeated.json.code, 'two_factor_already_enabled', 'a code alone gets no recovery codes');
});

test('a sign-in that is under way when the second factor is enabled opens no session without it', async () => {
  const user = await signIn(service, tenant, 'viewer');
  assert.equal((await user.post(path, { password: user.login.password })).status, 200);
  const signing = await whileLocked(
    service.db,
    {
      lock: 'update users set two_factor_enabled_at = now() where id = $1',
      values: [user.id],
      waiting: 1,
    },
    async () => await anyone.post(loginPath, user.login),
  );
  assert.equal(signing.json.code, 'unauthorized');
  assert.equal((await anyone.post(loginPath, user.login)).json.code, 'second_factor_required');
});

test('disabling and new recovery codes need both factors', async () => {
  const { user, codeNow, recovery } = await enabled();
  const { password } = user.login;
  nextStep();
  const half = await user.post(`${path}/disable`, { password, code: '000000' });
  assert.equal(half.json.errors[0].code, 'value_error.wrong_code');
  const replaced = await user.post(`${path}/recovery-codes`, { password, code: codeNow() });
  assert.equal(replaced.status, 200);
  assert.equal((await anyone.post(loginPath, { ...user.login, code: recovery[0] })).status, 401);
  nextStep();
  assert.equal((await user.post(`${path}/disable`, { password, code: codeNow() })).status, 204);
  assert.deepEqual((await user.get('/v1/private/me')).json.two_factor, {
    is_enabled: false,
    recovery_codes_left: 0,
  });
  assert.equal((await anyone.post(loginPath, user.login)).status, 200);
  assert.equal(
    (await user.post(`${path}/disable`, { password, code: codeNow() })).json.code,
    'two_factor_not_enabled',
  );
});

test('an unconfirmed second factor is not required', async () => {
  const user = await signIn(service, tenant, 'viewer');
  const { password } = user.login;
  const { secret } = (await user.post(path, { password })).json;
  const proof = { password, code: codeAt(fromBase32(secret), stepAt(clock.now())) };
  for (const change of ['disable', 'recovery-codes']) {
    assert.equal((await user.post(`${path}/${change}`, proof)).json.code, 'two_factor_not_enabled');
  }
});

test('a code that is given twice at the same time is taken once', async () => {
  const { user, codeNow } = await enabled();
  const { password } = user.login;
  nextStep();
  const proof = { password, code: codeNow() };
  const answers = await whileLocked(
    service.db,
    { lock: 'select from users where id = $1 for update', values: [user.id], waiting: 2 },
    async () => await Promise.all([1, 2].map(async () => await user.post(`${path}/recovery-codes`, proof))),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 422]));
});

test('secrets and codes are stored encrypted or hashed', async () => {
  const { user, recovery } = await enabled();
  const [row] = await service.db.query<{ kept: string }>(
    `select encode(two_factor_secret, 'escape') || (select string_agg(encode(hash, 'escape'), ',') from recovery_codes where user_id = id) as kept
     from users where id = $1`,
    [user.id],
  );
  assert.ok(row && !row.kept.includes(recovery[0]?.replaceAll('-', '') ?? ''));
  assert.ok(!service.logged.join('').includes(recovery[0] ?? ''));
});

test('a password that changes meanwhile disables nothing', async () => {
  const { user, codeNow } = await enabled();
  nextStep();
  const answer = await whileLocked(
    service.db,
    { lock: `update users set password_hash = 'changed' where id = $1`, values: [user.id], waiting: 1 },
    async () => await user.post(`${path}/disable`, { password: user.login.password, code: codeNow() }),
  );
  assert.equal(answer.json.code, 'unauthorized');
});
