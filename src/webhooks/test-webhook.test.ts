import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { Tenant } from '../../test/support/test-service.ts';
import type { SinkRequest } from '../../test/support/webhook-sink.ts';
import { createEndpoint, startWebhookBed, type WebhookBed } from './webhook-bed.fixture.ts';

let bed: WebhookBed;
let tenant: Tenant;
before(async () => {
  bed = await startWebhookBed();
  tenant = await bed.service.tenant();
});
after(async () => await bed.stop());

// oxlint-disable-next-line typescript/no-explicit-any
const verify = (secret: string, { body, headers }: SinkRequest): any =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

test('a test event is signed, its result is answered, and it is counted nowhere', async (t) => {
  const sink = await bed.sink(t);
  const { id, secret } = await createEndpoint(tenant, `${sink.url}/hook`);
  const before_ = (await tenant.api.get(`/v1/webhooks/${id}`)).json;
  const { status, json } = await tenant.api.post(`/v1/webhooks/${id}/test`);
  assert.equal(status, 200);
  assert.deepEqual([json.delivered, json.status_code, json.error], [true, 200, null]);
  assert.ok(json.latency_ms >= 0);
  const [request] = await sink.waitForRequests(1);
  assert.ok(request);
  const event = verify(secret, request);
  assert.equal(event.type, 'webhook.test');
  assert.deepEqual(event.data, { mail_id: null, webhook_id: id });
  assert.match(String(request.headers['webhook-id']), /^msg_[0-9a-f-]{36}$/);
  assert.equal(request.headers['content-type'], 'application/json');
  sink.respond({ status: 500 });
  const failed = await tenant.api.post(`/v1/webhooks/${id}/test`);
  assert.deepEqual([failed.status, failed.json.delivered, failed.json.error], [200, false, 'status_500']);
  assert.deepEqual((await tenant.api.get(`/v1/webhooks/${id}`)).json, before_);
});

test('a paused webhook can be tested, and the error of an unreachable one is answered', async (t) => {
  const sink = await bed.sink(t);
  const { id } = await createEndpoint(tenant, sink.url, { is_active: false });
  assert.equal((await tenant.api.post(`/v1/webhooks/${id}/test`)).json.delivered, true);
  await sink.stop();
  const { json } = await tenant.api.post(`/v1/webhooks/${id}/test`);
  assert.deepEqual([json.delivered, json.status_code, json.error], [false, null, 'connection_refused']);
});

test('before, during and after a rotation the secrets verify that should', async (t) => {
  const sink = await bed.sink(t);
  const { id, secret: first } = await createEndpoint(tenant, sink.url);
  const deliver = async (): Promise<SinkRequest> => {
    await tenant.api.post(`/v1/webhooks/${id}/test`);
    return sink.requests.at(-1) as SinkRequest;
  };
  const expire = async () =>
    await bed.service.db.query('update webhooks set previous_secret_expires_at = now() where id = $1', [id]);
  const rotate = async (): Promise<string> =>
    (await tenant.api.post(`/v1/webhooks/${id}/rotate-secret`)).json.secret;

  verify(first, await deliver());

  const second = await rotate();
  const during = await deliver();
  verify(second, during);
  verify(first, during);
  const signatures = String(during.headers['webhook-signature']).split(' ');
  assert.equal(signatures.length, 2);
  const alone = { ...during, headers: { ...during.headers, 'webhook-signature': signatures[0] ?? '' } };
  verify(second, alone);
  assert.throws(() => verify(first, alone), /No matching signature/, 'the new one comes first');

  await expire();
  const afterwards = await deliver();
  verify(second, afterwards);
  assert.throws(() => verify(first, afterwards), /No matching signature/);

  const third = await rotate();
  const fourth = await rotate();
  const twice = await deliver();
  verify(fourth, twice);
  verify(third, twice);
  assert.throws(() => verify(second, twice), /No matching signature/);
});
