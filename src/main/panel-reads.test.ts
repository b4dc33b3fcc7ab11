import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

let service: TestService;
let tenant: Tenant;
let viewer: PanelUser;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  viewer = await signIn(service, tenant, 'viewer');
});
after(async () => await service.stop());

const mail = (slug: string) => ({
  sender_email: `test@${slug}.sandbox.test`,
  to: [{ email: 'delivered@sandbox.test' }],
  subject: 'From the panel',
  html: '<p>Hello</p>',
});

/** Requests of persons say who asked and why; credentials, who may act for the instance. */
const narrower: Record<string, string> = {
  'rights:read': 'admin',
  'api-keys:read': 'admin',
  'smtp-credentials:read': 'developer',
};

test('every public read has its private counterpart, with a role in place of the scope', () => {
  const { operations } = service.service;
  const reads = operations.filter(({ method, access }) => method === 'GET' && access.kind === 'api_key');
  assert.ok(reads.length > 25, `${reads.length} reads`);
  const byRoute = new Map(operations.map((each) => [`${each.method} ${each.path}`, each]));
  for (const read of reads) {
    const counterpart = byRoute.get(`GET ${read.path.replace('/v1/', '/v1/private/')}`);
    const role = narrower['scope' in read.access ? (read.access.scope ?? '') : ''] ?? 'viewer';
    assert.deepEqual(counterpart?.access, { kind: 'user', role }, read.id);
    assert.equal(counterpart?.id, `panel_${read.id}`);
  }
});

test('every route and id is unique', () => {
  const { operations } = service.service;
  for (const nameOf of [
    ({ id }: { id: string }) => id,
    ({ method, path }: { method: string; path: string }) => `${method} ${path}`,
  ]) {
    const names = operations.map(nameOf);
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    );
  }
});

test('a viewer reads what a key reads, and an instance of others not', async () => {
  const { message_id } = (await tenant.api.post('/v1/mails/send', mail(tenant.instance.slug))).json;
  for (const path of [`/mails?msg_id=${message_id}`, '/stats/overview', '/mail-restrictions']) {
    const [public_, private_] = [await tenant.api.get(`/v1${path}`), await viewer.get(`/v1/private${path}`)];
    assert.equal(private_.status, 200);
    assert.deepEqual(private_.json, public_.json, path);
  }
  const [row] = (await viewer.get(`/v1/private/mails?msg_id=${message_id}`)).json.data;
  assert.equal((await viewer.get(`/v1/private/mails/${row.mail_id}/logs`)).status, 200);
  const stranger = await signIn(service, await service.tenant(), 'owner');
  assert.equal((await stranger.get(`/v1/private/mails/${row.mail_id}`)).json.code, 'mail_not_found');
});

test('an export streams to a bearer token and is noted as the act of the user', async () => {
  const answer = await viewer.get('/v1/private/activities/sent/export?format=json');
  assert.equal(answer.status, 200);
  assert.ok(answer.json.data.length > 0);
  const [noted] = await service.db.query<{ actor_kind: string; actor_id: string }>(
    `select actor_kind, actor_id from audit_events where instance_id = $1 and action = 'sent.exported'`,
    [tenant.instance.id],
  );
  assert.deepEqual(noted, { actor_kind: 'user', actor_id: String(viewer.id) });
});

test('developers send from the panel, viewers do not', async () => {
  const body = mail(tenant.instance.slug);
  assert.equal((await viewer.post('/v1/private/mails/send', body)).json.code, 'forbidden');
  const developer = await signIn(service, tenant, 'developer');
  assert.equal((await developer.post('/v1/private/mails/send', body)).status, 200);
});
