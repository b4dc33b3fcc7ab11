import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLogin, signIn } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import type { PlatformMail } from '../base/platform-mail.ts';
import { evaluateInstances } from './evaluate-alerts.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(async () => await service.stop());

const unlimited = {
  per_recipient_day: 0,
  per_instance_hour: 0,
  confirmations_per_instance_hour: 0,
  per_network_hour: 0,
};
const now = new Date();

async function pass({ instance: { id } }: Tenant, mail_limits = unlimited) {
  const mails: PlatformMail[] = [];
  const context = {
    base_url: 'https://mail.example.com',
    mail_limits,
    sendPlatformMail: async (mail: PlatformMail) => void mails.push(mail),
  };
  const instances = [{ id, timezone: 'UTC', plan_send_limit: null }];
  const result = await evaluateInstances(service.db, context, { instances, now });
  return { ...result, recipients: mails.map(({ to }) => to) };
}

async function failWebhooks({ instance: { id } }: Tenant, count: number): Promise<void> {
  await service.db.query(
    `insert into webhooks (instance_id, name, url, is_active, active_since, secret, consecutive_failures, counted_since,
       created_at, updated_at)
     select $1, 'Hook ' || n, 'https://example.com/' || n, true, now(), '', 5, now(), now(), now()
     from generate_series(1, $2::int) n`,
    [id, count],
  );
}

test('an instance has at most fifty alerts of one kind about webhooks, domains and privacy requests', async () => {
  const tenant = await service.tenant();
  await failWebhooks(tenant, 51);
  await service.db.query(
    `insert into domains (instance_id, domain, ownership_token, spf_status)
     select $1, n || '-bounds.example.com', lpad(n::text, 20, 'bounds'), 'failed' from generate_series(1, 51) n`,
    [tenant.instance.id],
  );
  await service.db.query(
    `insert into rights_requests (instance_id, kind, status, origin, contacts, contact_hashes, received_at, due_at)
     select $1, 'access', 'open', 'api', '[]', array[sha256('x')], now(), now() from generate_series(1, 51)`,
    [tenant.instance.id],
  );
  await pass(tenant);
  const kinds = await service.db.query<{ kind: string; count: number }>(
    'select kind, count(*)::int as count from alerts where instance_id = $1 group by kind order by kind',
    [tenant.instance.id],
  );
  assert.deepEqual(
    kinds.map(({ kind, count }) => [kind, count]),
    [
      ['domain_failed', 50],
      ['privacy_request_due', 50],
      ['webhook_failing', 50],
    ],
  );
});

test('a pass over one instance ends no alert of another', async () => {
  const [tenant, other] = [await service.tenant(), await service.tenant()];
  await failWebhooks(other, 1);
  assert.equal((await pass(other)).raised, 1);
  assert.deepEqual(await pass(tenant), { raised: 0, resolved: 0, mails: 0, recipients: [] });
  assert.equal((await other.api.get('/v1/alerts?is_open=true')).json.data.length, 1);
});

test('the bell counts up to a hundred', async () => {
  const tenant = await service.tenant();
  const viewer = await signIn(service, tenant, 'viewer');
  await service.db.query(
    `insert into alerts (instance_id, kind, object_id, object_name, raised_at)
     select $1, 'webhook_failing', n::text, 'Hook', now() from generate_series(1, 101) n`,
    [tenant.instance.id],
  );
  assert.equal((await viewer.get('/v1/private/alerts/unread')).json.unread, 100);
});

test('mail about alerts keeps to the limits of platform mail, and the alert is raised all the same', async () => {
  const tenant = await service.tenant();
  const owner = await signIn(service, tenant, 'owner');
  await createLogin(service, tenant, 'admin');
  await owner.patch('/v1/private/alert-rules/webhook_failing', { by_mail: true });
  await failWebhooks(tenant, 1);
  const limited = await pass(tenant, { ...unlimited, per_instance_hour: 1 });
  assert.deepEqual([limited.raised, limited.mails, limited.recipients], [1, 1, [owner.login.email]]);
});

test('one alert is mailed to at most twenty owners and admins, not to other roles', async () => {
  const tenant = await service.tenant();
  const owner = await signIn(service, tenant, 'owner');
  const developer = await createLogin(service, tenant, 'developer');
  await owner.patch('/v1/private/alert-rules/webhook_failing', { by_mail: true });
  await service.db.query(
    `with made as (
       insert into users (email, name, password_hash)
       select 'bounds-' || n || '@example.com', '', '' from generate_series(1, 20) n returning id
     ) insert into memberships (instance_id, user_id, role) select $1, id, 'admin' from made`,
    [tenant.instance.id],
  );
  await failWebhooks(tenant, 1);
  const { mails, recipients } = await pass(tenant);
  assert.equal(mails, 20);
  assert.ok(recipients.includes(owner.login.email) && !recipients.includes(developer.email));
});
