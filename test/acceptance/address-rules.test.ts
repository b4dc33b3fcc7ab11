import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createApiKey } from '../../src/credentials/api-keys.ts';
import { setInstance } from '../../src/instances/instances.ts';
import {
  startTestService,
  type Tenant,
  type TestService,
  type TestServiceOptions,
} from '../support/test-service.ts';
import { assertProblem } from './problems.fixture.ts';
import { send, type RawAnswer } from './raw-http.fixture.ts';

const operator = { kind: 'operator' } as const;
/** Believes what the proxy before it says, so that a test can come from anywhere. */
let proxied: TestService;
/** Trusts only the addresses of its sockets. */
let direct: TestService;
/** Believes one proxy. */
let onehop: TestService;
const running: TestService[] = [];
async function start(options: TestServiceOptions): Promise<TestService> {
  const service = await startTestService(options);
  running.unshift(service);
  return service;
}
before(async () => {
  proxied = await start({ env: { CHASQUI_TRUST_PROXY: 'true' } });
  direct = await start({ database: proxied.database });
  onehop = await start({ database: proxied.database, env: { CHASQUI_TRUST_PROXY: '1' } });
});
after(async () => {
  for (const service of running) await service.stop();
});

interface Lists {
  instance?: string[];
  key?: string[];
  scopes?: string[];
}

async function tenantWith({ instance = [], key = [], scopes = ['field:read'] }: Lists): Promise<Tenant> {
  const tenant = await proxied.tenant();
  const settings = { ip_allowlist: instance.join(',') };
  await setInstance(proxied.db, tenant.instance.slug, { settings, actor: operator });
  const wanted = { name: 'test', scopes, ip_allowlist: key };
  const { api_key } = await createApiKey(proxied.db, tenant.instance.id, { key: wanted, actor: operator });
  return { ...tenant, api_key };
}

async function from(address: string, { api_key, instance }: Tenant, service = proxied): Promise<RawAnswer> {
  const headers = {
    authorization: `Bearer ${api_key}`,
    'x-instance-slug': instance.slug,
    ...(address ? { 'x-forwarded-for': address } : {}),
  };
  return await send(service.base_url, { path: '/v1/fields', headers });
}

const cases: [string, string[], string[], string[]][] = [
  ['no list', [], ['203.0.113.9', '2001:db8::1', '::1', '127.0.0.1'], []],
  ['an IPv4 range', ['203.0.113.0/24'], ['203.0.113.0', '203.0.113.255'], ['203.0.114.1', '2001:db8::1']],
  ['one IPv4 address', ['203.0.113.9'], ['203.0.113.9'], ['203.0.113.8']],
  ['an IPv6 range', ['2001:db8::/32'], ['2001:db8::1', '2001:DB8:ffff::'], ['2001:db9::1', '203.0.113.9']],
  ['one IPv6 address', ['2001:db8::7'], ['2001:db8:0:0:0:0:0:7'], ['2001:db8::8']],
  ['a list of several', ['203.0.113.9', '2001:db8::/64'], ['203.0.113.9', '2001:db8::9'], ['198.51.100.1']],
  [
    'IPv4 callers on an IPv6 socket',
    ['203.0.113.0/24'],
    ['::ffff:203.0.113.9', '::ffff:cb00:7109'],
    ['::ffff:203.0.114.1'],
  ],
  [
    'a range of mapped addresses',
    ['::ffff:203.0.113.0/120'],
    ['203.0.113.9', '::ffff:203.0.113.9'],
    ['203.0.114.1'],
  ],
  ['everything IPv4', ['0.0.0.0/0'], ['203.0.113.9'], ['2001:db8::1']],
  ['a range with host bits', ['203.0.113.77/24'], ['203.0.113.9'], ['203.0.114.9']],
];
for (const [name, list, allowed, refused] of cases) {
  test(`the list of the instance and that of the key hold for ${name}`, async () => {
    for (const lists of [{ instance: list }, { key: list }]) {
      const tenant = await tenantWith(lists);
      for (const address of allowed) assert.equal((await from(address, tenant)).status, 200, address);
      for (const address of refused) assertProblem(await from(address, tenant), 'ip_not_allowed');
    }
  });
}

test('both lists must allow the caller, and the answer does not tell which did not', async () => {
  const tenant = await tenantWith({ instance: ['203.0.113.0/24'], key: ['203.0.113.0/28', '198.51.100.1'] });
  assert.equal((await from('203.0.113.9', tenant)).status, 200);
  const [byKey, byInstance] = [await from('203.0.113.99', tenant), await from('198.51.100.1', tenant)];
  assertProblem(byKey, 'ip_not_allowed');
  assert.deepEqual(
    { ...byKey.json, request_id: '', trace_id: '' },
    { ...byInstance.json, request_id: '', trace_id: '' },
  );
  assert.doesNotMatch(byKey.body, /203\.|198\.|instance|key/);
});

test('only a caller who would be let in from elsewhere is told about addresses', async () => {
  const lists = { instance: ['203.0.113.0/24'] };
  assertProblem(
    await from('198.51.100.1', await tenantWith({ ...lists, scopes: ['mail:send'] })),
    'forbidden',
  );
  const tenant = await tenantWith(lists);
  assertProblem(await from('198.51.100.1', { ...tenant, api_key: `${tenant.api_key}x` }), 'unauthorized');
  const settings = { is_enabled: 'false' };
  await setInstance(proxied.db, tenant.instance.slug, { settings, actor: operator });
  assertProblem(await from('198.51.100.1', tenant), 'forbidden');
});

test('a forwarded address counts only if a proxy is trusted', async () => {
  const tenant = await tenantWith({ instance: ['203.0.113.0/24'] });
  assertProblem(await from('203.0.113.9', tenant, direct), 'ip_not_allowed');
  assert.equal((await from('203.0.113.9', tenant, proxied)).status, 200);
  const local = await tenantWith({ key: ['127.0.0.0/8'] });
  assert.equal((await from('203.0.113.9', local, direct)).status, 200);
  assertProblem(await from('203.0.113.9', local, proxied), 'ip_not_allowed');
});

test('the last forwarded address counts with one trusted proxy, not what the client put before it', async () => {
  const tenant = await tenantWith({ instance: ['203.0.113.0/24'] });
  assert.equal((await from('198.51.100.1, 203.0.113.9', tenant, onehop)).status, 200);
  assertProblem(await from('203.0.113.9, 198.51.100.1', tenant, onehop), 'ip_not_allowed');
});

test('a malformed forwarded address is not allowed anywhere, and does no harm', async () => {
  const tenant = await tenantWith({ instance: ['0.0.0.0/0', '::/0'] });
  for (const address of ['nonsense', '203.0.113.9:4711', '999.1.1.1', '0x7f.1', "'; drop table fields"]) {
    assertProblem(await from(address, tenant), 'ip_not_allowed');
  }
  const open = await tenantWith({});
  assert.equal((await from('nonsense', open)).status, 200);
});
