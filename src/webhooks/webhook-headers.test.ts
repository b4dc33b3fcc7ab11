import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Tenant } from '../../test/support/test-service.ts';
import { createEndpoint, startWebhookBed, type WebhookBed } from './webhook-bed.fixture.ts';

let bed: WebhookBed;
let tenant: Tenant;
before(async () => {
  bed = await startWebhookBed();
  tenant = await bed.service.tenant();
});
after(async () => await bed.stop());

test('requests have the headers of the customer, whose values are never shown, stored plainly or audited', async (t) => {
  const sink = await bed.sink(t);
  const headers = { 'X-Gateway-Key': 'secret-of-the-gateway', Authorization: 'Bearer other-secret' };
  const { id } = await createEndpoint(tenant, sink.url, { headers });
  const shown = await tenant.api.get(`/v1/webhooks/${id}`);
  assert.deepEqual(shown.json.header_names, ['X-Gateway-Key', 'Authorization']);
  await tenant.api.post(`/v1/webhooks/${id}/test`);
  const [request] = await sink.waitForRequests(1);
  assert.equal(request?.headers['x-gateway-key'], 'secret-of-the-gateway');
  assert.equal(request?.headers['authorization'], 'Bearer other-secret');
  const stored = await bed.service.db.query(
    `select encode(headers, 'escape') as headers, header_names from webhooks where id = $1`,
    [id],
  );
  const audited = await bed.service.db.query(
    `select details from audit_events where object_kind = 'webhook' and object_id = $1`,
    [String(id)],
  );
  assert.doesNotMatch(JSON.stringify([shown.json, stored, audited]), /secret-of-the-gateway|other-secret/);
});

test('headers are replaced as a whole, kept by other changes, and removed by null', async (t) => {
  const sink = await bed.sink(t);
  const { id } = await createEndpoint(tenant, sink.url, { headers: { 'x-one': '1' } });
  const path = `/v1/webhooks/${id}`;
  assert.deepEqual((await tenant.api.patch(path, { name: 'Other' })).json.header_names, ['x-one']);
  assert.deepEqual((await tenant.api.patch(path, { headers: { 'x-two': '2' } })).json.header_names, [
    'x-two',
  ]);
  const { json: shown } = await tenant.api.get(path);
  assert.deepEqual((await tenant.api.put(path, { ...shown, name: 'Put' })).json.header_names, ['x-two']);
  await tenant.api.post(`${path}/test`);
  const [request] = await sink.waitForRequests(1);
  assert.deepEqual([request?.headers['x-one'], request?.headers['x-two']], [undefined, '2']);
  assert.deepEqual((await tenant.api.patch(path, { headers: null })).json.header_names, []);
});

test('headers of the connection, the body and signatures, bad values and too many are refused', async () => {
  const refused = async (headers: object): Promise<number> => {
    const body = { name: 'Endpoint', url: 'https://127.0.0.1:9/hook', headers };
    return (await tenant.api.post('/v1/webhooks', body)).status;
  };
  for (const name of [
    'Host',
    'content-length',
    'Webhook-Signature',
    'svix-id',
    'X-Forwarded-For',
    'Transfer-Encoding',
  ]) {
    assert.equal(await refused({ [name]: 'x' }), 422, name);
  }
  assert.equal(await refused({ 'x-a': 'line\r\nX-Evil: 1' }), 422);
  assert.equal(await refused({ 'x a': '1' }), 422);
  assert.equal(await refused({ 'X-A': '1', 'x-a': '2' }), 422);
  assert.equal(await refused({ 'x-a': 'y'.repeat(1_025) }), 422);
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`x-${n}`, 'y']));
  assert.equal(await refused(many), 422);
});

test('a test posts the example of the chosen event, and tells what was posted and answered', async (t) => {
  const sink = await bed.sink(t);
  const { id } = await createEndpoint(tenant, sink.url);
  const { json } = await tenant.api.post(`/v1/webhooks/${id}/test?type=mail.bounced`);
  assert.equal(json.delivered, true);
  const posted = JSON.parse(json.request_body);
  assert.deepEqual(
    [posted.type, posted.data.type, posted.data.to],
    ['mail.bounced', 'hard', 'test@example.com'],
  );
  const [request] = await sink.waitForRequests(1);
  assert.equal(String(request?.body), json.request_body);
  assert.equal(typeof json.response_body, 'string');
  const resend = await createEndpoint(tenant, sink.url, { format: 'resend' });
  const unknown = await tenant.api.post(`/v1/webhooks/${resend.id}/test?type=mail.unsubscribed`);
  assert.equal(unknown.status, 422);
});
