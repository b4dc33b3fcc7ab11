import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { v7 as uuidv7 } from 'uuid';
import { compileValidator } from '../base/http/validation.ts';
import type { Tenant } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import type { SinkRequest } from '../../test/support/webhook-sink.ts';
import { recordComplaint } from '../events/record-complaint.ts';
import { recordResubscribe, recordUnsubscribe } from '../events/record-unsubscribe.ts';
import { eventTypes, followedTypes, mailTypes } from './event-types.ts';
import { publishedEvents } from './payload-schemas.ts';
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
before(async () => {
  bed = await startWebhookBed({ roles: 'api,web,delivery,webhooks' });
  tenant = await bed.service.tenant();
});
after(async () => await bed.stop());

// oxlint-disable-next-line typescript/no-explicit-any
const verify = (secret: string, { body, headers }: SinkRequest): any =>
  new Webhook(secret).verify(body, headers as Record<string, string>);
// oxlint-disable-next-line typescript/no-explicit-any
const bodyOf = ({ body }: SinkRequest): any => JSON.parse(body.toString());
const typesOf = (requests: SinkRequest[]): string[] =>
  requests.map((each) => String(bodyOf(each).type)).toSorted();

test('a sent mail is delivered as a signed event that identifies it', async (t) => {
  const sink = await bed.sink(t);
  const { id, secret } = await createEndpoint(tenant, `${sink.url}/hook`);
  const tags = { customer: '4711', Plan: 'ñ "a"' };
  const ours = { custom_msg_id: 'order-1', custom_group_code: 'orders', category: 'Orders', tags };
  const msg_id = await acceptMail(tenant, ours);
  const [request] = await sink.waitForRequests(1);
  assert.ok(request);
  const event = verify(secret, request);
  assert.equal(event.type, 'mail.sent');
  assert.match(event.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const { mail_id, remote_host, smtp_code, response, ...data } = event.data;
  assert.deepEqual(data, {
    msg_id,
    to: 'delivered@sandbox.test',
    sender: `test@${tenant.instance.slug}.sandbox.test`,
    subject: 'Hello',
    ...ours,
    category: 'orders',
    test_mode: false,
  });
  assert.equal((await tenant.api.get(`/v1/mails/${mail_id}`)).json.msg_id, msg_id);
  assert.equal(smtp_code, 250);
  assert.ok(typeof response === 'string' && remote_host !== undefined);
  const webhook = await waitFor(
    async () => {
      const { json } = await tenant.api.get(`/v1/webhooks/${id}`);
      return json.last_success_at !== null && json;
    },
    { timeout_ms: eventTimeoutMs, what: 'the success to be counted' },
  );
  assert.deepEqual([webhook.last_status_code, webhook.consecutive_failures], [200, 0]);
  assert.equal(webhook.updated_at, webhook.created_at, 'a delivery changes no configuration');
});

test('real events match the published schemas', async (t) => {
  const own = await bed.service.tenant();
  await bed.service.db.query('update instances set attachment_limit_bytes = 0 where id = $1', [
    own.instance.id,
  ]);
  const sink = await bed.sink(t);
  await createEndpoint(own, sink.url);
  const scripts = ['delivered', 'bounce', 'open', 'click', 'softbounce'];
  const html = '<p><a href="https://example.com/?a=1">Hello</a></p>';
  await acceptMail(own, { to: scripts.map((script) => ({ email: `${script}@sandbox.test` })), html });
  const attachment = { type: 'text/plain', filename: 'a.txt', content: 'aGVsbG8=' };
  const dropped = await acceptMail(own, { attachments: [attachment] });
  const [row] = await bed.service.db.query<{ mail_id: string }>(
    'select mail_id from mails where msg_id = $1',
    [dropped],
  );
  const mail = { mail_id: row?.mail_id ?? '', at: new Date() };
  await recordUnsubscribe(bed.service.db, { ...mail, method: 'one_click', reason: null });
  await recordResubscribe(bed.service.db, mail);
  await recordComplaint(bed.service.db, { ...mail, type: 'spam', comment: null });
  await addEvents(bed.service.db, dropped, [{ event: 'deferred' }, { event: 'held' }]);
  const seen = () => new Set(typesOf(sink.requests));
  await waitFor(() => seen().size === mailTypes.length, {
    timeout_ms: eventTimeoutMs,
    what: () => `all types (${[...seen()].join()})`,
  });
  for (const request of sink.requests) {
    const body = bodyOf(request);
    const published = publishedEvents.find(({ name }) => name === body.type);
    assert.ok(published, body.type);
    assert.deepEqual(compileValidator(published.schema)(body), [], body.type);
    const example = published.example as { data: object };
    assert.deepEqual(
      Object.keys(body.data),
      Object.keys(example.data),
      `members of ${body.type}, in their order`,
    );
  }
  const dataOf = (type: string) => sink.requests.map(bodyOf).find((body) => body.type === type).data;
  const clicked = dataOf('mail.clicked');
  assert.deepEqual([clicked.url, clicked.is_machine], ['https://example.com/?a=1', false]);
  assert.deepEqual(
    [dataOf('mail.unsubscribed').method, dataOf('mail.unsubscribed').reason],
    ['one_click', null],
  );
  assert.equal(dataOf('mail.complained').type, 'spam');
  assert.equal(dataOf('mail.dropped').reason, 'attachments_over_limit');
  const bounced = dataOf('mail.bounced');
  assert.deepEqual([bounced.type, bounced.smtp_code, bounced.enhanced_code], ['hard', 550, '5.1.1']);
  assert.match(bounced.diagnostic, /550/);
  const deferred = dataOf('mail.deferred');
  assert.deepEqual(
    [deferred.reason, deferred.attempt, deferred.smtp_code, new Date(deferred.next_attempt_at) > new Date()],
    ['mailbox_full', 1, 452, true],
  );
  const document = await (await fetch(`${bed.service.base_url}/openapi.json`)).json();
  const { webhooks } = document as { webhooks: object };
  assert.deepEqual(Object.keys(webhooks), [...eventTypes, 'webhook.test']);
});

test('an unsubscribe from a mail past its retention is delivered with the members that are known', async (t) => {
  const own = await bed.service.tenant();
  const sink = await bed.sink(t);
  await createEndpoint(own, sink.url);
  const mail_id = uuidv7();
  const at = new Date();
  await bed.service.db.query(
    `with unsubscribed as (
       insert into unsubscribes (mail_id, msg_id, instance_id, sender_id, sender, recipient, method, unsubscribed_at)
       values ($1, $1, $2, 1, 'news@example.com', 'ana@example.com', 'page', $3)
     )
     insert into events (event_id, mail_id, msg_id, instance_id, at, event, reason, data)
     values ($4, $1, $1, $2, $3, 'unsubscribed', 'page', '{"method":"page","reason":"Too many"}')`,
    [mail_id, own.instance.id, at, uuidv7()],
  );
  const [request] = await sink.waitForRequests(1);
  assert.deepEqual(request && bodyOf(request).data, {
    mail_id,
    msg_id: mail_id,
    to: 'ana@example.com',
    sender: 'news@example.com',
    subject: null,
    custom_msg_id: null,
    custom_group_code: null,
    category: null,
    test_mode: null,
    tags: null,
    method: 'page',
    reason: 'Too many',
  });
});

test('a webhook receives the types in its list, and all types when it has none', async (t) => {
  const own = await bed.service.tenant();
  const all = await bed.sink(t);
  const some = await bed.sink(t);
  await createEndpoint(own, all.url);
  await createEndpoint(own, some.url, { events: ['mail.opened', 'mail.complained'] });
  const msgId = await acceptMail(own);
  await all.waitForRequests(1);
  const events = followedTypes
    .filter((type) => type !== 'mail.sent')
    .map((type) => type.replace('mail.', ''));
  await addEvents(
    bed.service.db,
    msgId,
    events.map((event) => ({ event })),
  );
  await all.waitForRequests(followedTypes.length);
  assert.deepEqual(typesOf(all.requests), followedTypes.toSorted());
  await some.waitForRequests(2);
  assert.deepEqual(typesOf(some.requests), ['mail.complained', 'mail.opened']);
});

test('an event goes to each webhook of its instance under one id, and to no other instance', async (t) => {
  const own = await bed.service.tenant();
  const other = await bed.service.tenant();
  const [first, second, foreign] = [await bed.sink(t), await bed.sink(t), await bed.sink(t)];
  await createEndpoint(own, first.url);
  await createEndpoint(own, second.url);
  await createEndpoint(other, foreign.url);
  await acceptMail(own);
  await first.waitForRequests(1);
  await second.waitForRequests(1);
  const idOf = (sink: typeof first): unknown => sink.requests[0]?.headers['webhook-id'];
  assert.equal(idOf(first), idOf(second));
  assert.deepEqual(first.requests[0]?.body, second.requests[0]?.body);
  await acceptMail(other);
  await foreign.waitForRequests(1);
  assert.notEqual(idOf(foreign), idOf(first));
  assert.equal(
    bodyOf(foreign.requests[0] as SinkRequest).data.sender,
    `test@${other.instance.slug}.sandbox.test`,
  );
  assert.equal(first.requests.length, 1);
});

test('events before the creation of a webhook are not delivered to it', async (t) => {
  const own = await bed.service.tenant();
  const msgId = await acceptMail(own);
  await waitFor(async () => (await own.api.get(`/v1/mails?msg_id=${msgId}`)).json.data[0].status === 3, {
    timeout_ms: eventTimeoutMs,
    what: 'the mail to be sent',
  });
  const sink = await bed.sink(t);
  await createEndpoint(own, sink.url);
  await addEvents(bed.service.db, msgId, [
    { event: 'opened', at: new Date(Date.now() - 60_000) },
    { event: 'clicked' },
  ]);
  await sink.waitForRequests(1);
  assert.deepEqual(
    sink.requests.map((each) => bodyOf(each).type),
    ['mail.clicked'],
  );
});

test('an event of a transaction that ends late is delivered too', async (t) => {
  const own = await bed.service.tenant();
  const sink = await bed.sink(t);
  await createEndpoint(own, sink.url, { events: ['mail.opened', 'mail.clicked'] });
  const msgId = await acceptMail(own);
  const { db } = bed.service;
  const insert = `insert into events (event_id, mail_id, msg_id, instance_id, at, event)
    select gen_random_uuid(), mail_id, msg_id, instance_id, clock_timestamp(), $2 from mails where msg_id = $1`;
  await db.transaction(async (tx) => {
    // The partition is chosen by the time in the id.
    await tx.query(insert.replace('gen_random_uuid()', 'uuid_at(now())'), [msgId, 'opened']);
    await addEvents(db, msgId, [{ event: 'clicked' }]);
    await new Promise((resolve) => setTimeout(resolve, 100));
    assert.equal(sink.requests.length, 0, 'what could still be preceded waits');
  });
  await sink.waitForRequests(2);
  assert.deepEqual(typesOf(sink.requests), ['mail.clicked', 'mail.opened']);
});

test('pending deliveries are discarded with their webhook', async (t) => {
  const own = await bed.service.tenant();
  const sink = await bed.sink(t, { respond: { status: 500 } });
  const { id } = await createEndpoint(own, sink.url);
  await acceptMail(own);
  await sink.waitForRequests(1);
  await own.api.delete(`/v1/webhooks/${id}`);
  await bed.service.db.query(
    `update webhook_deliveries set due_at = now() where webhook_id = $1 and due_at is not null`,
    [id],
  );
  const other = await bed.sink(t);
  await createEndpoint(own, other.url);
  await acceptMail(own);
  await other.waitForRequests(1);
  assert.equal(sink.requests.length, 1);
});

test('over TLS the certificate is verified', async (t) => {
  const own = await bed.service.tenant();
  const sink = await bed.sink(t, { tls: true });
  const { id } = await createEndpoint(own, sink.url);
  await acceptMail(own);
  const failed = await waitFor(
    async () => {
      const { json } = await own.api.get(`/v1/webhooks/${id}`);
      return json.consecutive_failures > 0 && json;
    },
    { timeout_ms: eventTimeoutMs, what: 'the failure to be counted' },
  );
  assert.equal(failed.last_status_code, null);
  assert.notEqual(failed.last_failure_at, null);
  assert.equal(sink.requests.length, 0);
});

test('a delivery whose event is no longer kept is discarded, and does not count as a failure', async (t) => {
  const own = await bed.service.tenant();
  const sink = await bed.sink(t);
  const { id } = await createEndpoint(own, sink.url);
  const { db } = bed.service;
  await db.query(
    `insert into webhook_deliveries (webhook_id, instance_id, event_id, mail_id, type, event_at, created_at, due_at)
     values ($1, $2, $3, $4, 'mail.sent', now(), now(), now())`,
    [id, own.instance.id, uuidv7(), uuidv7()],
  );
  const [delivery] = await waitFor(
    async () => {
      const sql =
        'select state, attempts, last_error from webhook_deliveries where webhook_id = $1 and due_at is null';
      const rows = await db.query<{ state: string; attempts: number; last_error: string }>(sql, [id]);
      return rows.length > 0 && rows;
    },
    { timeout_ms: eventTimeoutMs, what: 'the delivery to be discarded' },
  );
  assert.deepEqual(delivery, { state: 'discarded', attempts: 0, last_error: 'event_gone' });
  const { json } = await own.api.get(`/v1/webhooks/${id}`);
  assert.deepEqual([json.consecutive_failures, json.last_failure_at], [0, null]);
  assert.equal(sink.requests.length, 0);
});

test('a delivery that cannot be signed is a failed attempt with a retry', async (t) => {
  const sink = await bed.sink(t);
  const { db } = bed.service;
  const broken = await bed.service.tenant();
  const { id } = await createEndpoint(broken, sink.url);
  await db.query(`update webhooks set secret = '\\x00' where id = $1`, [id]);
  await acceptMail(broken);
  const find = async () =>
    (
      await db.query<{ state: string; last_error: string | null; due_at: Date }>(
        'select state, last_error, due_at from webhook_deliveries where webhook_id = $1 and last_error is not null',
        [id],
      )
    )[0];
  const { state, last_error, due_at } = await waitFor(find, { timeout_ms: eventTimeoutMs });
  assert.deepEqual([state, last_error], ['pending', 'internal_error']);
  assert.ok(due_at > new Date());
});
