import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

const path = '/v1/private/overview';
let service: TestService;
let tenant: Tenant;
let viewer: PanelUser;
before(async () => {
  service = await startTestService({ env: { CHASQUI_DNS_SERVERS: '127.0.0.1:9' } });
  tenant = await service.tenant();
  viewer = await signIn(service, tenant, 'viewer');
});
after(async () => await service.stop());

async function send(recipients: string[], more: object = {}): Promise<string[]> {
  const { json } = await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: recipients.map((email) => ({ email })),
    subject: 'Overview',
    html: '<p>Hello</p>',
    ...more,
  });
  const rows = await service.db.query<{ mail_id: string }>('select mail_id from mails where msg_id = $1', [
    json.message_id,
  ]);
  return rows.map(({ mail_id }) => mail_id);
}

test('figures come with those of the range before, and with how long deliveries took', async () => {
  const tests = await send(['test@sandbox.test'], { test_mode: true });
  await service.db.query(
    `update mails set status = 3, sent_at = received_at + interval '1 hour' where mail_id = any ($1::uuid[])`,
    [tests],
  );
  const ids = await send(Array.from({ length: 21 }, (_, n) => `lat-${n}@sandbox.test`));
  await service.db.query(
    `update mails set status = 3, sent_at = received_at + make_interval(secs => array_position($1::uuid[], mail_id) - 1)
     where mail_id = any ($1::uuid[])`,
    [ids],
  );
  const today = new Date().toISOString().slice(0, 10);
  const { json } = await viewer.get(`${path}?start_date=${today}&end_date=${today}&tz=UTC`);
  assert.deepEqual([json.stats.totals.sent, json.stats.totals.test], [21, 1]);
  assert.equal(json.before.totals.received, 0);
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  assert.deepEqual([json.before.start_date, json.before.end_date], [yesterday, yesterday]);
  assert.deepEqual(json.latency, { p50_seconds: 10, p95_seconds: 19, mails: 21 });
  const kind = await viewer.get(`${path}?start_date=${today}&end_date=${today}&tz=UTC&category=none`);
  assert.deepEqual(
    [kind.json.stats.totals.sent, kind.json.latency.mails],
    [0, 0],
    'filters are for all of it',
  );
});

test('what needs attention is written in the language of the reader', async () => {
  const [deferred = '', bounced = ''] = await send(['a@sandbox.test', 'b@sandbox.test']);
  await service.db.query(
    `update queue set destination = 'slow.example', last_error = 'connection_timeout' where mail_id = $1`,
    [deferred],
  );
  await service.db.query(
    `insert into events (event_id, mail_id, msg_id, instance_id, at, event, reason, data)
     select (left(uuid_at(now())::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, mail_id, msg_id, instance_id, now(),
       'bounced', 'mailbox_unknown', '{}' from mails where mail_id = $1`,
    [bounced],
  );
  const owner = await signIn(service, tenant, 'owner');
  await owner.post('/v1/private/domains', { domain: 'attention.example.org' });
  const english = (await viewer.get(`${path}/attention`)).json;
  const texts = english.problems.map(({ text }: { text: string }) => text);
  assert.ok(
    texts.some((text: string) => /^1 mail deferred by slow\.example \(\w/.test(text)),
    texts.join(),
  );
  assert.ok(
    texts.some((text: string) => /^1 mail rejected by sandbox\.test \(\w/.test(text)),
    texts.join(),
  );
  const { domains, checklist, plan } = english;
  assert.equal(domains[0].domain, 'attention.example.org');
  assert.deepEqual(checklist, {
    has_sent: true,
    has_verified_domain: false,
    has_sender: false,
    has_api_key: true,
  });
  assert.equal(plan.limit, null);
  assert.ok(plan.used >= 2);
  const spanish = (await viewer.get(`${path}/attention`, { 'accept-language': 'es-CL' })).json.problems;
  assert.ok(
    spanish.some(({ text }: { text: string }) => text.startsWith('Diferidos por slow.example: 1 correo (')),
  );
});

test('the same cause at several destinations is one problem, and held mail comes first', async () => {
  const other = await service.tenant();
  const reader = await signIn(service, other, 'viewer');
  const { json } = await other.api.post('/v1/mails/send', {
    sender_email: `test@${other.instance.slug}.sandbox.test`,
    to: ['a', 'b', 'c', 'd'].map((name) => ({ email: `${name}@sandbox.test` })),
    subject: 'Causes',
    html: '<p>Hello</p>',
  });
  const mails = await service.db.query<{ mail_id: string }>(
    'select mail_id from mails where msg_id = $1 order by mail_id',
    [json.message_id],
  );
  const [one, two, three, held] = mails.map(({ mail_id }) => mail_id);
  for (const [mail_id, destination] of [
    [one, 'one.example'],
    [two, 'two.example'],
    [three, 'three.example'],
  ]) {
    await service.db.query(
      `update queue set destination = $2, last_error = 'connection_timeout' where mail_id = $1`,
      [mail_id, destination],
    );
  }
  await service.db.query('update queue set held_since = now() where mail_id = $1', [held]);
  const { problems } = (await reader.get(`${path}/attention`)).json;
  const deferred = problems.filter(({ kind }: { kind: string }) => kind === 'deferred');
  assert.deepEqual(
    deferred.map((each: { mails: number; domain_count: number; severity: string }) => [
      each.mails,
      each.domain_count,
      each.severity,
    ]),
    [[3, 3, 'medium']],
  );
  assert.match(deferred[0].text, /^3 mails deferred by \w+\.example, \w+\.example and 1 more/);
  assert.deepEqual([problems[0].kind, problems[0].severity], ['held', 'high']);
});

test('privacy requests that are due are counted, without names', async () => {
  const other = await service.tenant();
  const reader = await signIn(service, other, 'viewer');
  for (const days of [0, 25, 40]) {
    const contacts = [{ contact: 'ana@example.com', contact_type: 'email_address' }];
    const received_at = new Date(Date.now() - days * 86_400_000).toISOString();
    await other.api.post('/v1/rights-requests', { kind: 'access', contacts, received_at });
  }
  const { json, text } = await reader.get(`${path}/attention`);
  assert.deepEqual(json.rights, { overdue: 1, due_soon: 1 });
  assert.doesNotMatch(text, /ana@/);
});

test('a new instance has nothing to attend to but its first steps, and sees nothing of others', async () => {
  const other = await service.tenant({ instance: { plan_send_limit: 100 } });
  const stranger = await signIn(service, other, 'viewer');
  const { json } = await stranger.get(`${path}/attention`);
  assert.deepEqual([json.problems, json.domains, json.webhooks], [[], [], []]);
  assert.deepEqual([json.plan.limit, json.plan.used], [100, 0]);
  assert.equal(json.checklist.has_sent, false);
  assert.deepEqual((await stranger.get(path)).json.latency, {
    p50_seconds: null,
    p95_seconds: null,
    mails: 0,
  });
});
