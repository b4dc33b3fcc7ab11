import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { RootSecret } from '../base/secrets.ts';
import { createWebhook } from './change-webhook.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(async () => await service.stop());

test('the deliveries of the last day are counted by hour and state', async () => {
  const { db } = service;
  const tenant = await service.tenant();
  const viewer = await signIn(service, tenant, 'viewer');
  const webhook = { name: 'Health', url: 'https://127.0.0.1:9/hook' };
  const root = new RootSecret('a root secret for tests, and for tests alone');
  const made = { webhook, root, actor: { kind: 'operator' } as const, now: new Date() };
  const { id } = await createWebhook(db, tenant.instance.id, made);
  await db.query(
    `insert into webhook_deliveries (webhook_id, instance_id, event_id, mail_id, type, event_at, created_at, state, due_at)
     select $1, $2, gen_random_uuid(), gen_random_uuid(), 'mail.sent', now(), date_trunc('hour', now()) - hours * interval '1 hour', state,
       case when state = 'pending' then now() end
     from (values (0, 'delivered'), (0, 'pending'), (3, 'failed'), (3, 'failed'), (30, 'failed')) as d (hours, state)`,
    [id, tenant.instance.id],
  );
  const { json } = await viewer.get(`/v1/private/webhooks/${id}/health`);
  assert.equal(json.is_exact, true);
  assert.equal(json.hours.length, 24);
  const { at: _at, ...last } = json.hours[23];
  assert.deepEqual(last, { delivered: 1, failed: 0, pending: 1, discarded: 0 });
  assert.equal(json.hours[20].failed, 2);
  const total = json.hours.reduce((sum: number, { failed }: { failed: number }) => sum + failed, 0);
  assert.equal(total, 2);
  const stranger = await signIn(service, await service.tenant(), 'owner');
  assert.equal((await stranger.get(`/v1/private/webhooks/${id}/health`)).json.code, 'webhook_not_found');
});
