import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { RootSecret } from '../base/secrets.ts';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { createDomain, deleteDomain, rotateDkim } from './change-domain.ts';
import { loadSigningKey } from './dkim-keys.ts';

const platform_domain = 'chasqui.test';
const secret = new RootSecret('a root secret for tests, and for tests alone');
const actor = { kind: 'operator' } as const;
let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
});
after(async () => await service.stop());

const register = async (domain: string, instanceId = tenant.instance.id): Promise<number> =>
  await createDomain(service.db, instanceId, { domain, platform_domain, secret, actor });
const refusal = async (domain: string): Promise<string | undefined> =>
  await register(domain).then(
    () => undefined,
    (error: { code: string; facts: { errors?: { code: string }[] } }) =>
      error.facts.errors?.[0]?.code ?? error.code,
  );

test('a domain shows the records to publish, exactly', async () => {
  const id = await register('records.example.test');
  const { json } = await tenant.api.get(`/v1/domains/${id}`);
  const token = json.ownership_token;
  const dkim = (selector: string) => ({
    type: 'CNAME',
    host: `${selector}._domainkey.records.example.test`,
    value: `${selector}.${token}.dkim.chasqui.test`,
    priority: null,
  });
  assert.deepEqual(json.dns_records, {
    ownership_cname: {
      type: 'CNAME',
      host: `${token}.records.example.test`,
      value: 'verify.chasqui.test',
      priority: null,
    },
    mx: { type: 'MX', host: 'records.example.test', value: 'mx.chasqui.test', priority: 10 },
    spf: {
      type: 'TXT',
      host: 'records.example.test',
      value: 'v=spf1 include:spf.chasqui.test ~all',
      priority: null,
    },
    dkim: [dkim('s1'), dkim('s2')],
    dmarc: {
      type: 'TXT',
      host: '_dmarc.records.example.test',
      value: 'v=DMARC1; p=none; rua=mailto:dmarc@chasqui.test',
      priority: null,
    },
  });
  assert.deepEqual([json.check_reasons, json.signing_selector, json.external_id], [{}, 's1', null]);
});

const normalised: [string, string][] = [
  ['MAIL.Upper.Example.TEST', 'mail.upper.example.test'],
  ['dotted.example.test.', 'dotted.example.test'],
  ['  spaced.example.test ', 'spaced.example.test'],
  ['ñandú.example.test', 'xn--and-6ma2c.example.test'],
];
for (const [given, stored] of normalised) {
  test(`${JSON.stringify(given)} is stored as ${stored}`, async () => {
    const { json } = await tenant.api.get(`/v1/domains/${await register(given)}`);
    assert.equal(json.domain, stored);
    assert.equal(await refusal(given), 'domain_already_exists');
  });
}

const refused: [string, string][] = [
  ['', 'value_error.domain'],
  ['no spaces.example', 'value_error.domain'],
  ['-bad.example.test', 'value_error.domain'],
  ['a..b.test', 'value_error.domain'],
  ['192.0.2.1', 'value_error.domain'],
  ['[::1]', 'value_error.domain'],
  [`${'a'.repeat(64)}.test`, 'value_error.domain'],
  ['com', 'value_error.public_suffix'],
  ['co.uk', 'value_error.public_suffix'],
  ['github.io', 'value_error.public_suffix'],
  ['localhost', 'value_error.public_suffix'],
  ['sandbox.test', 'value_error.reserved_domain'],
  ['other.sandbox.test', 'value_error.reserved_domain'],
  ['SANDBOX.test.', 'value_error.reserved_domain'],
  ['chasqui.test', 'value_error.reserved_domain'],
  ['mx.chasqui.test', 'value_error.reserved_domain'],
];
for (const [given, code] of refused) {
  test(`${JSON.stringify(given)} is refused with ${code}`, async () =>
    assert.equal(await refusal(given), code));
}

test('two instances may register one domain, and never share a record', async () => {
  const other = await service.tenant();
  const mine = (await tenant.api.get(`/v1/domains/${await register('both.example.test')}`)).json;
  const theirs = (
    await other.api.get(`/v1/domains/${await register('both.example.test', other.instance.id)}`)
  ).json;
  assert.notEqual(mine.ownership_token, theirs.ownership_token);
  assert.equal((await tenant.api.get(`/v1/domains/${theirs.id}`)).json.code, 'domain_not_found');
});

test('the list is filtered by part of the name and by verification', async () => {
  const own = await service.tenant();
  await register('one.filter.test', own.instance.id);
  await register('two.FILTER.test', own.instance.id);
  const names = async (query: string) =>
    (await own.api.get(`/v1/domains?${query}`)).json.data.map(({ domain }: { domain: string }) => domain);
  assert.deepEqual(await names('domain=Filter'), ['one.filter.test', 'two.filter.test']);
  assert.deepEqual(await names('domain=%25'), []);
  assert.deepEqual(await names('domain=_ne.filter'), []);
  assert.deepEqual(await names('is_verified=true'), [`${own.instance.slug}.sandbox.test`]);
  assert.equal((await names('is_verified=false')).length, 2);
});

test('the states are found by name, in any case, and with a trailing dot', async () => {
  await register('status.example.test');
  const { json } = await tenant.api.get('/v1/domains/STATUS.example.test./status');
  assert.deepEqual(json, {
    domain: 'status.example.test',
    is_verified: false,
    is_ownership_verified: false,
    mx_status: 'pending',
    spf_status: 'pending',
    dkim_status: 'pending',
    dmarc_status: 'pending',
    last_verification_at: null,
  });
  const missing = await tenant.api.get('/v1/domains/missing.example.test/status');
  assert.equal(missing.json.code, 'domain_not_found');
});

test('text that is not a domain name is 422', async () => {
  for (const name of [
    'not%20a%20name',
    'a..test',
    '-a.test',
    '192.0.2.1',
    'a_b.test',
    'x'.repeat(64),
    '%00',
  ]) {
    const { status, json } = await tenant.api.get(`/v1/domains/${name}/status`);
    assert.deepEqual([status, json.errors?.[0].pointer], [422, '/domain_name'], name);
  }
});

test('a body that cannot be read is 422 on the routes of the panel too', async () => {
  const admin = await signIn(service, tenant, 'admin');
  const { status, json } = await admin.post('/v1/private/domains', '{"domain":');
  assert.deepEqual([status, json.errors?.[0].code], [422, 'value_error.encoding']);
});

test('malformed identifiers are 422, never 400', async () => {
  for (const id of ['abc', '0', '-1', '1.5', '99999999999999999999']) {
    assert.equal((await tenant.api.get(`/v1/domains/${id}`)).status, 422, id);
    assert.equal((await tenant.api.post(`/v1/domains/${id}/validate`)).status, 422, id);
  }
});

test('text that cannot be decoded is 422 too: domains never answer 400', async () => {
  for (const path of ['/v1/domains?domain=%zz', '/v1/domains/1?x=%ff', '/v1/domains/a.test/status?%']) {
    const { status, json } = await tenant.api.get(path);
    assert.deepEqual([status, json.errors[0].code], [422, 'value_error.encoding'], path);
  }
  for (const path of ['/%zz', '/%', '/%ff/status', '/a%ED%A0%80.test/status', '/1%2?x=1']) {
    const { status, json } = await tenant.api.get(`/v1/domains${path}`);
    assert.deepEqual([status, json.errors?.[0].code], [422, 'value_error.encoding'], path);
  }
  assert.equal((await tenant.api.post('/v1/domains/%zz/validate')).status, 422);
  assert.equal((await tenant.api.get('/v1/domains/%zz', { authorization: 'Bearer x' })).status, 401);
  const { json } = await tenant.api.get('/openapi.json');
  for (const [path, methods] of Object.entries<Record<string, { responses: object }>>(json.paths)) {
    if (!path.startsWith('/v1/domains')) continue;
    for (const { responses } of Object.values(methods)) assert.equal('400' in responses, false, path);
  }
});

test('private keys are encrypted at rest and open only with the root secret and in their place', async () => {
  const id = await register('keys.example.test');
  const rows = await service.db.query<{ private_key: Buffer; selector: string }>(
    'select private_key, selector from dkim_keys where domain_id = $1 order by selector',
    [id],
  );
  // A PKCS#8 RSA key in DER begins with 30 82 and names the algorithm by its OID.
  const oid = Buffer.from('2a864886f70d010101', 'hex');
  assert.ok(rows.every(({ private_key }) => !private_key.includes(oid)));
  assert.equal((await loadSigningKey(service.db, id, secret))?.selector, 's1');
  await assert.rejects(
    loadSigningKey(service.db, id, new RootSecret('quite another root secret than that one')),
  );
  await service.db.query(
    `update dkim_keys k set private_key = o.private_key from dkim_keys o
     where o.domain_id = k.domain_id and k.domain_id = $1 and k.selector = 's1' and o.selector = 's2'`,
    [id],
  );
  await assert.rejects(loadSigningKey(service.db, id, secret));
});

test('rotation makes the other key sign, and back', async () => {
  const id = await register('rotate.example.test');
  const signing = async () => (await loadSigningKey(service.db, id, secret))?.selector;
  const rotate = async () =>
    await service.db.transaction(async (tx) => await rotateDkim(tx, tenant.instance.id, { id, actor }));
  await rotate();
  assert.equal(await signing(), 's2');
  await rotate();
  assert.equal(await signing(), 's1');
});

test('a deleted domain is gone with its senders, and its name can be registered again', async () => {
  const id = await register('again.example.test');
  await service.db.query(
    "insert into senders (instance_id, domain_id, name, email_address) values ($1, $2, 'A', 'a@again.example.test')",
    [tenant.instance.id, id],
  );
  await service.db.transaction(async (tx) => await deleteDomain(tx, tenant.instance.id, { id, actor }));
  assert.equal((await tenant.api.get(`/v1/domains/${id}`)).status, 404);
  assert.deepEqual((await tenant.api.get('/v1/senders?email=again.example')).json.data, []);
  assert.notEqual(await register('again.example.test'), id);
});

test('the sandbox domain cannot be deleted', async () => {
  const { json } = await tenant.api.get('/v1/domains?domain=sandbox.test');
  const change = { id: json.data[0].id, actor };
  await assert.rejects(
    service.db.transaction(async (tx) => await deleteDomain(tx, tenant.instance.id, change)),
    { code: 'domain_is_sandbox' },
  );
});
