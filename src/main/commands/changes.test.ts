import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startDnsServer, type DnsServer } from '../../../test/support/dns-server.ts';
import { startRemoteMx, type RemoteMx } from '../../../test/support/remote-mx.ts';
import { runCommand, type Ended } from '../../../test/support/run-command.ts';
import { startTestService, type Tenant, type TestService } from '../../../test/support/test-service.ts';

let service: TestService;
let tenant: Tenant;
let dns: DnsServer;
let mx: RemoteMx;
let folder: string;
before(async () => {
  dns = await startDnsServer({});
  mx = await startRemoteMx({});
  service = await startTestService({ roles: 'api,delivery', env: route() });
  tenant = await service.tenant();
  dns.set('keeper.test', 'MX', ['10 mx.keeper.test']);
  dns.set('mx.keeper.test', 'A', ['127.0.0.1']);
  folder = await mkdtemp(path.join(tmpdir(), 'chq-changes-'));
});
after(async () => {
  await service.stop();
  await mx.stop();
  await dns.stop();
  await rm(folder, { recursive: true, force: true });
});

const route = () => ({
  CHASQUI_DNS_SERVERS: dns.address,
  CHASQUI_MX_PORT: String(mx.port),
  CHASQUI_MX_ALLOW_PRIVATE: 'true',
});

const environment = () => ({
  DATABASE_URL: service.database.url,
  CHASQUI_DATA_DIR: folder,
  CHASQUI_SECRET: 'a root secret for tests, and for tests alone',
  ...route(),
});

async function chasqui(...words: string[]): Promise<Ended> {
  return await runCommand([...words, '--instance', tenant.instance.slug], environment());
}
// oxlint-disable-next-line typescript/no-explicit-any
async function json(...words: string[]): Promise<any> {
  const { code, stdout, stderr } = await chasqui(...words, '--json');
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

test('a sender is changed and deleted', async () => {
  const email = `news@${tenant.instance.slug}.sandbox.test`;
  const { id } = await json('sender', 'create', '--email', email, '--name', 'News');
  const changed = await json('sender', 'edit', String(id), '--name', 'Weekly', '--stream', 'broadcast');
  assert.deepEqual([changed.name, changed.stream, changed.email_address], ['Weekly', 'broadcast', email]);
  const untracked = await json('sender', 'edit', String(id), '--track-opens', 'off', '--track-clicks', 'on');
  assert.deepEqual([untracked.track_opens, untracked.track_clicks], [false, true]);
  assert.match((await chasqui('sender', 'edit', String(id), '--track-opens', 'no')).stderr, /on or off/);
  assert.match((await chasqui('sender', 'edit', String(id), '--stream', 'loud')).stderr, /validation_error/);
  assert.match((await chasqui('sender', 'edit', String(id))).stderr, /at least one thing/);
  await json('sender', 'delete', String(id));
  assert.match((await chasqui('sender', 'delete', String(id))).stderr, /sender_not_found/);
});

test('a template is changed, published, unpublished and deleted', async () => {
  const given = ['--name', 'Hi', '--subject', 'Hello', '--html', '<p>x</p>'];
  const { id } = await json('template', 'create', ...given);
  const changed = await json('template', 'edit', String(id), '--subject', 'Welcome');
  assert.deepEqual([changed.subject, changed.html, changed.name], ['Welcome', '<p>x</p>', 'Hi']);
  assert.equal((await json('template', 'publish', String(id))).is_published, true);
  assert.equal((await json('template', 'unpublish', String(id))).is_published, false);
  await json('template', 'delete', String(id));
  assert.match((await chasqui('template', 'publish', String(id))).stderr, /mail_template_not_found/);
  assert.match((await chasqui('template', 'delete', 'seven')).stderr, /Give the id/);
});

test('domain revoke and reinstate are the operator’s', async () => {
  await json('domain', 'create', 'ended.example.test');
  const revoked = await json('domain', 'revoke', 'ended.example.test');
  assert.deepEqual([revoked.mx_status, revoked.is_revoked_by_operator], ['revoked', true]);
  await json('domain', 'delete', 'ended.example.test');
  assert.equal((await json('domain', 'create', 'ended.example.test')).mx_status, 'revoked');
  assert.match((await chasqui('domain', 'show', 'ended.example.test')).stdout, /revoked by the operator/);
  const reinstated = await json('domain', 'reinstate', 'ended.example.test');
  assert.deepEqual([reinstated.mx_status, reinstated.is_revoked_by_operator], ['pending', false]);
});

test('domain create says when the public DNS can never verify a domain', async () => {
  const { code, stdout } = await chasqui('domain', 'create', 'mail.acme.cl');
  assert.equal(code, 0);
  assert.match(
    stdout,
    /mail\.acme\.cl can never be verified as long as the platform domain is chasqui\.test/,
  );
  assert.match(stdout, /Set CHASQUI_PLATFORM_DOMAIN to a domain of yours/);
  const reserved = await json('domain', 'create', 'shop.example');
  assert.match(reserved.notice, /^shop\.example can never be verified: the name is reserved/);
  const real = ['domain', 'create', '--instance', tenant.instance.slug, 'news.acme.cl', '--json'];
  const ended = await runCommand(real, { ...environment(), CHASQUI_PLATFORM_DOMAIN: 'mail.platform.cl' });
  assert.equal(JSON.parse(ended.stdout).notice, undefined);
});

test('mails the records of a domain to the person who manages the zone', async () => {
  await json('domain', 'create', 'sent.example.test');
  await json('domain', 'send-dns', 'sent.example.test', '--to', 'dns@keeper.test');
  const [message] = await mx.waitForMessages(1);
  assert.deepEqual(message?.rcpt_to, ['dns@keeper.test']);
  assert.match(message?.data.toString() ?? '', /s2\._domainkey\.sent\.example\.test/);
  assert.match(
    (await chasqui('domain', 'send-dns', 'sent.example.test', '--to', 'nobody')).stderr,
    /not an email/,
  );
});
