import assert from 'node:assert/strict';
import { promises as dnsPromises } from 'node:dns';
import { after, before, test } from 'node:test';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { startDnsServer, type DnsServer } from '../../test/support/dns-server.ts';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { inSequence, startRemoteMx, type RemoteMx } from '../../test/support/remote-mx.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { RootSecret } from '../base/secrets.ts';
import { openPlatformSender } from '../domains/platform-sender.ts';
import { getInstance, listInstances } from '../instances/instances.ts';
import { zonefile } from './commands/domain.ts';

const platform_domain = 'mail.platform.test';
const secret = new RootSecret('a root secret for tests, and for tests alone');
const reply = inSequence('451 4.7.1 greylisted', '250 2.1.5 ok');
let dns: DnsServer;
let mx: RemoteMx;
let service: TestService;
let panel: PanelUser;
let path: string;
before(async () => {
  dns = await startDnsServer({});
  mx = await startRemoteMx({
    script: { RCPT: (_, argument) => (argument.includes('<later@') ? reply() : undefined) },
  });
  dns.set('people.test', 'MX', ['10 mx.people.test']);
  dns.set('mx.people.test', 'A', ['127.0.0.1']);
  service = await startTestService({
    roles: 'api,delivery,dns',
    env: {
      CHASQUI_PLATFORM_DOMAIN: platform_domain,
      CHASQUI_PUBLIC_ADDRESSES: '192.0.2.7',
      CHASQUI_DNS_SERVERS: dns.address,
      CHASQUI_MX_PORT: String(mx.port),
      CHASQUI_MX_ALLOW_PRIVATE: 'true',
    },
  });
  panel = await signIn(service, await service.tenant(), 'admin');
  const { json } = await panel.post('/v1/private/domains', { domain: 'news.example.test' });
  path = `/v1/private/domains/${json.id}/send-dns`;
});
after(async () => {
  await service.stop();
  await mx.stop();
  await dns.stop();
});

async function send(email: string): Promise<void> {
  const answer = await panel.post(path, { email });
  assert.equal(answer.status, 204, answer.text);
}

const arrived = async (email: string) => {
  const find = () => mx.messages.find(({ rcpt_to }) => rcpt_to.includes(email));
  await waitFor(() => find() !== undefined, { timeout_ms: 30_000, what: `mail to ${email}` });
  return find();
};

test('mail of the platform is signed with a key of its zone, and SPF allows it', async () => {
  await send('dns@people.test');
  const message = await arrived('dns@people.test');
  assert.match(message?.mail_from ?? '', /^bounce-[0-9a-f]+@mail\.platform\.test$/);
  const text = message?.data.toString() ?? '';
  assert.match(text, /^From: Chasqui <postmaster@mail\.platform\.test>\r$/m);
  assert.match(text, /^Auto-Submitted: auto-generated\r$/m);
  const resolver = new dnsPromises.Resolver();
  resolver.setServers([service.service.addresses.dns ?? '']);
  const verdict = await dkimVerify(text, {
    resolver: async (name: string) => await resolver.resolveTxt(name),
  });
  const [signature] = verdict.results;
  assert.deepEqual([signature?.status?.result, signature?.signingDomain], ['pass', platform_domain]);
  assert.deepEqual(await resolver.resolveTxt(platform_domain), [
    [`v=spf1 include:spf.${platform_domain} -all`],
  ]);
  assert.deepEqual(await resolver.resolveTxt(`spf.${platform_domain}`), [['v=spf1 ip4:192.0.2.7 -all']]);
});

test('a server that defers it gets it again', async () => {
  await send('later@people.test');
  const waiting = `from queue q join mails m on m.mail_id = q.mail_id where m.recipient = 'later@people.test'`;
  await waitFor(
    async () =>
      (await service.db.query(`select ${waiting} and q.attempts > 0 and q.lease is null`)).length === 1,
    { what: 'the mail to be deferred' },
  );
  assert.equal(mx.messages.filter(({ rcpt_to }) => rcpt_to.includes('later@people.test')).length, 0);
  await service.db.query(
    `update queue set due_at = now() - interval '1 s' where mail_id in (select q.mail_id ${waiting})`,
  );
  await arrived('later@people.test');
});

test('the sandbox captures it', async () => {
  await send('delivered@sandbox.test');
  const captured = async () =>
    await service.db.query(
      `select convert_from(s.raw, 'UTF8') as raw from sandbox_messages s join instances i on i.id = s.instance_id
       where i.is_platform and s.recipient = 'delivered@sandbox.test'`,
    );
  await waitFor(async () => (await captured()).length === 1, { what: 'the sandbox to have it' });
});

test('its instance is in no list, and cannot be called', async () => {
  const [own] = await service.db.query<{ id: number; slug: string }>(
    'select id, slug from instances where is_platform',
  );
  assert.ok(own);
  assert.ok(!(await listInstances(service.db, { search: own.slug })).data.some(({ id }) => id === own.id));
  await assert.rejects(getInstance(service.db, own.slug), { code: 'instance_not_found' });
  const rows = await service.db.query(
    `select from memberships where instance_id = $1 union all select from api_keys where instance_id = $1`,
    [own.id],
  );
  assert.equal(rows.length, 0);
});

test('nodes that need the sender at the same time make one, and another platform domain has its own', async () => {
  const options = { platform_domain: 'moved.platform.test', secret };
  const senders = await Promise.all([1, 2, 3].map(async () => await openPlatformSender(service.db, options)));
  assert.equal(new Set(senders.map(({ email }) => email)).size, 1);
  const [count] = await service.db.query(
    `select count(*) as domains, count(distinct instance_id) as instances from domains
     where domain in ('mail.platform.test', 'moved.platform.test')`,
  );
  assert.deepEqual(count, { domains: 2, instances: 1 });
});

test('a printed zone has the keys of the platform domain, made for it when nothing was sent yet', async () => {
  const env = {
    DATABASE_URL: service.database.url,
    CHASQUI_SECRET: 'a root secret for tests, and for tests alone',
    CHASQUI_PLATFORM_DOMAIN: 'printed.platform.test',
  };
  const printed = await zonefile.run({ env, words: [], options: {} });
  for (const selector of ['s1', 's2']) {
    assert.match(
      printed?.text ?? '',
      new RegExp(`^${selector}\\._domainkey\\.printed\\.platform\\.test\\.\t.*"v=DKIM1; k=rsa; p=`, 'm'),
    );
  }
  assert.doesNotMatch(printed?.text ?? '', /_domainkey\.mail\.platform/);
});
