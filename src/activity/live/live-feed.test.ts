import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../../test/support/test-service.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { acceptedMail } from '../../events/sent-mail.fixture.ts';
import { openLive, type LiveClient } from './live-stream.fixture.ts';
import { unwatchAll, unwatchOthers, watchInstances } from './live-watches.ts';
import { readLiveEvents } from './read-live-events.ts';

let service: TestService;
let tenant: Tenant;
let viewer: PanelUser;
before(async () => {
  service = await startTestService({ roles: 'api,delivery' });
  tenant = await service.tenant();
  viewer = await signIn(service, tenant, 'viewer');
});
after(async () => await service.stop());

async function live(user: PanelUser, { instance }: Tenant, lastId?: string): Promise<LiveClient> {
  const client = await openLive(`${service.base_url}/v1/private/live`, {
    authorization: `Bearer ${user.access_token}`,
    'x-instance-slug': instance.slug,
    ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
  });
  if (client.status < 400) await client.until(({ event }) => event === 'ready');
  return client;
}

async function send({ api, instance }: Tenant, subject: string, recipients = 1): Promise<void> {
  const { status } = await api.post('/v1/mails/send', {
    sender_email: `test@${instance.slug}.sandbox.test`,
    to: Array.from({ length: recipients }, (_, n) => ({ email: `live-${n}@sandbox.test` })),
    subject,
    html: '<p>Hello</p>',
  });
  assert.equal(status, 200);
}

const about = (subject: string, event: string) => (message: { event: string; data: unknown }) => {
  const data = message.data as { event?: string; mail?: { subject: string } };
  return message.event === 'mail' && data.event === event && data.mail?.subject === subject;
};

test('a mail and its events reach only the viewers of its instance', async () => {
  const stranger = await service.tenant();
  const owner = await signIn(service, stranger, 'owner');
  const [mine, theirs] = [await live(viewer, tenant), await live(owner, stranger)];
  await send(tenant, 'Mine');
  const received = await mine.until(about('Mine', 'received'));
  const sent = await mine.until(about('Mine', 'sent'));
  assert.equal(received.id, received.data.mail.mail_id);
  assert.equal(sent.data.mail.status, 3);
  assert.equal((await viewer.get(`/v1/private/mails/${sent.data.mail.mail_id}`)).json.subject, 'Mine');
  await send(stranger, 'Theirs');
  await theirs.until(about('Theirs', 'sent'));
  assert.ok(!theirs.messages.some(about('Mine', 'sent')));
  assert.ok(!mine.messages.some(about('Theirs', 'received')));
  mine.close();
  theirs.close();
});

test('a client that reconnects with the last id gets what it missed, once and in order', async () => {
  const first = await live(viewer, tenant);
  await send(tenant, 'Seen');
  const { id } = await first.until(about('Seen', 'sent'));
  first.close();
  await send(tenant, 'Missed');
  const second = await live(viewer, tenant, id);
  assert.deepEqual(second.messages[0]?.data, { resumed: true });
  await second.until(about('Missed', 'sent'));
  assert.ok(!second.messages.some(about('Seen', 'sent')));
  const ids = second.messages.flatMap((message) => message.id ?? []);
  assert.equal(new Set(ids).size, ids.length);
  second.close();
});

test('an id that is not remembered is answered with a reset', async () => {
  const client = await live(viewer, tenant, '019a84f2-7d90-7000-8000-2f6d1c3b5a7b');
  await client.until(({ event }) => event === 'reset');
  assert.deepEqual(client.messages[0]?.data, { resumed: false });
  client.close();
});

test('a large batch sends some events and the count of the rest', async () => {
  const client = await live(viewer, tenant);
  await Promise.all(Array.from({ length: 6 }, async () => await send(tenant, 'Many', 50)));
  const { data } = await client.until(({ event }) => event === 'more');
  assert.ok(data.count > 0);
  client.close();
});

test('the stream ends with the session, with the membership, and with the right to come from there', async () => {
  const [leaving, late, removed] = [
    await signIn(service, tenant, 'viewer'),
    await signIn(service, tenant, 'viewer'),
    await signIn(service, tenant, 'viewer'),
  ];
  const fenced = await service.tenant();
  const outside = await signIn(service, fenced, 'viewer');
  // For it, a member of one instance is not a member of another.
  await service.db.query(`insert into memberships (instance_id, user_id, role) values ($1, $2, 'viewer')`, [
    fenced.instance.id,
    removed.id,
  ]);
  const staying = await live(viewer, tenant);
  const clients = [
    await live(leaving, tenant),
    await live(late, tenant),
    await live(removed, tenant),
    await live(outside, fenced),
  ];
  await service.db.query('update sessions set revoked_at = now() where user_id = $1', [leaving.id]);
  await service.db.query('update sessions set expires_at = now() where user_id = $1', [late.id]);
  await service.db.query('delete from memberships where user_id = $1 and instance_id = $2', [
    removed.id,
    tenant.instance.id,
  ]);
  await service.db.query(`update instances set ip_allowlist = '{203.0.113.0/24}' where id = $1`, [
    fenced.instance.id,
  ]);
  await waitFor(async () => clients.every((client) => client.isOver()), { timeout_ms: 15_000 });
  const statuses = [];
  for (const user of [leaving, late, removed]) statuses.push((await live(user, tenant)).status);
  assert.deepEqual(statuses, [401, 401, 403]);
  assert.equal((await live(outside, fenced)).status, 403);
  assert.equal(staying.isOver(), false);
  staying.close();
});

test('a user has a few streams at a time', async () => {
  const user = await signIn(service, tenant, 'viewer');
  const clients = await Promise.all(Array.from({ length: 6 }, async () => await live(user, tenant)));
  assert.equal((await live(user, tenant)).status, 429);
  clients[0]?.close();
  await waitFor(async () => {
    const client = await live(user, tenant);
    client.close();
    return client.status === 200;
  });
  for (const client of clients) client.close();
});

test('after a lost connection a reader gets a reset, and then the new events', async () => {
  const client = await live(viewer, tenant);
  const resets = (): number => client.messages.filter(({ event }) => event === 'reset').length;
  await service.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'chasqui listen' and datname = current_database()`,
  );
  await waitFor(async () => resets() === 1, { what: 'a reset after the gap', timeout_ms: 15_000 });
  await send(tenant, 'After the gap');
  await client.until(about('After the gap', 'received'));
  client.close();
});

test('the live feed leaves out a blocked person', async () => {
  const { db } = service;
  const own = await service.tenant();
  const mails = [
    await acceptedMail(service, own, 'Blocked@sandbox.test'),
    await acceptedMail(service, own, 'other@sandbox.test'),
  ];
  const sent = await waitFor(async () => {
    const rows = await db.query<{ event_id: string }>(
      `select event_id from events where event = 'sent' and mail_id = any ($1::uuid[])`,
      [mails],
    );
    return rows.length === 2 && rows;
  });
  const eventsNow = async (): Promise<string[]> => {
    const event_ids = sent.map(({ event_id }) => event_id);
    const rows = await readLiveEvents(db, { event_ids, mail_ids: mails });
    return rows.map(({ event: { event, mail } }) => `${event} ${mail.to}`).toSorted();
  };
  const others = ['received other@sandbox.test', 'sent other@sandbox.test'];
  assert.deepEqual(await eventsNow(), [
    'received Blocked@sandbox.test',
    others[0],
    'sent Blocked@sandbox.test',
    others[1],
  ]);
  const contacts = [{ contact_type: 'email_address', contact: 'blocked@sandbox.test' }];
  const { json } = await own.api.post('/v1/rights-requests', { kind: 'blocking', contacts });
  assert.equal((await own.api.post(`/v1/rights-requests/${json.id}/fulfil`, {})).status, 200);
  assert.deepEqual(await eventsNow(), others);
});

test('a renewal ends channels without viewers, but not those that are being opened', async () => {
  const { db } = service;
  const watcher = randomUUID();
  const opened = await service.tenant();
  const left = await service.tenant();
  const watched = async (): Promise<number[]> => {
    const rows = await db.query<{ instance_id: number }>(
      'select instance_id from live_watches where watcher = $1 order by 1',
      [watcher],
    );
    return rows.map(({ instance_id }) => instance_id);
  };
  await watchInstances(db, watcher, [opened.instance.id, left.instance.id]);
  await db.query(
    `update live_watches set expires_at = expires_at - interval '30 seconds' where watcher = $1 and instance_id = $2`,
    [watcher, left.instance.id],
  );
  await unwatchOthers(db, watcher, []);
  assert.deepEqual(await watched(), [opened.instance.id]);
  await unwatchAll(db, watcher);
  assert.deepEqual(await watched(), []);
});

test('announces nothing without viewers, and a stop ends every stream', async () => {
  const watchers = async (): Promise<string[]> => {
    const sql = 'select watcher from live_watches where instance_id = $1';
    return (await service.db.query<{ watcher: string }>(sql, [tenant.instance.id])).map(
      ({ watcher }) => watcher,
    );
  };
  // The other node may end its own watch at any time.
  const before_ = new Set(await watchers());
  const other = await startTestService({ roles: 'api', database: service.database });
  const headers = { authorization: `Bearer ${viewer.access_token}`, 'x-instance-slug': tenant.instance.slug };
  const client = await openLive(`${other.base_url}/v1/private/live`, headers);
  await client.until(({ event }) => event === 'ready');
  const [watcher, ...more] = (await watchers()).filter((each) => !before_.has(each));
  assert.ok(watcher !== undefined && more.length === 0);
  await other.stop();
  await waitFor(async () => client.isOver());
  assert.ok(!(await watchers()).includes(watcher));
});
