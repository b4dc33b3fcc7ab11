import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import eventWebhook from '@sendgrid/eventwebhook';
import { Resend } from 'resend';
import { Webhook } from 'standardwebhooks';
import type { Tenant } from '../../../test/support/test-service.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import type { SinkRequest } from '../../../test/support/webhook-sink.ts';
import { acceptMail, addEvents, startWebhookBed, type WebhookBed } from '../webhook-bed.fixture.ts';

let bed: WebhookBed;
let tenant: Tenant;
before(async () => {
  bed = await startWebhookBed({ roles: 'api,web,webhooks' });
  tenant = await bed.service.tenant();
});
after(async () => await bed.stop());

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any;
const bodyOf = ({ body }: SinkRequest): Json => JSON.parse(body.toString());
const headerOf = ({ headers }: SinkRequest, name: string): string => String(headers[name]);

const seeds = [
  { event: 'sent', data: { response: '250 OK', remote_host: 'mx.x.cl' } },
  {
    event: 'bounced',
    reason: 'no_such_user',
    data: { type: 'hard', response: '550 5.1.1 no', enhanced_code: '5.1.1' },
  },
  { event: 'opened', data: { user_agent: 'Mail' } },
  { event: 'clicked', data: { url: 'https://x.cl/', user_agent: 'Mail' } },
  { event: 'complained', data: { type: 'spam' } },
];

async function deliver(t: Parameters<WebhookBed['sink']>[0], format: string) {
  const sink = await bed.sink(t);
  const created = await tenant.api.post('/v1/webhooks', { name: format, url: `${sink.url}/hook`, format });
  assert.equal(created.status, 201, created.text);
  assert.equal(created.json.format, format);
  const tags = { Tag: 'a', category: 'news', 'category.2': 'spring', user: '1' };
  const msg_id = await acceptMail(tenant, { tags });
  const ids = await addEvents(bed.service.db, msg_id, seeds);
  const requests = await sink.waitForRequests(seeds.length);
  return { requests, msg_id, ids, webhook: created.json };
}

test('the helper of Resend verifies and reads what a webhook in its form gets', async (t) => {
  const { requests, msg_id, webhook } = await deliver(t, 'resend');
  assert.deepEqual(
    webhook.events.filter((type: string) => /subscribed/.test(type)),
    [],
  );
  const resend = new Resend('re_1');
  const byType = new Map<string, Json>();
  for (const request of requests) {
    const event = resend.webhooks.verify({
      payload: request.body.toString(),
      headers: {
        id: headerOf(request, 'svix-id'),
        timestamp: headerOf(request, 'svix-timestamp'),
        signature: headerOf(request, 'svix-signature'),
      },
      webhookSecret: webhook.secret,
    });
    // Those of Standard Webhooks are there too.
    new Webhook(webhook.secret).verify(request.body, request.headers as Record<string, string>);
    byType.set(event.type, event);
  }
  assert.deepEqual(
    [...byType.keys()].toSorted((a, b) => a.localeCompare(b)),
    ['email.bounced', 'email.clicked', 'email.complained', 'email.delivered', 'email.opened'],
  );
  const { data } = byType.get('email.bounced');
  assert.equal(data.email_id, msg_id);
  assert.deepEqual(data.to, ['delivered@sandbox.test']);
  assert.equal(data.tags.user, '1');
  assert.deepEqual(data.bounce, { type: 'Permanent', subType: 'General', message: '550 5.1.1 no' });
  const { click } = byType.get('email.clicked').data;
  assert.deepEqual([click.link, click.ipAddress, click.userAgent], ['https://x.cl/', '', 'Mail']);
});

test('a webhook in the form of Postmark has Basic credentials and a RecordType', async (t) => {
  const { requests, msg_id, webhook } = await deliver(t, 'postmark');
  const { username, password } = webhook.basic_auth;
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
  const byType = new Map<string, Json>();
  for (const request of requests) {
    assert.equal(headerOf(request, 'authorization'), expected);
    new Webhook(webhook.secret).verify(request.body, request.headers as Record<string, string>);
    const event = bodyOf(request);
    assert.equal(event.MessageID, msg_id);
    assert.equal(event.Tag, 'a');
    assert.equal(event.Metadata.user, '1');
    assert.equal(event.MessageStream, 'outbound');
    byType.set(event.RecordType, event);
  }
  assert.deepEqual(
    [...byType.keys()].toSorted((a, b) => a.localeCompare(b)),
    ['Bounce', 'Click', 'Delivery', 'Open', 'SpamComplaint'],
  );
  const { Type, TypeCode, Email, Details, Inactive } = byType.get('Bounce');
  assert.deepEqual(
    [Type, TypeCode, Email, Details, Inactive],
    ['HardBounce', 1, 'delivered@sandbox.test', '550 5.1.1 no', true],
  );
  assert.equal(byType.get('Click').OriginalLink, 'https://x.cl/');
  const [kept] = await waitFor(async () => {
    const rows = await bed.service.db.query<{ log: string }>(
      `select log::text as log from webhook_deliveries where webhook_id = $1 and log::text like '%Basic%'`,
      [webhook.id],
    );
    return rows.length > 0 && rows;
  });
  assert.ok(!kept?.log.includes(expected), 'the password is not kept');
});

test('the helper of SendGrid verifies the signature of a list of events', async (t) => {
  const { requests, msg_id, webhook, ids } = await deliver(t, 'sendgrid');
  const { EventWebhook } = eventWebhook;
  const helper = new EventWebhook();
  const key = helper.convertPublicKeyToECDSA(webhook.public_key);
  const byEvent = new Map<string, Json>();
  for (const request of requests) {
    const payload = request.body.toString();
    const signature = headerOf(request, 'x-twilio-email-event-webhook-signature');
    const timestamp = headerOf(request, 'x-twilio-email-event-webhook-timestamp');
    assert.ok(helper.verifySignature(key, payload, signature, timestamp));
    assert.ok(!helper.verifySignature(key, `${payload} `, signature, timestamp));
    const [event, more] = bodyOf(request);
    assert.equal(more, undefined);
    assert.equal(event.sg_message_id, msg_id);
    assert.ok(ids.includes(event.sg_event_id));
    assert.deepEqual(event.category, ['news', 'spring']);
    assert.equal(event.user, '1');
    byEvent.set(event.event, event);
  }
  assert.deepEqual(
    [...byEvent.keys()].toSorted((a, b) => a.localeCompare(b)),
    ['bounce', 'click', 'delivered', 'open', 'spamreport'],
  );
  const { reason, status, type, email } = byEvent.get('bounce');
  assert.deepEqual(
    [reason, status, type, email],
    ['550 5.1.1 no', '5.1.1', 'bounce', 'delivered@sandbox.test'],
  );
});

test('a rotated secret comes with another key pair, and the test event is signed too', async (t) => {
  const sink = await bed.sink(t);
  const url = `${sink.url}/hook`;
  const created = await tenant.api.post('/v1/webhooks', {
    name: 'x',
    url,
    format: 'sendgrid',
    is_active: false,
  });
  const { id, public_key } = created.json;
  const rotated = await tenant.api.post(`/v1/webhooks/${id}/rotate-secret`);
  assert.notEqual(rotated.json.public_key, public_key);
  const tested = await tenant.api.post(`/v1/webhooks/${id}/test`);
  assert.equal(tested.json.delivered, true);
  const [request] = await sink.waitForRequests(1);
  assert.ok(request);
  const { EventWebhook } = eventWebhook;
  const helper = new EventWebhook();
  const signature = headerOf(request, 'x-twilio-email-event-webhook-signature');
  const timestamp = headerOf(request, 'x-twilio-email-event-webhook-timestamp');
  const key = helper.convertPublicKeyToECDSA(rotated.json.public_key);
  assert.ok(helper.verifySignature(key, request.body.toString(), signature, timestamp));
  assert.equal(bodyOf(request)[0].event, 'delivered');
});

test('a format stays, and takes only events that it has words for', async () => {
  const url = 'http://127.0.0.1:9/hook';
  const post = async (more: object) => await tenant.api.post('/v1/webhooks', { name: 'x', url, ...more });
  const refused = await post({ format: 'resend', events: ['mail.sent', 'mail.unsubscribed'] });
  assert.equal(refused.status, 422);
  assert.equal(refused.json.errors[0].pointer, '/events/1');
  assert.equal((await post({ format: 'mailgun' })).status, 422);
  const { json } = await post({ format: 'postmark', events: ['mail.sent'] });
  const path = `/v1/webhooks/${json.id}`;
  const changed = await tenant.api.patch(path, { events: ['mail.dropped'] });
  assert.equal(changed.status, 422);
  const all = await tenant.api.patch(path, { events: null });
  assert.ok(all.json.events.length > 5 && !all.json.events.includes('mail.dropped'));
  const plain = await post({});
  assert.deepEqual([plain.json.format, plain.json.events, plain.json.public_key], ['chasqui', null, null]);
});
