import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { startDnsServer, type DnsServer } from '../../../test/support/dns-server.ts';
import { startRemoteMx } from '../../../test/support/remote-mx.ts';
import { startTestService, type TestService } from '../../../test/support/test-service.ts';
import { readConfig, type Environment } from '../../base/config.ts';
import { addVerifiedDomain } from '../../deliver/delivery-bed.fixture.ts';
import { selfSignedCertificate } from '../../protocol/tls/self-signed-certificate.ts';
import { examine, type Finding } from '../../installation/check.ts';
import { externalChecks } from './external-checks.ts';

let service: TestService;
let dns: DnsServer;
before(async () => {
  service = await startTestService({ roles: 'api' });
});
after(async () => await service.stop());
beforeEach(async () => {
  dns = await startDnsServer({
    records: {
      'spf.mail.acme.cl': { TXT: ['v=spf1 ip4:5.9.1.7 -all'] },
      'mx.mail.acme.cl': { A: ['5.9.1.7'] },
      '7.1.9.5.in-addr.arpa': { PTR: ['MX.mail.acme.cl'] },
    },
  });
});
afterEach(async () => await dns.stop());

/** Of an installation that is set up as it should be, unless said otherwise. */
async function look(check: string, env: Environment = {}): Promise<Finding> {
  const config = readConfig({
    CHASQUI_DNS_SERVERS: dns.address,
    CHASQUI_PLATFORM_DOMAIN: 'mail.acme.cl',
    CHASQUI_PUBLIC_ADDRESSES: '5.9.1.7',
    CHASQUI_BASE_URL: 'https://mail.acme.cl',
    CHASQUI_PORT_25_HOST: '127.0.0.1',
    ...env,
  });
  const found = externalChecks({ db: service.db, config }).find(({ name }) => name === check);
  assert.ok(found, check);
  return await examine(found);
}

async function fails(check: string, detail: RegExp, env: Environment = {}): Promise<void> {
  const finding = await look(check, env);
  assert.equal(finding.ok, false, `${check}: ${finding.detail}`);
  assert.match(finding.detail, detail);
  assert.ok((finding.action ?? '').length > 20, 'it says what to do');
}

async function passes(check: string, detail: RegExp, env: Environment = {}): Promise<void> {
  const finding = await look(check, env);
  assert.deepEqual([finding.ok, finding.action], [true, null], finding.detail);
  assert.match(finding.detail, detail);
}

test('a zone that the world can resolve is in order; one that is not delegated, or says something else, is not', async () => {
  await passes('platform zone', /mail\.acme\.cl is delegated: mx\.mail\.acme\.cl is 5\.9\.1\.7/);
  dns.set('mx.mail.acme.cl', 'A', ['5.9.1.8']);
  await fails('platform zone', /leads to 5\.9\.1\.8/);
  dns.set('spf.mail.acme.cl', 'TXT', ['v=spf1 ip4:5.9.1.9 -all']);
  await fails('platform zone', /should say "v=spf1 ip4:5\.9\.1\.7 -all"/);
  dns.remove('spf.mail.acme.cl');
  await fails('platform zone', /is not delegated/);
  dns.fail('spf.mail.acme.cl', '*', 'SERVFAIL');
  await fails('platform zone', /could not be resolved \(servfail\)/);
});

test('the greeting, its address and the PTR agree', async () => {
  await passes('reverse DNS', /5\.9\.1\.7 is mx\.mail\.acme\.cl/);
  dns.set('mx.mail.acme.cl', 'A', ['5.9.1.8']);
  await fails('reverse DNS', /resolves to 5\.9\.1\.8, not to 5\.9\.1\.7/);
  dns.set('7.1.9.5.in-addr.arpa', 'PTR', ['static.isp.net']);
  await fails('reverse DNS', /its PTR is static\.isp\.net/);
  dns.remove('7.1.9.5.in-addr.arpa');
  await fails('reverse DNS', /has no PTR record/);
  dns.fail('7.1.9.5.in-addr.arpa', '*', 'REFUSED');
  await fails('reverse DNS', /could not be read \(refused\)/);
  await passes('reverse DNS', /smarthost/, { CHASQUI_SMARTHOST: 'smtp://relay.acme.cl' });
  await passes('reverse DNS', /no public address/, { CHASQUI_PUBLIC_ADDRESSES: '10.0.0.1' });
});

test('the PTR of an IPv6 address is looked up digit by digit', async () => {
  const address = '2600:1900::0007';
  const name = '7.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.9.1.0.0.6.2.ip6.arpa';
  dns.set(name, 'PTR', ['mx.mail.acme.cl']);
  dns.set('mx.mail.acme.cl', 'AAAA', [address]);
  await passes('reverse DNS', /2600:1900::0007 is mx/, { CHASQUI_PUBLIC_ADDRESSES: address });
});

test('port 25 outward is tried with a real session, and a closed one is found', async (t) => {
  const mx = await startRemoteMx({});
  await passes('port 25', /answers at port/, { CHASQUI_MX_PORT: String(mx.port) });
  assert.equal(mx.sessions.length, 1);
  await mx.stop();
  await fails('port 25', /cannot be reached/, { CHASQUI_MX_PORT: String(mx.port) });
  const mute = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  t.after(() => mute.close());
  const { port } = mute.address() as { port: number };
  await fails('port 25', /cannot be reached/, { CHASQUI_MX_PORT: String(port) });
  await fails('port 25', /could not be resolved/, { CHASQUI_PORT_25_HOST: 'mx.nowhere.cl' });
});

test('port 25 is not checked with a relay and in test beds', async () => {
  await passes('port 25', /smarthost/, { CHASQUI_SMARTHOST: 'smtp://relay.acme.cl' });
  const unsaid = { CHASQUI_PORT_25_HOST: '' };
  await passes('port 25', /test bed/, { ...unsaid, CHASQUI_MX_ALLOW_PRIVATE: 'true' });
  await passes('port 25', /test bed/, { ...unsaid, CHASQUI_PLATFORM_DOMAIN: 'chasqui.test' });
  assert.deepEqual(dns.queries, []);
});

test('a certificate that is to be got by ACME and is not there is found, with what the authority said', async () => {
  const directory = 'https://acme.example/directory';
  const env = { CHASQUI_ACME_DIRECTORY: directory };
  await fails('certificate', /none yet from https:\/\/acme\.example\/directory: it was not ordered/, env);
  await service.db.query(
    `insert into acme_accounts (directory, private_key, last_error) values ($1, '', 'mx.mail.acme.cl: no answer')`,
    [directory],
  );
  await fails('certificate', /mx\.mail\.acme\.cl: no answer/, env);
  const { cert } = selfSignedCertificate({
    names: ['mx.mail.acme.cl'],
    valid_from: new Date(),
    valid_days: 90,
    issuer: selfSignedCertificate({ names: ['authority'], valid_from: new Date(), is_authority: true }),
  });
  await service.db.query(
    `insert into certificates (id, names, chain, private_key, valid_from, valid_until)
     values (1, '{mx.mail.acme.cl}', $1, '', now(), now())`,
    [cert],
  );
  await fails('certificate', /could not be renewed: mx/, env);
  await service.db.query('update acme_accounts set last_error = null');
  await passes('certificate', /^for mx\.mail\.acme\.cl, valid for 89 more days$/, env);
});

test('a local base URL and a reserved platform domain are in order until a real domain sends', async () => {
  const local = { CHASQUI_BASE_URL: 'http://localhost:8080' };
  const reserved = { CHASQUI_PLATFORM_DOMAIN: 'chasqui.test' };
  const plain = { CHASQUI_BASE_URL: 'http://mail.acme.cl' };
  await passes('base URL', /^https:\/\/mail\.acme\.cl$/);
  await passes('base URL', /only this network/, local);
  await passes('base URL', /no real domain/, plain);
  await passes('platform zone', /reserved/, reserved);
  const tenant = await service.tenant();
  await addVerifiedDomain(service, tenant, 'shop.example.test');
  await passes('base URL', /only this network/, local);
  const id = await addVerifiedDomain(service, tenant, 'tienda.cl');
  await fails('base URL', /tienda\.cl sends: mail waits in the queue/, local);
  await fails('base URL', /lead nowhere/, { ...local, CHASQUI_ALLOW_LOCAL_BASE_URL: 'true' });
  await fails('base URL', /not https/, plain);
  await fails('platform zone', /reserved name.*tienda\.cl/, reserved);
  await service.db.query(`update domains set dkim_status = 'failed' where id = $1`, [id]);
  await passes('base URL', /only this network/, local);
});
