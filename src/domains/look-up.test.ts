import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDnsServer, type DnsServer } from '../../test/support/dns-server.ts';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

type Panel = Awaited<ReturnType<typeof signIn>>;
interface Looked {
  purpose: string;
  host: string;
  name: string;
  status: string;
  problem: string | null;
  found: string[];
  found_at: string | null;
  suggested_value: string | null;
}
let dns: DnsServer;
let service: TestService;
let tenant: Tenant;
let developer: Panel;
let viewer: Panel;
let names = 0;

before(async () => {
  dns = await startDnsServer({});
  service = await startTestService({ env: { CHASQUI_DNS_SERVERS: dns.address } });
});
after(async () => {
  await service.stop();
  await dns.stop();
});

/** Each test has an instance of its own: look-ups are limited per instance. */
async function register(): Promise<{ id: number; domain: string; zone: string; records: Published[] }> {
  tenant = await service.tenant();
  developer = await signIn(service, tenant, 'developer');
  viewer = await signIn(service, tenant, 'viewer');
  const zone = `acme${(names += 1)}.test`;
  dns.set(zone, 'NS', ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']);
  const { json } = await developer.post('/v1/private/domains', { domain: `mail.${zone}` });
  const { ownership_cname, mx, spf, dkim, dmarc } = json.dns_records;
  return { id: json.id, domain: json.domain, zone, records: [ownership_cname, mx, spf, ...dkim, dmarc] };
}

interface Published {
  host: string;
  type: 'CNAME' | 'MX' | 'TXT';
  value: string;
  priority?: number;
}

const publish = (
  { host, type, value, priority }: Published,
  { at = host, as = value }: { at?: string; as?: string } = {},
): void => dns.set(at, type, [type === 'MX' ? `${priority} ${as}` : as]);

const lookUp = async (id: number): Promise<Record<string, unknown> & { records: Looked[] }> => {
  const { status, json } = await tenant.api.get(`/v1/domains/${id}/dns`);
  assert.equal(status, 200, JSON.stringify(json));
  return json;
};
const statusesOf = ({ records }: { records: Looked[] }): string[] =>
  records.map(({ purpose, status }) => `${purpose} ${status}`);
const only = (looked: { records: Looked[] }, purpose: string): Looked => {
  const record = looked.records.find((each) => each.purpose === purpose);
  assert.ok(record);
  return record;
};

test('records stand relative to their zone, each with a status, both DKIM keys apart', async () => {
  const { id, zone, records } = await register();
  for (const record of records.slice(0, 4)) publish(record);
  const looked = await lookUp(id);
  assert.equal(looked['zone'], zone);
  assert.equal(looked['provider'], 'cloudflare');
  assert.deepEqual(looked['name_servers'], ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com']);
  assert.deepEqual(statusesOf(looked), [
    'ownership found',
    'mx found',
    'spf found',
    'dkim found',
    'dkim not_found',
    'dmarc not_found',
  ]);
  assert.deepEqual(
    looked.records.slice(1).map(({ name }) => name),
    ['mail', 'mail', 's1._domainkey.mail', 's2._domainkey.mail', '_dmarc.mail'],
  );
  assert.equal(looked['all_found'], false);
  for (const record of records.slice(4)) publish(record);
  assert.equal((await lookUp(id))['all_found'], true);
});

test('a look-up changes no state, however often it finds everything', async () => {
  const { id, records } = await register();
  for (const record of records) publish(record);
  assert.equal((await lookUp(id))['all_found'], true);
  const { json } = await tenant.api.get(`/v1/domains/${id}`);
  assert.equal(json.is_verified, false);
  assert.equal(json.mx_status, 'pending');
  assert.equal(json.last_verification_at, null);
});

test('another value, no value and no answer are told apart', async () => {
  const { id, domain, records } = await register();
  for (const record of records) publish(record);
  dns.set(domain, 'MX', ['5 aspmx.l.google.com', '10 alt1.aspmx.l.google.com']);
  dns.remove(`_dmarc.${domain}`);
  dns.fail(`s1._domainkey.${domain}`, '*', 'SERVFAIL');
  const looked = await lookUp(id);
  const mx = only(looked, 'mx');
  assert.deepEqual([mx.status, mx.problem], ['wrong_value', 'wrong_value']);
  assert.deepEqual(mx.found, ['5 aspmx.l.google.com', '10 alt1.aspmx.l.google.com']);
  const dmarc = only(looked, 'dmarc');
  assert.deepEqual([dmarc.status, dmarc.problem, dmarc.found], ['not_found', 'not_found', []]);
  assert.deepEqual([only(looked, 'dkim').status, only(looked, 'dkim').problem], ['unreadable', 'unreadable']);
});

test('a record that the provider published with the zone twice is recognised', async () => {
  const { id, domain, zone, records } = await register();
  for (const record of records) publish(record, { at: `${record.host}.${zone}` });
  const looked = await lookUp(id);
  for (const { status, host, found_at } of looked.records) {
    assert.deepEqual([status, found_at], ['not_found', `${host}.${zone}`]);
  }
  dns.set(`_dmarc.${domain}.${zone}`, 'TXT', ['v=spf1 -all']);
  assert.equal(only(await lookUp(id), 'dmarc').found_at, null, 'what a wildcard answers is not the record');
});

test('one SPF record is offered that keeps what is published', async () => {
  const { id, domain } = await register();
  const offered: [string[], string | null][] = [
    [['v=spf1 include:_spf.google.com -all'], 'v=spf1 include:_spf.google.com include:spf.chasqui.test -all'],
    [
      ['v=spf1 ip4:192.0.2.1 ~all', 'v=spf1 a include:spf.chasqui.test -all'],
      'v=spf1 ip4:192.0.2.1 a include:spf.chasqui.test ~all',
    ],
    [['v=spf1 mx redirect=_spf.example.com'], 'v=spf1 mx include:spf.chasqui.test redirect=_spf.example.com'],
    [['v=spf1 MX mx ?include:spf.chasqui.test'], 'v=spf1 mx include:spf.chasqui.test ~all'],
    [[`v=spf1 ${Array.from({ length: 10 }, (_, at) => `include:${at}.test`).join(' ')} -all`], null],
    [['v=spf1 ip4:192.0.2.1\u0007 -all'], null],
  ];
  for (const [published, wanted] of offered) {
    dns.set(domain, 'TXT', published);
    const { status, suggested_value } = only(await lookUp(id), 'spf');
    assert.deepEqual([status, suggested_value], ['wrong_value', wanted], published.join());
  }
});

test('a DMARC policy without reports is offered with an address for them', async () => {
  const { id, domain } = await register();
  dns.set(`_dmarc.${domain}`, 'TXT', ['v=DMARC1; p=reject;']);
  const { problem, suggested_value } = only(await lookUp(id), 'dmarc');
  assert.equal(problem, 'dmarc_rua_missing');
  assert.equal(suggested_value, 'v=DMARC1; p=reject; rua=mailto:dmarc@chasqui.test');
});

test('a name that receives mail elsewhere is told, with a free subdomain', async () => {
  await register();
  dns.set('empresa.test', 'NS', ['ns12.domaincontrol.com']);
  dns.set('empresa.test', 'MX', ['10 alt.mx.test', '1 aspmx.l.google.com']);
  dns.set('mail.empresa.test', 'CNAME', ['ghs.googlehosted.test']);
  const { json } = await tenant.api.get('/v1/domains/Empresa.test/lookup');
  assert.deepEqual(json, {
    domain: 'empresa.test',
    zone: 'empresa.test',
    name_servers: ['ns12.domaincontrol.com'],
    provider: 'godaddy',
    mail_servers: [
      { exchange: 'aspmx.l.google.com', priority: 1 },
      { exchange: 'alt.mx.test', priority: 10 },
    ],
    receives_mail_elsewhere: true,
    alias_of: null,
    suggested_domain: 'send.empresa.test',
  });
  const alias = await viewer.get('/v1/private/domains/mail.empresa.test/lookup');
  assert.deepEqual(
    [alias.json.alias_of, alias.json.suggested_domain],
    ['ghs.googlehosted.test', 'mail.mail.empresa.test'],
  );
});

test('a name without mail, with the null MX or with ours is free', async () => {
  await register();
  dns.set('null.test', 'MX', ['0 .']);
  dns.set('ours.test', 'MX', ['10 mx.chasqui.test']);
  for (const name of ['nothing.test', 'null.test', 'ours.test']) {
    const { json } = await tenant.api.get(`/v1/domains/${name}/lookup`);
    assert.deepEqual([json.receives_mail_elsewhere, json.suggested_domain], [false, null], name);
  }
  dns.fail('broken.test', '*', 'SERVFAIL');
  const { json } = await tenant.api.get('/v1/domains/broken.test/lookup');
  assert.equal(json.receives_mail_elsewhere, null);
});

test('names that cannot be registered are not looked up', async () => {
  await register();
  const asked = dns.queries.length;
  for (const name of ['co.uk', 'localhost', '127.0.0.1', 'x.sandbox.test', 'mx.chasqui.test', 'no%20name']) {
    const { status, json } = await tenant.api.get(`/v1/domains/${name}/lookup`);
    assert.deepEqual([status, json.errors[0].pointer], [422, '/domain_name'], name);
  }
  assert.equal(dns.queries.length, asked);
});

test('an instance looks up 30 times at once, then waits; another instance does not', async () => {
  const { id } = await register();
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async () => (await tenant.api.get(`/v1/domains/${id}/dns`)).status),
  );
  const refused = statuses.filter((status) => status === 429).length;
  assert.ok(refused >= 5 && refused <= 10, `${refused} refused`);
  const other = await register();
  await lookUp(other.id);
});

test('the domain of another instance does not exist, the sandbox needs no look-up', async () => {
  const { id } = await register();
  const other = await service.tenant();
  assert.equal((await other.api.get(`/v1/domains/${id}/dns`)).json.code, 'domain_not_found');
  const { json } = await tenant.api.get('/v1/domains?domain=sandbox');
  assert.equal((await tenant.api.get(`/v1/domains/${json.data[0].id}/dns`)).json.code, 'domain_is_sandbox');
});
