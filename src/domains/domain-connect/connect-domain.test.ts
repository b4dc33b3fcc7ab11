import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { promises as nodeDns } from 'node:dns';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { startDnsServer, type DnsServer } from '../../../test/support/dns-server.ts';
import { signIn } from '../../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../../test/support/test-service.ts';
import { createResolver } from '../../protocol/dns/client/resolver.ts';
import { discoverProvider } from './discover.ts';
import { createProviderClient } from './provider-client.ts';
import { domainConnectTemplate } from './template.ts';

const platform_domain = 'mail.platform.test';
const applyPath = `/ux/v2/domainTemplates/providers/${platform_domain}/services/sending/apply`;
let dns: DnsServer;
let service: TestService;
let tenant: Tenant;
let provider: Server;
let origin: string;
let zones = 0;
/** What the provider says, by path; anything else is 404. */
let answers: Record<string, { status?: number; location?: string; body: string }>;
let asked: string[];

before(async () => {
  dns = await startDnsServer({});
  provider = createServer((request, response) => {
    const path = request.url ?? '';
    asked.push(path);
    const { status = 200, location, body } = answers[path] ?? { status: 404, body: '{}' };
    response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) });
    response.end(body);
  });
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  origin = `127.0.0.1:${(provider.address() as AddressInfo).port}`;
  service = await startTestService({
    env: {
      CHASQUI_DNS_SERVERS: dns.address,
      CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true',
      CHASQUI_PLATFORM_DOMAIN: platform_domain,
      CHASQUI_PUBLIC_ADDRESSES: '192.0.2.7',
    },
  });
});
after(async () => {
  await service.stop();
  provider.closeAllConnections();
  provider.close();
  await dns.stop();
});
beforeEach(() => {
  answers = {};
  asked = [];
});

/** A domain in a zone whose provider has our template, unless told otherwise. */
async function register(): Promise<{ id: number; zone: string; records: Published[] }> {
  tenant = await service.tenant();
  const developer = await signIn(service, tenant, 'developer');
  const zone = `shop${(zones += 1)}.test`;
  dns.set(zone, 'NS', ['ns1.registrar.test']);
  dns.set(`_domainconnect.${zone}`, 'TXT', [`${origin}/dc`]);
  const urls = { urlSyncUX: `http://${origin}/ux`, urlAPI: `http://${origin}/api` };
  answers[`/dc/v2/${zone}/settings`] = {
    body: JSON.stringify({ providerId: 'registrar.test', providerName: 'Registrar', ...urls }),
  };
  answers[`/api/v2/domainTemplates/providers/${platform_domain}/services/sending`] = { body: '{}' };
  const { json } = await developer.post('/v1/private/domains', { domain: `mail.${zone}` });
  const { mx, spf, dkim, dmarc, ownership_cname } = json.dns_records;
  return { id: json.id, zone, records: [ownership_cname, mx, spf, ...dkim, dmarc] };
}

interface Published {
  host: string;
  type: string;
  value: string;
}
interface Connection {
  provider_name: string | null;
  apply_url: string | null;
  records: string[];
}

async function connect(id: number): Promise<Connection> {
  const { status, json } = await tenant.api.get(`/v1/domains/${id}/connect`);
  assert.equal(status, 200, JSON.stringify(json));
  return json;
}

const nothing = { provider_name: null, apply_url: null, records: [] };

test('the link applies exactly the records of the domain, and its signature verifies with the published key', async () => {
  const { id, zone, records } = await register();
  const offered = await connect(id);
  assert.equal(offered.provider_name, 'Registrar');
  assert.deepEqual(offered.records, ['ownership', 'mx', 'spf', 'dkim', 'dmarc']);
  const url = new URL(offered.apply_url ?? '');
  assert.equal(url.origin + url.pathname, `http://${origin}${applyPath}`);
  const query = Object.fromEntries(url.searchParams);
  assert.deepEqual([query['domain'], query['host']], [zone, 'mail']);
  assert.match(query['redirect_uri'] ?? '', new RegExp(`/panel/i/${tenant.instance.slug}/domains/${id}$`));
  assert.ok(await isSigned(url), 'the signature verifies');
  assert.ok(!(await isSigned(new URL(url.href.replace(zone, 'other.test')))), 'only for this domain');
  const applied = applyTemplate(query).map(({ host, value }) => `${host} ${value}`);
  assert.deepEqual(applied.sort(), records.map(({ host, value }) => `${host} ${value}`).sort());
});

/** As a provider does: the public key is in the platform's own zone, in parts. */
async function isSigned(url: URL): Promise<boolean> {
  const [query = ''] = url.search.slice(1).split('&key=');
  const resolver = new nodeDns.Resolver();
  resolver.setServers([service.service.addresses.dns ?? '']);
  const parts = await resolver.resolveTxt(`${url.searchParams.get('key')}.${platform_domain}`);
  const key = parts
    .map((strings) => strings.join(''))
    .toSorted()
    .map((part) => /^p=\d,a=RS256,d=(.+)$/.exec(part)?.[1])
    .join('');
  const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
  const signature = Buffer.from(url.searchParams.get('sig') ?? '', 'base64');
  return verify('sha256', Buffer.from(query), publicKey, signature);
}

/** The records that the template makes of a query, as the platform writes them. */
function applyTemplate({ domain, host, token, groupId }: Record<string, string>): Published[] {
  const at = `${host}.${domain}`;
  const filled = (value: string | number | undefined): string =>
    String(value).replaceAll('%token%', token ?? '');
  return domainConnectTemplate({ platform_domain, base_url: 'https://mail.platform.test' })
    .records.filter((record) => groupId?.split(',').includes(record.groupId))
    .map((record) => ({
      host: record.host === '@' ? at : `${filled(record.host)}.${at}`,
      type: record.type,
      value:
        record.type === 'SPFM'
          ? `v=spf1 ${record['spfRules']} ~all`
          : filled(record['pointsTo'] ?? record['data']),
    }));
}

test('only what is missing is applied: other servers’ MX stays, and SPF is extended', async () => {
  const { id, zone, records } = await register();
  dns.set(`mail.${zone}`, 'MX', ['5 aspmx.l.google.com']);
  dns.set(`mail.${zone}`, 'TXT', ['v=spf1 include:_spf.google.com ~all']);
  dns.set(`_dmarc.mail.${zone}`, 'TXT', ['v=DMARC1; p=reject']);
  const [ownership] = records;
  dns.set(ownership?.host ?? '', 'CNAME', [ownership?.value ?? '']);
  assert.deepEqual((await connect(id)).records, ['spf', 'dkim']);
});

test('no offer without the record, without the template, or with settings that lead elsewhere than https', async () => {
  const { id, zone } = await register();
  const settings = `/dc/v2/${zone}/settings`;
  const good = answers[settings] ?? { body: '' };
  const wrong: (typeof answers)[string][] = [
    { body: 'not JSON' },
    { body: '[]' },
    { status: 500, body: good.body },
    { status: 302, location: `http://${origin}/dc/elsewhere`, body: good.body },
    { body: good.body.replace(`http://${origin}/ux`, 'javascript:alert(1)//') },
    { body: good.body.replace(`http://${origin}/ux`, 'https://somebody:secret@registrar.test') },
    { body: JSON.stringify({ ...JSON.parse(good.body), padding: 'x'.repeat(70_000) }) },
  ];
  for (const answer of wrong) {
    answers[settings] = answer;
    assert.deepEqual(await connect(id), nothing, JSON.stringify(answer).slice(0, 200));
  }
  assert.ok(!asked.includes('/dc/elsewhere'), 'redirects are not followed');
  answers = { [settings]: good };
  assert.deepEqual(await connect(id), nothing, 'the provider does not have the template');
  dns.remove(`_domainconnect.${zone}`, 'TXT');
  assert.deepEqual(await connect(id), nothing);
});

test('a record that leads into a private network is not followed', async () => {
  const { zone } = await register();
  dns.set('inside.test', 'A', ['127.0.0.1', '10.0.0.1']);
  const resolver = createResolver({ servers: [dns.address], timeout_ms: 2_000 });
  const ask = createProviderClient({
    allow_insecure: false,
    addresses: async (host) => await resolver.addresses(host),
  });
  const seen: string[] = [];
  const watched: typeof ask = async (url, signal) => {
    seen.push(url.href);
    return await ask(url, signal);
  };
  const lookup = { resolver, signal: AbortSignal.timeout(10_000) };
  const looked = async (text: string) => {
    dns.set(`_domainconnect.${zone}`, 'TXT', [text]);
    return await discoverProvider(zone, lookup, { ask: watched, allow_insecure: false });
  };
  for (const text of ['inside.test', '127.0.0.1/dc', `${origin}/dc`, 'https://inside.test', 'a@inside.test'])
    assert.equal(await looked(text), undefined, text);
  const settings = `v2/${zone}/settings`;
  assert.deepEqual(seen, [`https://inside.test/${settings}`, `https://127.0.0.1/dc/${settings}`]);
  assert.deepEqual(asked, []);
  const url = new URL(`https://inside.test/${settings}`);
  await assert.rejects(ask(url, lookup.signal), { reason: 'address_not_allowed' });
});
