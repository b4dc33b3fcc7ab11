import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { scopes } from '../../src/base/http/access.ts';
import { unauthorizedAfterMs } from '../../src/base/http/authenticate-request.ts';
import { formatApiKey, newApiKey, parseApiKey } from '../../src/credentials/api-key.ts';
import { createApiKey, revokeApiKey, type NewApiKey } from '../../src/credentials/api-keys.ts';
import { setInstance } from '../../src/instances/instances.ts';
import { createMovableClock } from '../support/movable-clock.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { assertProblem } from './problems.fixture.ts';
import { send, type RawAnswer } from './raw-http.fixture.ts';

const operator = { kind: 'operator' } as const;
const clock = createMovableClock(new Date());
let service: TestService;
let tenant: Tenant;
let stranger: Tenant;
let revoked: string;
let expired: string;
before(async () => {
  service = await startTestService({ clock });
  tenant = await service.tenant();
  stranger = await service.tenant();
  revoked = await newKey({});
  const { id = '' } = parseApiKey(revoked) ?? {};
  await revokeApiKey(service.db, tenant.instance.id, { id, actor: operator, now: clock.now() });
  expired = await newKey({ expires_at: new Date(clock.now().getTime() + 60_000) });
  assert.equal((await call(expired)).status, 200);
  clock.advance(60_000);
});
after(async () => await service.stop());

async function newKey(wanted: Partial<NewApiKey>, owner = tenant): Promise<string> {
  const key = { name: 'test', scopes: [...scopes], ip_allowlist: [], ...wanted };
  return (await createApiKey(service.db, owner.instance.id, { key, actor: operator })).api_key;
}

async function call(key: string, slug = tenant.instance.slug): Promise<RawAnswer> {
  return await request({ authorization: `Bearer ${key}`, 'x-instance-slug': slug });
}

async function request(headers: Record<string, string>, path = '/v1/fields'): Promise<RawAnswer> {
  return await send(service.base_url, { path, headers });
}

const strangerKey = (): string => formatApiKey(newApiKey());
const forged = (): string => {
  const { id = '' } = parseApiKey(tenant.api_key) ?? {};
  return formatApiKey({ id, token: newApiKey().token });
};

/** Every way of not being let in. Each makes a new request, so that an unknown key is new each time. */
const refusals: Record<string, () => Promise<RawAnswer>> = {
  'no headers at all': async () => await request({}),
  'no Authorization': async () => await request({ 'x-instance-slug': tenant.instance.slug }),
  'another scheme': async () =>
    await request({ authorization: 'Basic dXNlcjpzZWNyZXQ=', 'x-instance-slug': tenant.instance.slug }),
  'a scheme without a key': async () =>
    await request({ authorization: 'Bearer', 'x-instance-slug': tenant.instance.slug }),
  'a key of another form': async () => await call('chq.short.nonsense'),
  'a key with something behind it': async () => await call(`${tenant.api_key} more`),
  'an unknown key': async () => await call(strangerKey()),
  'a known key with another token': async () => await call(forged()),
  'a revoked key': async () => await call(revoked),
  'an expired key': async () => await call(expired),
  'an unknown key without a slug': async () => await request({ authorization: `Bearer ${strangerKey()}` }),
  'a revoked key without a slug': async () => await request({ authorization: `Bearer ${revoked}` }),
  'an empty slug': async () => await call(tenant.api_key, ''),
  'an unknown slug': async () => await call(tenant.api_key, 'nobody-has-this'),
  'a slug of another form': async () => await call(tenant.api_key, '../../etc'),
  'the slug of another tenant': async () => await call(tenant.api_key, stranger.instance.slug),
};

const varying = new Set(['date', 'x-request-id', 'x-trace-id']);
function visible({ status, headers, json }: RawAnswer): unknown {
  return {
    status,
    headers: headers.map(([name, value]) => [name, varying.has(name.toLowerCase()) ? '' : value]),
    body: JSON.stringify({ ...json, request_id: '', trace_id: '' }),
  };
}

test('every way of not being let in gets the same 401, header for header and byte for byte', async () => {
  const expected = await request({});
  assertProblem(expected, 'unauthorized');
  for (const [name, attempt] of Object.entries(refusals)) {
    const answer = await attempt();
    assertProblem(answer, 'unauthorized');
    assert.equal(answer.header('www-authenticate'), 'Bearer', name);
    assert.equal(Buffer.byteLength(answer.body), Buffer.byteLength(expected.body), name);
    assert.deepEqual(visible(answer), visible(expected), name);
  }
});

test('the 401 takes as long for one reason as for another', { timeout: 180_000 }, async () => {
  const names = [
    'no headers at all',
    'a key of another form',
    'an unknown key',
    'a known key with another token',
    'a revoked key',
    'an unknown slug',
  ];
  const quickest = new Map<string, number>();
  const measure = async (name: string): Promise<void> => {
    const started = performance.now();
    await refusals[name]?.();
    quickest.set(name, Math.min(quickest.get(name) ?? Infinity, performance.now() - started));
  };
  const spread = (): number => Math.max(...quickest.values()) - Math.min(...quickest.values());
  // A busy machine delays most answers, by more than reasons could differ. What a reason takes is in its quickest too.
  for (let round = 0; round < 41 || (round < 205 && spread() >= 3); round += 1)
    for (const name of names) await measure(name);
  const measured = names.map((name) => `${name}: ${quickest.get(name)?.toFixed(2)} ms`).join('\n');
  assert.ok(Math.min(...quickest.values()) > unauthorizedAfterMs - 1, measured);
  assert.ok(spread() < 3, `they differ by ${spread().toFixed(2)} ms\n${measured}`);
});

test('a key without a slug acts on its own instance, and on no other', async () => {
  const read = async (key: string): Promise<unknown> => {
    const answer = await request({ authorization: `Bearer ${key}` }, '/v1/instance');
    return [answer.status, answer.json['slug']];
  };
  assert.deepEqual(await read(tenant.api_key), [200, tenant.instance.slug]);
  assert.deepEqual(await read(stranger.api_key), [200, stranger.instance.slug]);
});

test('the scheme is matched in either case, as HTTP has it', async () => {
  const headers = { authorization: `bearer  ${tenant.api_key}`, 'x-instance-slug': tenant.instance.slug };
  assert.equal((await request(headers)).status, 200);
});

test('a key without the scope is a 403 that says nothing more', async () => {
  const key = await newKey({ scopes: ['mail:send'] });
  const answer = await call(key);
  assertProblem(answer, 'forbidden', { detail: /^These credentials do not allow this operation\.$/ });
  assert.equal(answer.header('www-authenticate'), undefined);
});

test('a disabled instance gives the same 403, only for its own keys', async () => {
  const disabled = await service.tenant();
  const settings = { is_enabled: 'false' };
  await setInstance(service.db, disabled.instance.slug, { settings, actor: operator });
  const wrongScope = await call(await newKey({ scopes: ['mail:send'] }));
  const answer = await call(disabled.api_key, disabled.instance.slug);
  assertProblem(answer, 'forbidden');
  assert.deepEqual(visible(answer), visible(wrongScope));
  assertProblem(await call(strangerKey(), disabled.instance.slug), 'unauthorized');
});

test('the query and the body are not looked at before the caller is known', async () => {
  assertProblem(await request({}, '/v1/fields?page=0'), 'unauthorized');
  assertProblem(await request({}, '/v1/fields?page=%'), 'unauthorized');
  const body = '{';
  const headers = { 'content-type': 'application/json' };
  const answer = await send(service.base_url, { method: 'POST', path: '/v1/fields', headers, body });
  assertProblem(answer, 'unauthorized');
});

test('no credential reaches the log', async () => {
  const { createMember } = await import('../../src/accounts/users.ts');
  const user = { email: 'person@example.com', password: 'a password nobody has', role: 'owner' };
  await createMember(service.db, tenant.instance.id, { user, actor: operator });
  await send(service.base_url, { path: `/v1/fields?api_key=${tenant.api_key}&password=${user.password}` });
  await send(service.base_url, { path: `/v1/${tenant.api_key}` });
  const log = service.logged.join('');
  assert.ok(service.logged.length > 100, 'there is a log to look at');
  const tokens = [tenant, stranger].map(({ api_key }) => parseApiKey(api_key)?.token ?? '');
  for (const secret of [...tokens, tenant.api_key, revoked, expired, user.password, 'dXNlcjpzZWNyZXQ=']) {
    assert.ok(!log.includes(secret), 'a secret is in the log');
  }
  assert.doesNotMatch(log, /Bearer|Basic|authorization|chq\.[a-z0-9]{16}\./i);
});
