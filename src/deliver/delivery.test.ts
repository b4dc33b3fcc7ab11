import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import PostalMime from 'postal-mime';
import { RootSecret } from '../base/secrets.ts';
import { createDomain } from '../domains/change-domain.ts';
import { recordUnsubscribe } from '../events/record-unsubscribe.ts';
import { startDnsServer, type DnsServer } from '../../test/support/dns-server.ts';
import { pauseDestination } from '../../test/support/pause-destination.ts';
import { inSequence, startRemoteMx, type RemoteMx } from '../../test/support/remote-mx.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';

const secret = new RootSecret('a root secret for tests, and for tests alone');
const actor = { kind: 'operator' } as const;
let dns: DnsServer;
let mx: RemoteMx;
let service: TestService;
let tenant: Tenant;
let domainId: number;
before(async () => {
  dns = await startDnsServer({});
  mx = await startRemoteMx({});
  dns.set('remote.test', 'MX', ['10 mx.remote.test']);
  dns.set('mx.remote.test', 'A', ['127.0.0.1']);
  service = await startTestService({
    roles: 'api,delivery',
    env: {
      CHASQUI_DNS_SERVERS: dns.address,
      CHASQUI_MX_PORT: String(mx.port),
      CHASQUI_MX_ALLOW_PRIVATE: 'true',
    },
  });
  tenant = await service.tenant();
  const options = { domain: 'shop.example.test', platform_domain: 'chasqui.test', secret, actor };
  domainId = await createDomain(service.db, tenant.instance.id, options);
  await setDomain('verified');
  await service.db.query(
    "insert into senders (instance_id, domain_id, name, email_address, stream) values ($1, $2, 'Shop', 'hi@shop.example.test', 'broadcast'), ($1, $2, 'Shop', 'order@shop.example.test', 'transactional')",
    [tenant.instance.id, domainId],
  );
});
after(async () => {
  await service.stop();
  await mx.stop();
  await dns.stop();
});

const setDomain = async (status: string) =>
  await service.db.query(
    'update domains set mx_status = $2, spf_status = $2, dkim_status = $2, dmarc_status = $2 where id = $1',
    [domainId, status],
  );
const send = async (to: string, more: Record<string, unknown> = {}): Promise<string> => {
  const { status, json, text } = await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: to, name: 'Ana' }],
    subject: 'Hola ñandú',
    html: '<p>Hola <b>Ana</b></p>',
    ...more,
  });
  assert.equal(status, 200, text);
  return json.message_id;
};
const statusOf = async (msgId: string): Promise<number | undefined> =>
  (await service.db.query<{ status: number }>('select status from mails where msg_id = $1', [msgId]))[0]
    ?.status;
const becomes = async (msgId: string, status: number): Promise<void> => {
  await waitFor(async () => (await statusOf(msgId)) === status, {
    what: `status ${status}`,
  });
};
const eventsOf = async (msgId: string) =>
  await service.db.query<{ event: string; reason: string | null; data: Record<string, unknown> | null }>(
    'select event, reason, data from events where msg_id = $1 order by event_id',
    [msgId],
  );

test('a sandbox recipient is delivered to within a second and captured', async () => {
  const msgId = await send('delivered@sandbox.test');
  await becomes(msgId, 3);
  const [row] = await service.db.query<{ raw: Buffer }>(
    'select s.raw from sandbox_messages s join mails m using (mail_id) where m.msg_id = $1',
    [msgId],
  );
  const parsed = await PostalMime.parse(row?.raw ?? '');
  assert.equal(parsed.subject, 'Hola ñandú');
  assert.match(parsed.html ?? '', /<p>Hola <b>Ana<\/b><\/p>/);
  assert.match(parsed.text ?? '', /Hola Ana/);
  const [left] = await service.db.query('select 1 from queue where msg_id = $1', [msgId]);
  assert.equal(left, undefined);
});

test('sandbox scripts: a bounce restricts, a deferral is tried again', async () => {
  const bounced = await send('bounce+x@sandbox.test');
  const deferred = await send('defer-1@sandbox.test');
  await becomes(bounced, 6);
  const [event] = await eventsOf(bounced);
  assert.deepEqual(
    [event?.event, event?.data?.['type'], event?.data?.['smtp_code']],
    ['bounced', 'hard', 550],
  );
  const [restriction] = await service.db.query<{ reason: string }>(
    'select reason from restrictions where instance_id = $1 and recipient = $2',
    [tenant.instance.id, 'bounce+x@sandbox.test'],
  );
  assert.equal(restriction?.reason, 'hard_bounce');
  await becomes(deferred, 3);
  assert.deepEqual(
    (await eventsOf(deferred)).map(({ event: name }) => name),
    ['deferred', 'sent'],
  );
});

test('mail to a remote server is signed so that it verifies, over TLS, with its own return path', async () => {
  const msgId = await send('ana@remote.test', { sender_email: 'hi@shop.example.test' });
  const [message] = await mx.waitForMessages(1);
  await becomes(msgId, 3);
  assert.deepEqual(message?.rcpt_to, ['ana@remote.test']);
  assert.match(message?.mail_from ?? '', /^bounce-[0-9a-f]{48}@shop\.example\.test$/);
  assert.ok(message?.session.tls);
  const keys = await service.db.query<{ selector: string; public_key: string }>(
    'select selector, public_key from dkim_keys where domain_id = $1',
    [domainId],
  );
  const verdict = await dkimVerify(message?.data ?? '', {
    resolver: async (name: string) => {
      const key = keys.find(({ selector }) => name.startsWith(`${selector}.`));
      return [[`v=DKIM1; k=rsa; p=${key?.public_key}`]];
    },
  });
  assert.equal(verdict.results[0]?.status?.result, 'pass', JSON.stringify(verdict.results[0]?.status));
  const parsed = await PostalMime.parse(message?.data ?? '');
  const names = new Set(parsed.headers.map(({ key }) => key));
  assert.ok(names.has('list-unsubscribe') && names.has('list-unsubscribe-post'));
  const [event] = await eventsOf(msgId);
  assert.equal(event?.data?.['remote_host'], 'mx.remote.test');
  assert.equal(event?.data?.['remote_ip'], '127.0.0.1');
});

test('a temporary refusal is deferred, with what the server said', async () => {
  mx.script.RCPT = inSequence('451 4.7.1 greylisted, try again in 1 seconds', '250 2.1.5 ok');
  const seen = mx.messages.length;
  const msgId = await send('grey@remote.test', { sender_email: 'hi@shop.example.test' });
  await becomes(msgId, 5);
  const [event] = await eventsOf(msgId);
  assert.equal(event?.data?.['smtp_code'], 451);
  await becomes(msgId, 3);
  assert.equal(mx.messages.length, seen + 1);
  delete mx.script.RCPT;
});

test('an unknown user bounces hard, a domain that takes no mail too', async () => {
  mx.script.RCPT = '550 5.1.1 no such user';
  const unknown = await send('nobody@remote.test', { sender_email: 'hi@shop.example.test' });
  await becomes(unknown, 6);
  delete mx.script.RCPT;
  dns.set('nomail.test', 'MX', ['0 .']);
  const refused = await send('a@nomail.test', { sender_email: 'hi@shop.example.test' });
  await becomes(refused, 6);
  assert.equal((await eventsOf(refused))[0]?.data?.['type'], 'hard');
});

test('mail waits while its domain is not verified, and goes out when it is again', async () => {
  mx.script.RCPT = inSequence('451 4.3.0 later, try again in 60 seconds', '250 ok');
  const msgId = await send('held@remote.test', { sender_email: 'hi@shop.example.test' });
  await becomes(msgId, 5);
  await setDomain('failed');
  await service.db.query('update queue set due_at = now() where msg_id = $1', [msgId]);
  await becomes(msgId, 7);
  await setDomain('verified');
  await waitFor(async () => (await statusOf(msgId)) === 3, {
    what: 'the mail to be released',
    timeout_ms: 12_000,
  });
  assert.deepEqual(
    (await eventsOf(msgId)).map(({ event }) => event),
    ['deferred', 'held', 'released', 'sent'],
  );
  delete mx.script.RCPT;
});

test('a recipient that was restricted after acceptance is not written to', async () => {
  // Held back until the restriction is there.
  await pauseDestination(service, tenant.instance.id, 'remote.test');
  const msgId = await send('late@remote.test', { sender_email: 'hi@shop.example.test' });
  await service.db.query(
    "insert into restrictions (instance_id, recipient, reason) values ($1, 'Late@Remote.test', 'manual')",
    [tenant.instance.id],
  );
  const seen = mx.messages.length;
  await service.db.query('delete from paused_destinations');
  await becomes(msgId, 4);
  assert.deepEqual(
    (await eventsOf(msgId)).map(({ event, reason }) => [event, reason]),
    [['dropped', 'recipient_restricted']],
  );
  assert.equal(mx.messages.length, seen);
});

test('a mail whose message is no longer kept ends, and is not claimed over and over', async () => {
  await pauseDestination(service, tenant.instance.id, 'remote.test');
  const msgId = await send('old@remote.test', { sender_email: 'hi@shop.example.test' });
  await service.db.query('delete from messages where msg_id = $1', [msgId]);
  const nothing = await service.db.query<{ mail_id: string }>(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at)
     values (gen_random_uuid(), gen_random_uuid(), $1, 'remote.test', 0, now()) returning mail_id`,
    [tenant.instance.id],
  );
  await service.db.query('delete from paused_destinations');
  await becomes(msgId, 6);
  assert.deepEqual(
    (await eventsOf(msgId)).map(({ event, reason }) => [event, reason]),
    [['bounced', 'message_expired']],
  );
  await waitFor(
    async () =>
      (await service.db.query('select from queue where mail_id = $1', [nothing[0]?.mail_id])).length === 0,
    { what: 'the place in the queue without any mail to be given up' },
  );
});

test('a recipient who unsubscribed after acceptance gets no waiting broadcast, but other mail', async () => {
  await pauseDestination(service, tenant.instance.id, 'remote.test');
  const broadcast = await send('Gone@remote.test', { sender_email: 'hi@shop.example.test' });
  const transactional = await send('gone@remote.test', { sender_email: 'order@shop.example.test' });
  const [mail] = await service.db.query<{ mail_id: string }>('select mail_id from mails where msg_id = $1', [
    transactional,
  ]);
  await recordUnsubscribe(service.db, {
    mail_id: mail?.mail_id ?? '',
    method: 'page',
    reason: null,
    at: new Date(),
  });
  await service.db.query('delete from paused_destinations');
  await becomes(broadcast, 4);
  assert.equal((await eventsOf(broadcast))[0]?.reason, 'recipient_unsubscribed');
  await becomes(transactional, 3);
});
