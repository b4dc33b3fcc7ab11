import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import type { PlatformMail } from '../base/platform-mail.ts';
import { alertsJob, evaluateInstances, purgeAlertsJob, type AlertsContext } from './evaluate-alerts.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ env: { CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true' } });
});
after(async () => await service.stop());

const mails: PlatformMail[] = [];
const context: AlertsContext = {
  base_url: 'https://mail.example.com',
  mail_limits: {
    per_recipient_day: 0,
    per_instance_hour: 0,
    confirmations_per_instance_hour: 0,
    per_network_hour: 0,
  },
  sendPlatformMail: async (mail) => void mails.push(mail),
};

const now = new Date();

/** One pass over the tenant alone. */
async function pass(
  { instance }: Tenant,
  at = now,
): Promise<{ raised: number; resolved: number; mails: number }> {
  const [row] = await service.db.query<{ id: number; timezone: string; plan_send_limit: number | null }>(
    'select id, timezone, plan_send_limit from instances where id = $1',
    [instance.id],
  );
  assert.ok(row);
  return await evaluateInstances(service.db, context, { instances: [row], now: at });
}

/** What the statistics say of the last quarter of an hour. */
async function count({ instance }: Tenant, totals: Record<string, number>, is_test = false): Promise<void> {
  const names = Object.keys(totals);
  await service.db.query(
    `insert into stats_deltas (instance_id, quarter, sender_id, category_id, is_test, ${names.join(', ')})
     values ($1, now() - interval '15 minutes', 1, 0, $2, ${names.map((_name, index) => `$${index + 3}`).join(', ')})`,
    [instance.id, is_test, ...Object.values(totals)],
  );
}

async function alertsOf(tenant: Tenant): Promise<Record<string, unknown>[]> {
  return (await tenant.api.get('/v1/alerts?is_open=true')).json.data;
}

async function setRule(owner: PanelUser, kind: string, changes: object): Promise<void> {
  const answer = await owner.patch(`/v1/private/alert-rules/${kind}`, changes);
  assert.equal(answer.status, 200, answer.text);
}

test('one cause raises one alert, and a value at the edge of the threshold raises no other', async () => {
  const tenant = await service.tenant();
  await count(tenant, { sent: 90, bounced: 5 });
  assert.equal((await pass(tenant)).raised, 0, 'too few mails to say anything');
  await count(tenant, { sent: 10, bounced: 1 });
  assert.deepEqual(await pass(tenant), { raised: 1, resolved: 0, mails: 0 });
  assert.deepEqual(await pass(tenant), { raised: 0, resolved: 0, mails: 0 });
  const [alert] = await alertsOf(tenant);
  assert.deepEqual(
    [alert?.['kind'], alert?.['threshold'], alert?.['object_id'], alert?.['is_read']],
    ['bounce_rate', 0.05, null, null],
  );
  assert.ok(Math.abs(Number(alert?.['value']) - 6 / 106) < 1e-9);
  await count(tenant, { sent: 30 });
  assert.equal((await pass(tenant)).resolved, 0, '4.4 % is below the threshold, but not by enough');
  await count(tenant, { bounced: 2 });
  assert.equal((await pass(tenant)).raised, 0, 'it comes back over the threshold: the same alert');
  await count(tenant, { sent: 100 });
  assert.equal((await pass(tenant)).resolved, 1);
  assert.deepEqual(await alertsOf(tenant), []);
  const later = new Date(now.getTime() + 2 * 86_400_000);
  await count(tenant, { bounced: 100 });
  assert.equal((await pass(tenant)).raised, 1);
  assert.equal((await pass(tenant, later)).resolved, 1, 'the day is over');
});

test('test mail does not count, and complaints have a threshold of their own', async () => {
  const tenant = await service.tenant();
  await count(tenant, { sent: 100, bounced: 100 }, true);
  assert.equal((await pass(tenant)).raised, 0);
  await count(tenant, { sent: 1_000, complaints: 1 });
  assert.equal((await pass(tenant)).raised, 1);
  assert.equal((await alertsOf(tenant))[0]?.['kind'], 'complaint_rate');
});

test('webhooks, domains, held mail, the plan and privacy requests raise alerts about themselves', async () => {
  const tenant = await service.tenant({ instance: { plan_send_limit: 100 } });
  const { id } = tenant.instance;
  const webhook = await tenant.api.post('/v1/webhooks', { name: 'Orders', url: 'http://127.0.0.1:9/hook' });
  const change = async (sql: string, values: unknown[] = [id]) => await service.db.query(sql, values);
  await change('update webhooks set consecutive_failures = 4 where instance_id = $1');
  assert.equal((await pass(tenant)).raised, 0);
  await change('update webhooks set consecutive_failures = 5 where instance_id = $1');
  const owner = await signIn(service, tenant, 'owner');
  const domain = await owner.post('/v1/private/domains', { domain: `alerts-${id}.example.com` });
  assert.equal((await pass(tenant)).raised, 1, 'a domain that was never validated raises no alert');
  await change("update domains set spf_status = 'failed' where id = $1", [domain.json.id]);
  await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: 'held@sandbox.test' }],
    subject: 'Held',
    html: '<p>Held</p>',
  });
  await change('update queue set held_since = now() where instance_id = $1');
  await change(
    `insert into plan_usage (instance_id, period, used) values ($1, date_trunc('month', now() at time zone 'UTC')::date, 80)
     on conflict (instance_id, period) do update set used = 80`,
  );
  await change(
    `insert into rights_requests (instance_id, kind, status, origin, contacts, contact_hashes, received_at, due_at)
     values ($1, 'access', 'open', 'api', '[]', array[sha256('x')], now(), now() + interval '8 days')`,
  );
  assert.equal((await pass(tenant)).raised, 3);
  await change("update rights_requests set due_at = now() + interval '6 days' where instance_id = $1");
  assert.equal((await pass(tenant)).raised, 1);
  const open = await alertsOf(tenant);
  assert.deepEqual(
    open.map(({ kind, object_name }) => [kind, object_name]),
    [
      ['privacy_request_due', null],
      ['sending_held', null],
      ['plan_usage', null],
      ['domain_failed', `alerts-${id}.example.com`],
      ['webhook_failing', 'Orders'],
    ],
  );
  assert.equal(open.at(-1)?.['object_id'], String(webhook.json.id));
  await change('update webhooks set consecutive_failures = 1 where instance_id = $1');
  assert.equal((await pass(tenant)).resolved, 0, 'only a success ends it');
  await change('update webhooks set consecutive_failures = 0 where instance_id = $1');
  await change("update domains set spf_status = 'verified' where id = $1", [domain.json.id]);
  await change('update queue set held_since = null where instance_id = $1');
  await change('update plan_usage set used = 77 where instance_id = $1');
  await change("update rights_requests set status = 'fulfilled', closed_at = now() where instance_id = $1");
  assert.equal((await pass(tenant)).resolved, 4, 'the plan is still close to its threshold');
  await change('update plan_usage set used = 70 where instance_id = $1');
  assert.equal((await pass(tenant)).resolved, 1);
});

test('a rule has its threshold, can be switched off, and writes to owners and admins in their language', async () => {
  const tenant = await service.tenant();
  const [owner, viewer] = [await signIn(service, tenant, 'owner'), await signIn(service, tenant, 'viewer')];
  await owner.patch('/v1/private/me', { language: 'es' });
  await setRule(owner, 'bounce_rate', { threshold: 0.5, by_mail: true });
  await count(tenant, { sent: 70, bounced: 30 });
  assert.equal((await pass(tenant)).raised, 0);
  await setRule(owner, 'bounce_rate', { threshold: 0.3 });
  mails.length = 0;
  assert.deepEqual(await pass(tenant), { raised: 1, resolved: 0, mails: 1 });
  assert.equal((await pass(tenant)).mails, 0);
  assert.deepEqual(
    mails.map(({ to }) => to),
    [owner.login.email],
  );
  const [mail] = mails;
  assert.match(mail?.subject ?? '', /^Una alerta en «/);
  assert.match(mail?.text ?? '', /Rebotó el 30\s?% de los correos .* El umbral es 30\s?%\./);
  assert.match(
    mail?.text ?? '',
    new RegExp(`https://mail.example.com/panel/i/${tenant.instance.slug}/alerts`),
  );
  await setRule(owner, 'bounce_rate', { is_enabled: false });
  assert.equal((await pass(tenant)).resolved, 1);
  assert.equal((await viewer.patch('/v1/private/alert-rules/bounce_rate', { is_enabled: true })).status, 403);
  for (const threshold of [0, 1.1, null]) {
    const refused = await tenant.api.patch('/v1/alert-rules/bounce_rate', { threshold });
    assert.equal(refused.json.errors?.[0]?.pointer, '/threshold', String(threshold));
  }
  assert.equal((await tenant.api.patch('/v1/alert-rules/domain_failed', { threshold: 1 })).status, 422);
  const { data } = (await tenant.api.get('/v1/alert-rules')).json;
  assert.equal(data.length, 7);
  assert.deepEqual(data[0], { kind: 'bounce_rate', is_enabled: false, threshold: 0.3, by_mail: true });
});

test('one member reading an alert leaves it unread for another, and members see only their own alerts', async () => {
  const [tenant, other] = [await service.tenant(), await service.tenant()];
  const [ana, eva] = [await signIn(service, tenant, 'viewer'), await signIn(service, tenant, 'viewer')];
  const stranger = await signIn(service, other, 'owner');
  await count(tenant, { sent: 50, bounced: 50 });
  await pass(tenant);
  const unread = async (user: PanelUser): Promise<number> =>
    (await user.get('/v1/private/alerts/unread')).json.unread;
  assert.deepEqual([await unread(ana), await unread(eva), await unread(stranger)], [1, 1, 0]);
  const [alert] = (await ana.get('/v1/private/alerts')).json.data;
  assert.equal(alert.is_read, false);
  assert.equal((await stranger.post('/v1/private/alerts/read', { ids: [alert.id] })).status, 204);
  assert.equal(await unread(ana), 1);
  const rows = await service.db.query('select from alert_reads where alert_id = $1', [alert.id]);
  assert.equal(rows.length, 0, 'an id of another instance is ignored');
  assert.equal((await ana.post('/v1/private/alerts/read', { ids: [alert.id] })).status, 204);
  assert.equal((await ana.post('/v1/private/alerts/read', {})).status, 204);
  assert.deepEqual([await unread(ana), await unread(eva)], [0, 1]);
  assert.equal((await ana.get('/v1/private/alerts')).json.data[0].is_read, true);
  assert.deepEqual((await stranger.get('/v1/private/alerts')).json.data, []);
});

test('the job works through all instances with a number of statements that does not grow with them', async () => {
  const run = async (): Promise<number> => {
    const before_ = service.db.round_trips;
    await alertsJob(context).run({ db: service.db, now, isStopping: () => false });
    return service.db.round_trips - before_;
  };
  await run();
  const few = await run();
  for (let more = 0; more < 10; more += 1) await service.tenant();
  assert.equal(await run(), few);
});

test('alerts are kept for 90 days after their end', async () => {
  const tenant = await service.tenant();
  await count(tenant, { sent: 50, bounced: 50 });
  await pass(tenant);
  const purge = async (): Promise<string> =>
    await purgeAlertsJob.run({ db: service.db, now, isStopping: () => false });
  await service.db.query("update alerts set raised_at = now() - interval '100 days' where instance_id = $1", [
    tenant.instance.id,
  ]);
  await purge();
  assert.equal((await alertsOf(tenant)).length, 1, 'one that lasts stays');
  await service.db.query(
    "update alerts set resolved_at = now() - interval '91 days' where instance_id = $1",
    [tenant.instance.id],
  );
  assert.equal(await purge(), '1 alerts');
});
