import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startDnsServer, type DnsServer } from '../../test/support/dns-server.ts';
import { signIn } from '../../test/support/panel-user.ts';
import { startRemoteMx, type RemoteMx } from '../../test/support/remote-mx.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

type Panel = Awaited<ReturnType<typeof signIn>>;
let dns: DnsServer;
let mx: RemoteMx;
let service: TestService;
let tenant: Tenant;
let admin: Panel;
let developer: Panel;
let viewer: Panel;
before(async () => {
  dns = await startDnsServer({});
  mx = await startRemoteMx({});
  dns.set('keeper.test', 'MX', ['10 mx.keeper.test']);
  dns.set('mx.keeper.test', 'A', ['127.0.0.1']);
  service = await startTestService({
    roles: 'api,delivery',
    env: {
      CHASQUI_DNS_SERVERS: dns.address,
      CHASQUI_MX_PORT: String(mx.port),
      CHASQUI_MX_ALLOW_PRIVATE: 'true',
      CHASQUI_DOMAINS_PER_INSTANCE: '6',
    },
  });
  tenant = await service.tenant();
  admin = await signIn(service, tenant, 'admin');
  developer = await signIn(service, tenant, 'developer');
  viewer = await signIn(service, tenant, 'viewer');
});
after(async () => {
  await service.stop();
  await mx.stop();
  await dns.stop();
});

const register = async (domain: string) => await developer.post('/v1/private/domains', { domain });
const publish = (records: Record<string, unknown>): void => {
  for (const record of Object.values(records).flat() as {
    type: 'MX' | 'TXT' | 'CNAME';
    host: string;
    value: string;
  }[]) {
    dns.set(record.host, record.type, [record.type === 'MX' ? `10 ${record.value}` : record.value]);
  }
};

test('a developer registers a domain, publishes its records and validates it, with the reasons of what failed', async () => {
  const created = await register('Panel.Example.test.');
  assert.equal(created.status, 201);
  assert.equal(created.headers.get('location'), `/v1/private/domains/${created.json.id}`);
  assert.equal(created.json.domain, 'panel.example.test');
  assert.equal(created.json.signing_selector, 's1');
  const failed = await developer.post(`/v1/private/domains/${created.json.id}/validate`);
  assert.equal(failed.json.mx_status, 'failed');
  assert.match(failed.json.check_reasons.mx, /MX/);
  assert.match(
    (await viewer.get(`/v1/private/domains/${created.json.id}`)).json.check_reasons.dmarc,
    /DMARC/,
  );
  publish(created.json.dns_records);
  const verified = await developer.post(`/v1/private/domains/${created.json.id}/validate`);
  assert.deepEqual([verified.json.is_verified, verified.json.check_reasons], [true, {}]);
});

test('a name that cannot be registered is refused with its code', async () => {
  assert.equal((await register('panel.example.test')).json.code, 'domain_already_exists');
  for (const domain of ['co.uk', 'x.sandbox.test', 'not a domain']) {
    const { status, json } = await register(domain);
    assert.deepEqual([status, json.errors[0].pointer], [422, '/domain'], domain);
  }
});

test('a viewer may look and nothing else; only an admin deletes, revokes and rotates', async () => {
  const { json } = await register('roles.example.test');
  assert.equal((await viewer.get('/v1/private/domains')).status, 200);
  assert.equal((await viewer.post('/v1/private/domains', { domain: 'v.example.test' })).status, 403);
  for (const verb of ['revoke', 'reinstate', 'rotate-dkim']) {
    assert.equal((await developer.post(`/v1/private/domains/${json.id}/${verb}`)).status, 403, verb);
  }
  const revoked = await admin.post(`/v1/private/domains/${json.id}/revoke`);
  assert.equal(revoked.json.spf_status, 'revoked');
  assert.equal((await admin.post(`/v1/private/domains/${json.id}/reinstate`)).json.spf_status, 'pending');
  assert.equal((await admin.post(`/v1/private/domains/${json.id}/rotate-dkim`)).json.signing_selector, 's2');
  assert.equal((await developer.delete(`/v1/private/domains/${json.id}`)).status, 403);
  const deleted = await admin.delete(`/v1/private/domains/${json.id}`);
  assert.deepEqual([deleted.status, deleted.text], [204, '']);
  assert.equal((await viewer.get(`/v1/private/domains/${json.id}`)).status, 404);
});

test('the sandbox domain cannot be changed', async () => {
  const { json } = await viewer.get('/v1/private/domains?domain=sandbox.test');
  const [sandbox] = json.data;
  assert.equal((await admin.delete(`/v1/private/domains/${sandbox.id}`)).json.code, 'domain_is_sandbox');
  assert.equal((await admin.post(`/v1/private/domains/${sandbox.id}/revoke`)).json.code, 'domain_is_sandbox');
});

test('mails the records to the person who manages the zone', async () => {
  const { json } = await register('mailed.example.test');
  const sent = await developer.post(`/v1/private/domains/${json.id}/send-dns`, { email: 'dns@keeper.test' });
  assert.equal(sent.status, 204, sent.text);
  const [message] = await mx.waitForMessages(1);
  assert.deepEqual(message?.rcpt_to, ['dns@keeper.test']);
  const text = message?.data.toString() ?? '';
  assert.match(text, /s1\._domainkey\.mailed\.example\.test/);
  const refused = await developer.post(`/v1/private/domains/${json.id}/send-dns`, {
    email: 'a@b\r\nBcc: c@d.test',
  });
  assert.equal(refused.status, 422);
});

test('senders are made on verified domains, changed and deleted', async () => {
  const wanted = { name: 'Panel', email_address: 'hello@panel.example.test', stream: 'broadcast' };
  assert.equal((await viewer.post('/v1/private/senders', wanted)).status, 403);
  const created = await developer.post('/v1/private/senders', wanted);
  assert.equal(created.status, 201);
  assert.equal((await developer.post('/v1/private/senders', wanted)).json.code, 'sender_already_exists');
  await register('unverified.example.test');
  const early = await developer.post('/v1/private/senders', {
    ...wanted,
    email_address: 'a@unverified.example.test',
  });
  assert.deepEqual([early.status, early.json.code], [409, 'domain_not_verified']);
  const changed = await developer.patch(`/v1/private/senders/${created.json.id}`, { name: 'Renamed' });
  assert.deepEqual([changed.json.name, changed.json.stream], ['Renamed', 'broadcast']);
  assert.equal(
    (await developer.patch(`/v1/private/senders/${created.json.id}`, { name: 'a\nb' })).status,
    422,
  );
  assert.equal((await developer.delete(`/v1/private/senders/${created.json.id}`)).status, 204);
  assert.equal((await tenant.api.get(`/v1/senders/${created.json.id}`)).json.code, 'sender_not_found');
});

test('every act leaves its trace, with who did it', async () => {
  const rows = await service.db.query<{ action: string; actor_kind: string }>(
    "select action, actor_kind from audit_events where instance_id = $1 and action ~ '^(domain|sender)\\.'",
    [tenant.instance.id],
  );
  const actions = new Set(rows.map(({ action }) => action));
  for (const action of [
    'domain.created',
    'domain.deleted',
    'domain.revoked',
    'domain.dkim_rotated',
    'sender.updated',
  ]) {
    assert.ok(actions.has(action), action);
  }
  assert.ok(rows.every(({ actor_kind }) => actor_kind === 'user'));
});

test('an instance has as many domains as it may have, also when they are asked for at once', async () => {
  const crowded = await service.tenant();
  const panel = await signIn(service, crowded, 'developer');
  const answers = await Promise.all(
    Array.from(
      { length: 9 },
      async (_, index) => await panel.post('/v1/private/domains', { domain: `d${index}.example.test` }),
    ),
  );
  const codes: string[] = answers.map(({ status, json }) => (status === 201 ? 'made' : json.code));
  assert.deepEqual(codes.toSorted(), [
    ...Array<string>(3).fill('domain_limit_reached'),
    ...Array<string>(6).fill('made'),
  ]);
  assert.equal((await register('another.example.test')).status, 201, 'others are not concerned');
});
