import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { signIn } from '../../test/support/panel-user.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { startWebhookSink, type WebhookSink } from '../../test/support/webhook-sink.ts';
import { evaluateInstances } from './evaluate-alerts.ts';

let service: TestService;
let sink: WebhookSink;
before(async () => {
  sink = await startWebhookSink();
  service = await startTestService({
    roles: 'api,webhooks',
    env: { CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true' },
  });
});
after(async () => {
  await service.stop();
  await sink.stop();
});

test('webhooks that want them are told when an alert is raised and when it ends, once and signed', async () => {
  const tenant = await service.tenant();
  const make = async (path: string, more: object = {}) =>
    (await tenant.api.post('/v1/webhooks', { name: path, url: `${sink.url}/${path}`, ...more })).json;
  const all = await make('all');
  await make('listed', { events: ['alert.resolved'] });
  await make('mails', { events: ['mail.sent'] });
  await make('resend', { format: 'resend' });
  const [other] = [await service.tenant()];
  await other.api.post('/v1/webhooks', { name: 'other', url: `${sink.url}/other` });
  const pass = async (): Promise<void> => {
    const { id } = tenant.instance;
    const mail_limits = {
      per_recipient_day: 0,
      per_instance_hour: 0,
      confirmations_per_instance_hour: 0,
      per_network_hour: 0,
    };
    const context = { base_url: 'http://localhost', mail_limits, sendPlatformMail: async () => undefined };
    const instances = [{ id, timezone: 'UTC', plan_send_limit: null }];
    await evaluateInstances(service.db, context, { instances, now: new Date() });
  };
  const count = async (column: string): Promise<void> =>
    void (await service.db.query(
      `insert into stats_deltas (instance_id, quarter, sender_id, category_id, ${column}) values ($1, now(), 1, 0, 100)`,
      [tenant.instance.id],
    ));
  await count('bounced');
  await pass();
  await waitFor(() => sink.requests.length === 1);
  for (let more = 0; more < 40; more += 1) await count('sent');
  await pass();
  await pass();
  await waitFor(() => sink.requests.length === 3);
  const posted = sink.requests.map(({ path, headers, body }) => {
    const { type, data } = JSON.parse(String(body)) as { type: string; data: Record<string, unknown> };
    if (path === '/all') new Webhook(all.secret).verify(String(body), headers as Record<string, string>);
    return [path, type, data['kind'], data['mail_id'], data['object_id']];
  });
  assert.deepEqual(
    posted.toSorted((a, b) => String(a).localeCompare(String(b))),
    [
      ['/all', 'alert.raised', 'bounce_rate', null, null],
      ['/all', 'alert.resolved', 'bounce_rate', null, null],
      ['/listed', 'alert.resolved', 'bounce_rate', null, null],
    ],
  );
  const owner = await signIn(service, tenant, 'owner');
  const list = await owner.get(`/v1/private/webhooks/${all.id}/deliveries`);
  assert.deepEqual(
    list.json.data.map(({ type, mail_id, recipient }: Record<string, unknown>) => [type, mail_id, recipient]),
    [
      ['alert.resolved', null, null],
      ['alert.raised', null, null],
    ],
  );
  const [{ id }] = list.json.data;
  const detail = await owner.get(`/v1/private/webhooks/${all.id}/deliveries/${id}`);
  assert.equal(JSON.parse(detail.json.body).type, 'alert.resolved');
  const replayed = await owner.post(`/v1/private/webhooks/${all.id}/deliveries/${id}/replay`, {});
  assert.equal(replayed.status, 200, replayed.text);
  await waitFor(() => sink.requests.length === 4);
});
