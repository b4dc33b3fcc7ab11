import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { RootSecret } from '../base/secrets.ts';
import { startDnsServer, type DnsServer } from '../../test/support/dns-server.ts';
import { createMovableClock } from '../../test/support/movable-clock.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { createResolver } from '../protocol/dns/client/resolver.ts';
import { createDomain, reinstateDomain, revokeDomain } from './change-domain.ts';
import type { Domain } from './domain-schemas.ts';
import { validateDomain } from './validate-domain.ts';

const platform_domain = 'chasqui.test';
const actor = { kind: 'operator' } as const;
const clock = createMovableClock(new Date('2026-12-01T12:00:00Z'));
let dns: DnsServer;
let service: TestService;
let tenant: Tenant;
let id: number;
let names = 0;

before(async () => {
  dns = await startDnsServer({});
  service = await startTestService({ env: { CHASQUI_DNS_SERVERS: dns.address }, clock });
  tenant = await service.tenant();
});
after(async () => {
  await service.stop();
  await dns.stop();
});
beforeEach(async () => {
  const domain = `mail${(names += 1)}.example.test`;
  const secret = new RootSecret('a root secret for tests, and for tests alone');
  id = await createDomain(service.db, tenant.instance.id, { domain, platform_domain, secret, actor });
});

const statuses = ({ mx_status, spf_status, dkim_status, dmarc_status }: Domain) => [
  mx_status,
  spf_status,
  dkim_status,
  dmarc_status,
];
const read = async (): Promise<Domain> => (await tenant.api.get(`/v1/domains/${id}`)).json;
const validate = async (): Promise<Domain> => {
  const { status, json } = await tenant.api.post(`/v1/domains/${id}/validate`);
  assert.equal(status, 200);
  return json;
};

/** Publishes what the domain's own dns_records say. */
async function publish(...members: ('mx' | 'spf' | 'dkim' | 'dmarc' | 'ownership_cname')[]): Promise<void> {
  const { dns_records } = await read();
  for (const record of members.flatMap((member) => dns_records[member])) {
    const value = record.type === 'MX' ? `${record.priority} ${record.value}` : record.value;
    dns.set(record.host, record.type, [value]);
  }
}

test('a new domain is pending, and reading it changes nothing', async () => {
  await publish('mx', 'spf', 'dkim', 'dmarc');
  const asked = dns.queries.length;
  const domain = await read();
  assert.deepEqual(statuses(await read()), ['pending', 'pending', 'pending', 'pending']);
  assert.equal(domain.last_verification_at, null);
  assert.equal(domain.mx_verified_at, null);
  assert.equal(domain.is_verified, false);
  assert.equal(dns.queries.length, asked);
});

test('pending becomes verified where the record is published', async () => {
  await publish('mx', 'spf', 'dkim', 'dmarc');
  const domain = await validate();
  assert.deepEqual(statuses(domain), ['verified', 'verified', 'verified', 'verified']);
  assert.equal(domain.is_verified, true);
  const at = clock.now().toISOString();
  for (const key of [
    'mx_verified_at',
    'spf_verified_at',
    'dkim_verified_at',
    'dmarc_verified_at',
    'last_verification_at',
  ] as const) {
    assert.equal(domain[key], at, key);
  }
});

test('pending becomes failed where it is missing; the checks are independent', async () => {
  await publish('spf', 'dmarc');
  const domain = await validate();
  assert.deepEqual(statuses(domain), ['failed', 'verified', 'failed', 'verified']);
  assert.equal(domain.is_verified, false);
  assert.equal(domain.mx_verified_at, domain.spf_verified_at);
});

test('failed becomes verified at the next validation after the record is corrected', async () => {
  assert.deepEqual(statuses(await validate()), ['failed', 'failed', 'failed', 'failed']);
  await publish('mx', 'spf', 'dkim', 'dmarc');
  assert.deepEqual(statuses(await read()), ['failed', 'failed', 'failed', 'failed']);
  assert.equal((await validate()).is_verified, true);
});

test('verified becomes failed only at the next validation, and its times move on and never back to null', async () => {
  await publish('mx', 'spf', 'dkim', 'dmarc');
  const first = await validate();
  dns.remove(first.domain);
  assert.equal((await read()).is_verified, true);
  clock.advance(60_000);
  const second = await validate();
  assert.deepEqual(statuses(second), ['failed', 'failed', 'verified', 'verified']);
  assert.equal(Date.parse(String(second.mx_verified_at)) - Date.parse(String(first.mx_verified_at)), 60_000);
  assert.equal(second.dkim_verified_at, second.last_verification_at);
});

test('the same DNS gives the same states; only the times are rewritten', async () => {
  await publish('mx', 'dkim');
  const first = await validate();
  clock.advance(1_000);
  const second = await validate();
  assert.deepEqual(statuses(second), statuses(first));
  assert.notEqual(second.last_verification_at, first.last_verification_at);
});

test('ownership is asked for until it is proven, once, and conditions nothing', async () => {
  await publish('mx', 'spf', 'dkim', 'dmarc');
  const without = await validate();
  assert.deepEqual([without.is_verified, without.is_ownership_verified], [true, false]);
  await publish('ownership_cname');
  const proven = await validate();
  assert.equal(proven.is_ownership_verified, true);
  const host = proven.dns_records.ownership_cname.host;
  const asked = dns.queriesFor(host).length;
  dns.remove(host);
  clock.advance(5_000);
  const later = await validate();
  assert.equal(later.ownership_verified_at, proven.ownership_verified_at);
  assert.equal(dns.queriesFor(host).length, asked);
});

test('one foreign MX beside ours keeps the domain from being verified', async () => {
  await publish('mx', 'spf', 'dkim', 'dmarc');
  const { domain } = await read();
  dns.set(domain, 'MX', ['10 mx.chasqui.test', '20 mail.corporate.test']);
  assert.deepEqual(statuses(await validate()), ['failed', 'verified', 'verified', 'verified']);
});

test('a copied DKIM TXT does not stand for the CNAME', async () => {
  await publish('mx', 'spf', 'dkim', 'dmarc');
  const { dns_records } = await read();
  const [first] = dns_records.dkim;
  dns.remove(first?.host ?? '');
  dns.set(first?.host ?? '', 'TXT', ['v=DKIM1; k=rsa; p=AAAA']);
  assert.equal((await validate()).dkim_status, 'failed');
});

test('SERVFAIL and refusal count as failed of that record, never as an error of the call', async () => {
  await publish('mx', 'spf', 'dkim', 'dmarc');
  const { domain } = await read();
  dns.fail(domain, 'MX', 'SERVFAIL');
  dns.fail(`_dmarc.${domain}`, 'TXT', 'REFUSED');
  assert.deepEqual(statuses(await validate()), ['failed', 'verified', 'verified', 'failed']);
  dns.recover();
});

test('name servers that never answer give a 200 with failed states after 5 seconds', async () => {
  dns.fail('*', '*', 'TIMEOUT');
  const began = performance.now();
  // It would wait for a minute for each answer.
  const resolver = createResolver({ servers: [dns.address], timeout_ms: 60_000 });
  const [answered, domain] = await Promise.all([
    validate(),
    validateDomain(service.db, tenant.instance.id, { id, platform_domain, resolver, clock }),
  ]);
  dns.recover();
  for (const each of [answered, domain]) {
    assert.deepEqual(statuses(each), ['failed', 'failed', 'failed', 'failed']);
  }
  assert.ok(performance.now() - began < 30_000, `${performance.now() - began} ms`);
});

test('many validations at once take few sockets, and do not delay other instances', async () => {
  const other = await service.tenant();
  const theirs = await createDomain(service.db, other.instance.id, {
    domain: 'calm.example.test',
    platform_domain,
    secret: new RootSecret('a root secret for tests, and for tests alone'),
    actor,
  });
  const { domain } = await read();
  for (const name of [domain, `_dmarc.${domain}`]) dns.fail(name, '*', 'TIMEOUT');
  const flood = Array.from({ length: 150 }, async () => await tenant.api.post(`/v1/domains/${id}/validate`));
  assert.equal((await Promise.race(flood)).status, 429, 'the first answer, while the others wait');
  const sockets = process.getActiveResourcesInfo().filter((name) => name === 'UDPWrap').length;
  assert.ok(sockets < 150, `${sockets} sockets`);
  assert.equal((await other.api.post(`/v1/domains/${theirs}/validate`)).status, 200);
  // Twenty of the flood run at a time, each for five seconds. Were it a hundred, the other instance would wait for them.
  const { length } = dns.queriesFor(domain, 'MX');
  assert.ok(length < 80, `${length} queries of the flood went before`);
  dns.recover();
  const codes = (await Promise.all(flood)).map((answer) => answer.status);
  assert.deepEqual(new Set(codes), new Set([200, 429]));
});

test('a validation that began earlier and ends later does not overwrite the states of a newer one', async () => {
  await publish('mx', 'spf', 'dkim', 'dmarc');
  const { domain } = await read();
  dns.fail(domain, 'MX', 'SERVFAIL');
  dns.fail(`_dmarc.${domain}`, 'TXT', 'TIMEOUT');
  const earlier = validate();
  await waitFor(
    () => dns.queriesFor(domain, 'MX').length > 0 && dns.queriesFor(`_dmarc.${domain}`).length > 0,
  );
  dns.recover();
  clock.advance(100);
  const newer = await validate();
  assert.equal(newer.is_verified, true);
  assert.equal((await earlier).is_verified, true);
  assert.equal((await read()).last_verification_at, newer.last_verification_at);
  clock.set(new Date(clock.now().getTime() - 3_600_000));
  dns.remove(domain, 'MX');
  assert.equal((await validate()).mx_status, 'failed', 'after the clock was set back');
});

test('revoked is set by administration, survives validation, and is undone by administration', async () => {
  await publish('mx', 'spf', 'dkim', 'dmarc');
  await validate();
  await service.db.transaction(async (tx) => await revokeDomain(tx, tenant.instance.id, { id, actor }));
  assert.deepEqual(statuses(await validate()), ['revoked', 'revoked', 'revoked', 'revoked']);
  await service.db.transaction(async (tx) => await reinstateDomain(tx, tenant.instance.id, { id, actor }));
  assert.deepEqual(statuses(await read()), ['pending', 'pending', 'pending', 'pending']);
  assert.equal((await validate()).is_verified, true);
});

test('the sandbox domain validates as verified without a single DNS packet', async () => {
  const { json } = await tenant.api.get('/v1/domains?domain=sandbox.test');
  const [sandbox] = json.data;
  assert.equal(sandbox.is_sandbox, true);
  const asked = dns.queries.length;
  clock.advance(1_000);
  const { json: validated } = await tenant.api.post(`/v1/domains/${sandbox.id}/validate`);
  assert.equal(validated.is_verified, true);
  assert.equal(validated.last_verification_at, clock.now().toISOString());
  assert.equal(dns.queries.length, asked);
});
