import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import type { Tenant } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { WebhookSink } from '../../test/support/webhook-sink.ts';
import { RootSecret } from '../base/secrets.ts';
import { acceptedMail, leaveRetention } from '../events/sent-mail.fixture.ts';
import { recordUnsubscribe } from '../events/record-unsubscribe.ts';
import { updateWebhook } from './change-webhook.ts';
import type { WebhookDelivery, WebhookDeliveryDetail } from './delivery-schemas.ts';
import { loadBodies } from './load-deliveries.ts';
import {
  acceptMail,
  addEvents,
  createEndpoint,
  eventTimeoutMs,
  startWebhookBed,
  type WebhookBed,
} from './webhook-bed.fixture.ts';

let bed: WebhookBed;
let tenant: Tenant;
let user: PanelUser;
let msgId: string;
before(async () => {
  bed = await startWebhookBed({ roles: 'api,webhooks' });
  tenant = await bed.service.tenant();
  user = await signIn(bed.service, tenant, 'developer');
  msgId = await acceptMail(tenant);
});
after(async () => await bed.stop());

const list = async (id: number, query = ''): Promise<WebhookDelivery[]> =>
  (await user.get(`/v1/private/webhooks/${id}/deliveries${query}`)).json.data;
const idsOf = ({ requests }: WebhookSink): unknown[] => requests.map(({ headers }) => headers['webhook-id']);
const settled = async (id: number, number: number): Promise<WebhookDelivery[]> =>
  await waitFor(
    async () => {
      const found = await list(id);
      return (
        found.length === number && found.every(({ last_attempt_at }) => last_attempt_at !== null) && found
      );
    },
    { timeout_ms: eventTimeoutMs, what: `${number} deliveries with an outcome` },
  );

test('each delivery is shown with its request, the answer, the time it took and the next attempt', async (t) => {
  const sink = await bed.sink(t, {
    respond: { status: 503, headers: { 'x-why': 'busy' }, body: 'try later' },
  });
  const { id } = await createEndpoint(tenant, `${sink.url}/hook`);
  await addEvents(bed.service.db, msgId, [{ event: 'complained', data: { type: 'spam' } }]);
  const [item] = await settled(id, 1);
  assert.ok(item);
  assert.deepEqual(
    [item.type, item.state, item.attempts, item.last_status_code, item.last_error, item.replayed_at],
    ['mail.complained', 'pending', 1, 503, 'status_503', null],
  );
  assert.match(item.recipient ?? '', /@/);
  const answer = await user.get(`/v1/private/webhooks/${id}/deliveries/${item.id}`);
  assert.equal(answer.status, 200);
  const { body, log, ...same } = answer.json as WebhookDeliveryDetail;
  assert.deepEqual(same, item);
  const [request] = sink.requests;
  assert.equal(body, request?.body.toString());
  assert.equal(log.length, 1);
  const [attempt] = log;
  assert.ok(attempt && attempt.duration_ms >= 0);
  assert.deepEqual(
    [attempt.attempt, attempt.url, attempt.status_code, attempt.error, attempt.response_body],
    [1, `${sink.url}/hook`, 503, 'status_503', 'try later'],
  );
  assert.equal(attempt.response_headers['x-why'], 'busy');
  assert.equal(attempt.request_headers['webhook-id'], item.message_id);
  assert.equal(attempt.request_headers['webhook-signature'], request?.headers['webhook-signature']);
  const viewer = await signIn(bed.service, tenant, 'viewer');
  const shown = await viewer.get(`/v1/private/webhooks/${id}/deliveries/${item.id}`);
  const { 'webhook-signature': _signature, ...unsigned } = attempt.request_headers;
  assert.deepEqual(shown.json.log[0].request_headers, unsigned);
  assert.doesNotMatch(shown.text, /v1,/);
  assert.equal(attempt.next_attempt_at, item.next_attempt_at);
  assert.ok(!answer.text.includes('whsec_'));
});

test('the delivery log names the headers of the customer and shows none of their values', async (t) => {
  const sink = await bed.sink(t, { respond: { status: 503 } });
  const { id } = await createEndpoint(tenant, sink.url, {
    headers: { 'X-Gateway-Key': 'secret-of-the-gateway', Authorization: 'Bearer other-secret' },
  });
  await addEvents(bed.service.db, msgId, [{}]);
  const [item] = await settled(id, 1);
  assert.equal(sink.requests[0]?.headers['x-gateway-key'], 'secret-of-the-gateway');
  const answer = await user.get(`/v1/private/webhooks/${id}/deliveries/${item?.id}`);
  const [attempt] = (answer.json as WebhookDeliveryDetail).log;
  assert.equal(attempt?.request_headers['x-gateway-key'], '…');
  assert.equal(attempt.request_headers['authorization'], '…');
  const stored = await bed.service.db.query(
    'select row_to_json(d)::text as stored from webhook_deliveries d where id = $1',
    [item?.id],
  );
  assert.match(JSON.stringify(stored), /x-gateway-key/);
  assert.doesNotMatch(JSON.stringify([answer.json, stored]), /secret-of-the-gateway|other-secret/);
});

test('deliveries are listed newest first and found by state, type and date', async (t) => {
  const sink = await bed.sink(t);
  const { id } = await createEndpoint(tenant, sink.url, { events: ['mail.opened', 'mail.clicked'] });
  await addEvents(bed.service.db, msgId, [{ event: 'opened' }, { event: 'clicked' }, { event: 'opened' }]);
  const all = await settled(id, 3);
  assert.deepEqual(
    all.map((each) => each.id),
    all.map((each) => each.id).toSorted((a, b) => b - a),
  );
  const [newest] = all;
  await bed.service.db.query(`update webhook_deliveries set state = 'failed' where id = $1`, [newest?.id]);
  assert.deepEqual(
    (await list(id, '?state=failed')).map((each) => each.id),
    [newest?.id],
  );
  assert.equal((await list(id, '?state=delivered')).length, 2);
  assert.equal((await list(id, '?state=pending')).length, 0);
  assert.deepEqual(
    (await list(id, '?type=mail.clicked')).map(({ type }) => type),
    ['mail.clicked'],
  );
  assert.equal((await list(id, '?start_date=2000-01-01&end_date=2000-01-31')).length, 0);
  assert.equal((await list(id, '?page_size=1&page=3')).length, 1);
});

test('one delivery is replayed, a successful one too, under the same id with the same bytes', async (t) => {
  const sink = await bed.sink(t);
  const { id } = await createEndpoint(tenant, sink.url);
  await addEvents(bed.service.db, msgId, [{}]);
  const [item] = await settled(id, 1);
  assert.equal(item?.state, 'delivered');
  const replayed = await user.post(`/v1/private/webhooks/${id}/deliveries/${item.id}/replay`);
  assert.equal(replayed.status, 200);
  assert.deepEqual([replayed.json.state, replayed.json.attempts], ['pending', 0]);
  await sink.waitForRequests(2);
  assert.deepEqual(idsOf(sink), [item.message_id, item.message_id]);
  assert.deepEqual(sink.requests[0]?.body, sink.requests[1]?.body);
  const detail = await waitFor(
    async () => {
      const { json } = await user.get(`/v1/private/webhooks/${id}/deliveries/${item.id}`);
      return json.log.length === 2 && (json as WebhookDeliveryDetail);
    },
    { timeout_ms: eventTimeoutMs, what: 'both attempts in the log' },
  );
  assert.deepEqual([detail.state, detail.attempts], ['delivered', 1]);
  assert.notEqual(detail.replayed_at, null);
});

test('a time range is replayed by type and state, with a cursor for the next call', async (t) => {
  const sink = await bed.sink(t);
  const { id } = await createEndpoint(tenant, sink.url, { events: ['mail.opened', 'mail.clicked'] });
  const began = new Date();
  await addEvents(bed.service.db, msgId, [{ event: 'opened' }, { event: 'clicked' }, { event: 'opened' }]);
  await settled(id, 3);
  await addEvents(bed.service.db, msgId, [{ event: 'opened', at: new Date(Date.now() + 60_000) }]);
  const [late] = await settled(id, 4);
  const path = `/v1/private/webhooks/${id}/replay`;
  const range = { from: began.toISOString(), until: new Date(Date.now() + 30_000).toISOString() };
  const dry = await user.post(path, { ...range, types: ['mail.opened'], is_dry_run: true });
  assert.deepEqual([dry.json.replayed, dry.json.has_more], [2, false]);
  assert.equal((await list(id, '?state=pending')).length, 0, 'nothing was changed');
  const opened = await user.post(path, { ...range, types: ['mail.opened'] });
  assert.equal(opened.status, 200);
  assert.deepEqual([opened.json.replayed, opened.json.has_more], [2, false]);
  await sink.waitForRequests(6);
  await waitFor(async () => (await list(id, '?state=delivered')).length === 4, {
    timeout_ms: eventTimeoutMs,
    what: 'the replay',
  });
  const none = await user.post(path, { ...range, types: ['mail.opened'], after: opened.json.after });
  assert.deepEqual([none.json.replayed, none.json.after], [0, opened.json.after]);
  assert.equal((await user.post(path, { ...range, states: ['failed', 'discarded'] })).json.replayed, 0);
  const all = await user.post(path, { ...range, until: '2999-01-01T00:00:00Z' });
  assert.equal(all.json.replayed, 4);
  await sink.waitForRequests(10);
  assert.equal(idsOf(sink).filter((each) => each === late?.message_id).length, 2);
});

test('a paused webhook replays nothing, and an invalid range is refused', async (t) => {
  const sink = await bed.sink(t);
  const { id } = await createEndpoint(tenant, sink.url);
  await addEvents(bed.service.db, msgId, [{}]);
  const [item] = await settled(id, 1);
  const range = { from: '2026-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' };
  const wrong = await user.post(`/v1/private/webhooks/${id}/replay`, {
    from: '2026-02-31',
    until: '2026-13-01T00:00:00Z',
  });
  assert.equal(wrong.status, 422);
  const never = await user.post(`/v1/private/webhooks/${id}/replay`, {
    ...range,
    until: '2026-13-01T00:00:00Z',
  });
  assert.deepEqual([never.status, never.json.errors[0].pointer], [422, '/until']);
  await tenant.api.patch(`/v1/webhooks/${id}`, { is_active: false });
  const one = await user.post(`/v1/private/webhooks/${id}/deliveries/${item?.id}/replay`);
  assert.deepEqual([one.status, one.json.code], [409, 'webhook_paused']);
  const many = await user.post(`/v1/private/webhooks/${id}/replay`, range);
  assert.deepEqual([many.status, many.json.code], [409, 'webhook_paused']);
  assert.equal(sink.requests.length, 1);
});

test('replays need the role developer and are audited', async (t) => {
  const sink = await bed.sink(t);
  const { id } = await createEndpoint(tenant, sink.url);
  await addEvents(bed.service.db, msgId, [{}]);
  const [item] = await settled(id, 1);
  const viewer = await signIn(bed.service, tenant, 'viewer');
  const range = { from: '2026-01-01T00:00:00Z', until: '2999-01-01T00:00:00Z' };
  assert.equal((await viewer.get(`/v1/private/webhooks/${id}/deliveries/${item?.id}`)).status, 200);
  assert.equal((await viewer.post(`/v1/private/webhooks/${id}/deliveries/${item?.id}/replay`)).status, 403);
  assert.equal((await viewer.post(`/v1/private/webhooks/${id}/replay`, range)).status, 403);
  await user.post(`/v1/private/webhooks/${id}/deliveries/${item?.id}/replay`);
  await user.post(`/v1/private/webhooks/${id}/replay`, range);
  const trail = await bed.service.db.query<{ action: string }>(
    `select action from audit_events where action like '%replayed' and (object_id = $1 or object_id = $2) order by id`,
    [String(item?.id), String(id)],
  );
  assert.deepEqual(
    trail.map(({ action }) => action),
    ['webhook_delivery.replayed', 'webhook.replayed'],
  );
});

test('a delivery past its retention is not posted for a blocked person', async () => {
  const { service } = bed;
  const own = await service.tenant();
  const mail_id = await acceptedMail(service, own, 'blocked@sandbox.test');
  await recordUnsubscribe(service.db, { mail_id, method: 'page', reason: null, at: new Date() });
  await leaveRetention(service, mail_id);
  const [event] = await service.db.query<{ event_id: string }>(
    `select event_id from events where mail_id = $1 and event = 'unsubscribed'`,
    [mail_id],
  );
  assert.ok(event);
  const isBlocked = async (): Promise<unknown> =>
    (await loadBodies(service.db, [{ ...event, mail_id }])).get(event.event_id)?.is_blocked;
  assert.equal(await isBlocked(), false);
  const contacts = [{ contact_type: 'email_address', contact: 'blocked@sandbox.test' }];
  const asked = await own.api.post('/v1/rights-requests', { kind: 'blocking', contacts });
  await own.api.post(`/v1/rights-requests/${asked.json.id}/fulfil`, {});
  assert.equal(await isBlocked(), true);
});

test('a webhook of another instance is not changed by any role', async () => {
  const { db } = bed.service;
  const { id } = await createEndpoint(tenant, 'https://127.0.0.1:9/hook', { is_active: false });
  const stranger = await bed.service.tenant();
  const root = new RootSecret('a root secret for tests, and for tests alone');
  const change = {
    id,
    root,
    changes: { name: 'Taken' },
    actor: { kind: 'system' } as const,
    now: new Date(),
  };
  await assert.rejects(updateWebhook(db, stranger.instance.id, change), { code: 'webhook_not_found' });
  assert.equal((await updateWebhook(db, tenant.instance.id, change)).name, 'Taken');
});
