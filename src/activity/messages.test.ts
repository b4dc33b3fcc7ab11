import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { openAccount, setInstance, startAccepting, type Account } from '../accept/account.fixture.ts';
import { createApiKey } from '../credentials/api-keys.ts';
import { planPeriod, readPlanUsage } from '../limits/index.ts';
import { assertProblem, violations } from '../../test/acceptance/problems.fixture.ts';
import { createApi, type Api, type ApiResponse } from '../../test/support/api.ts';
import type { TestService } from '../../test/support/test-service.ts';

/** Nothing is delivered here: mail stays as a test leaves it. */
let service: TestService;
let account: Account;
before(async () => {
  service = await startAccepting();
  account = await openAccount(service, { settings: { plan_send_limit: 1_000 } });
});
after(async () => await service.stop());

const hourMs = 3_600_000;
const inHours = (hours: number): string => new Date(Date.now() + hours * hourMs).toISOString();
const read = async (id: string): Promise<ApiResponse> => await account.api.get(`/v1/messages/${id}`);
const cancel = async (id: string): Promise<ApiResponse> =>
  await account.api.post(`/v1/messages/${id}/cancel`);
const move = async (id: string, schedule_at: string): Promise<ApiResponse> =>
  await account.api.patch(`/v1/messages/${id}`, { schedule_at });
const used = async (): Promise<number> =>
  await readPlanUsage(service.db, planPeriod(account.instance, new Date()));

async function schedule(recipients: number, more: object = {}): Promise<string> {
  const { status, json, text } = await account.sendOut(recipients, { schedule_at: inHours(24), ...more });
  assert.equal(status, 200, text);
  return json.message_id;
}

interface Row {
  mail_id: string;
  status: number;
  due_at: Date | null;
  schedule_at: Date | null;
  ready_priority: number | null;
  reason: string | null;
}

async function rowsOf(msg_id: string): Promise<Row[]> {
  return await service.db.query<Row & Record<string, unknown>>(
    `select m.mail_id, m.status, m.schedule_at, q.due_at, q.ready_priority,
       (select e.reason from events e where e.mail_id = m.mail_id and e.event = 'dropped') as reason
     from mails m left join queue q using (mail_id) where m.msg_id = $1 order by m.mail_id`,
    [msg_id],
  );
}

/** As delivery would have left them: one under way, one sent, one deferred, one whose attempt has an unknown result. */
async function spread(ids: string[]): Promise<void> {
  const { db } = service;
  const [leased, sent, deferred, unknown] = ids;
  await db.query(
    `update queue set lease = $2, attempts = 1, ready_priority = null, due_at = now() + interval '1 hour' where mail_id = $1`,
    [leased, randomUUID()],
  );
  await db.query('delete from queue where mail_id = $1', [sent]);
  await db.query('update mails set status = 3, sent_at = now() where mail_id = $1', [sent]);
  await db.query(`update queue set attempts = 1, due_at = now() + interval '1 hour' where mail_id = $1`, [
    deferred,
  ]);
  await db.query('update mails set status = 5 where mail_id = $1', [deferred]);
  await db.query('update queue set attempts = 1, due_at = now() where mail_id = $1', [unknown]);
}

test('a message is read with its subject, its times and the number of its mails with each status', async () => {
  const at = inHours(24);
  const id = await schedule(3, {
    schedule_at: at,
    custom_msg_id: 'order-1',
    custom_group_code: 'shop',
    category: 'Orders',
    tags: { order: '1' },
  });
  const [first] = await rowsOf(id);
  await service.db.query('update mails set status = 3 where mail_id = $1', [first?.mail_id]);
  await service.db.query('delete from queue where mail_id = $1', [first?.mail_id]);
  const { status, json } = await read(id);
  const { received_at, ...message } = json;
  assert.equal(status, 200);
  assert.ok(Math.abs(new Date(received_at).getTime() - Date.now()) < 60_000);
  assert.deepEqual(message, {
    message_id: id,
    subject: 'Hello',
    sender: account.sender.email,
    schedule_at: at,
    recipients: 3,
    untried: 2,
    statuses: { received: 0, queued: 2, sent: 1, dropped: 0, deferred: 0, bounced: 0, onhold: 0 },
    custom_msg_id: 'order-1',
    custom_group_code: 'shop',
    category: 'orders',
    test_mode: false,
    tags: { order: '1' },
  });
});

test('a message that does not exist, is another instance’s or past retention is not found', async () => {
  const other = await openAccount(service);
  const { json } = await other.send({ schedule_at: inHours(1) });
  for (const id of [
    'x',
    randomUUID(),
    '019a84f2-7c00-7000-8000-2f6d1c3b5a79'.replace(/^019a84f2/, 'ffffffff'),
    json.message_id,
  ]) {
    assertProblem(await read(id), 'message_not_found');
    assertProblem(await cancel(id), 'message_not_found');
    assertProblem(await move(id, inHours(1)), 'message_not_found');
  }
  for (const answer of [
    await read('01900000-0000-7000-8000-000000000000'),
    await cancel('01900000-0000-7000-8000-000000000000'),
  ]) {
    assertProblem(answer, 'mail_outside_retention');
  }
  const [row] = await rowsOf(json.message_id);
  assert.deepEqual([row?.status, row?.reason], [2, null]);
});

test('a cancelled message is dropped with its reason, given back to the plan, and the answer counts it', async () => {
  const beforeIt = await used();
  const id = await schedule(3);
  assert.equal(await used(), beforeIt + 3);
  const { status, json } = await cancel(id);
  assert.equal(status, 200);
  assert.deepEqual(
    [json.cancelled, json.untried, json.statuses.dropped, json.statuses.queued, json.recipients],
    [3, 0, 3, 0, 3],
  );
  assert.equal(await used(), beforeIt);
  for (const row of await rowsOf(id))
    assert.deepEqual([row.status, row.reason, row.due_at], [4, 'cancelled', null]);
  const again = await cancel(id);
  assert.deepEqual([again.status, again.json], [200, json], 'a repeated call tells the same');
  assert.equal(await used(), beforeIt, 'and gives nothing back twice');
  assertProblem(await move(id, inHours(1)), 'message_already_sent');
  const log = await service.db.query<{ action: string; details: Record<string, unknown> }>(
    `select action, details from audit_events where object_id = $1 order by id`,
    [id],
  );
  assert.deepEqual(
    log.map(({ action, details }) => [action, details['cancelled']]),
    [['message.cancelled', 3]],
  );
});

test('mails attempted, in an attempt or done are not moved, and the answer counts them', async () => {
  const id = await schedule(6);
  const ids = (await rowsOf(id)).map(({ mail_id }) => mail_id);
  await spread(ids);
  const beforeMove = await rowsOf(id);
  const at = inHours(48);
  const moved = await move(id, at);
  assert.deepEqual([moved.status, moved.json.rescheduled, moved.json.untried], [200, 2, 2]);
  const afterMove = await rowsOf(id);
  assert.deepEqual(afterMove.slice(0, 4), beforeMove.slice(0, 4));
  for (const { due_at, schedule_at, status } of afterMove.slice(4)) {
    assert.deepEqual([due_at?.toISOString(), schedule_at?.toISOString(), status], [at, at, 2]);
  }
  const { status, json } = await cancel(id);
  assert.deepEqual([status, json.cancelled], [200, 2]);
  assert.deepEqual(json.statuses, {
    received: 0,
    queued: 2,
    sent: 1,
    dropped: 2,
    deferred: 1,
    bounced: 0,
    onhold: 0,
  });
  const rows = await rowsOf(id);
  assert.deepEqual(rows.slice(0, 4), beforeMove.slice(0, 4));
  assert.deepEqual(
    rows.slice(4).map(({ reason }) => reason),
    ['cancelled', 'cancelled'],
  );
});

test('a message of which nothing is left is 409, and stays', async () => {
  const id = await schedule(4);
  await spread((await rowsOf(id)).map(({ mail_id }) => mail_id));
  const beforeIt = await rowsOf(id);
  assertProblem(await cancel(id), 'message_already_sent');
  assertProblem(await move(id, inHours(1)), 'message_already_sent');
  assert.deepEqual(await rowsOf(id), beforeIt);
});

test('mail on hold was not attempted: it can be cancelled, and moved back into the queue', async () => {
  const hold = async (): Promise<string> => {
    const id = await schedule(1);
    await service.db.query(
      `update queue set held_since = now(), held_domain_id = 7, ready_priority = null where msg_id = $1`,
      [id],
    );
    await service.db.query('update mails set status = 7 where msg_id = $1', [id]);
    return id;
  };
  const cancelled = await cancel(await hold());
  assert.deepEqual([cancelled.json.cancelled, cancelled.json.statuses.dropped], [1, 1]);
  const moved = await hold();
  const at = inHours(3);
  assert.equal((await move(moved, at)).json.statuses.queued, 1);
  const [row] = await service.db.query<{ held_since: Date | null; held_domain_id: number; due_at: Date }>(
    'select held_since, held_domain_id, due_at from queue where msg_id = $1',
    [moved],
  );
  assert.deepEqual(row, { held_since: null, held_domain_id: 0, due_at: new Date(at) });
  const [{ mail_id }] = (await account.api.get(`/v1/mails?msg_id=${moved}`)).json.data;
  const logs = await account.api.get(`/v1/mails/${mail_id}/logs`);
  assert.deepEqual(
    logs.json.data.map(({ event }: { event: string }) => event),
    ['received', 'queued', 'released'],
  );
});

test('a message is moved to now by a time that has passed, and to 60 days after its reception at the latest', async () => {
  const id = await schedule(1);
  assert.equal((await move(id, inHours(-5))).status, 200);
  const [now] = await rowsOf(id);
  assert.equal(now?.ready_priority, 0);
  assert.ok(Math.abs((now?.schedule_at?.getTime() ?? 0) - Date.now()) < 60_000, 'its five days begin now');
  assert.deepEqual(now?.due_at, now?.schedule_at);
  assert.equal((await move(id, inHours(30 * 24))).status, 200);
  assert.equal((await rowsOf(id))[0]?.ready_priority, null);
  await service.db.query(`update mails set received_at = now() - interval '40 days' where msg_id = $1`, [id]);
  const late = await move(id, inHours(30 * 24));
  assert.deepEqual(violations(late), ['/schedule_at value_error.schedule_too_late']);
  assert.equal((await move(id, inHours(19 * 24))).status, 200);
  assert.deepEqual(violations(await move(id, 'soon')), ['/schedule_at value_error.date_time']);
  assert.deepEqual(violations(await account.api.patch(`/v1/messages/${id}`, {})), ['/schedule_at missing']);
});

test('a group is cancelled by its label, only what was not attempted, and never of another instance', async () => {
  const other = await openAccount(service);
  const theirs = (await other.send({ schedule_at: inHours(1), custom_group_code: 'spring' })).json.message_id;
  const mine = [
    await schedule(5, { custom_group_code: 'spring' }),
    await schedule(2, { custom_group_code: 'spring' }),
  ];
  const another = await schedule(1, { custom_group_code: 'Spring' });
  await spread((await rowsOf(mine[0] ?? '')).map(({ mail_id }) => mail_id));
  const beforeIt = await used();
  const group = async (): Promise<ApiResponse> =>
    await account.api.post('/v1/messages/cancel', { custom_group_code: 'spring' });
  const { status, json } = await group();
  assert.deepEqual([status, json], [200, { cancelled: 3, has_more: false }]);
  assert.equal(await used(), beforeIt - 3);
  assert.deepEqual((await group()).json, { cancelled: 0, has_more: false });
  for (const id of [theirs, another]) assert.equal((await rowsOf(id))[0]?.status, 2);
  assert.deepEqual(violations(await account.api.post('/v1/messages/cancel', { custom_group_code: '' })), [
    '/custom_group_code string_too_short',
  ]);
});

test('reading needs mail:read, changing mail:send, and a key for the sandbox changes only sandbox mail', async () => {
  const id = await schedule(1, { custom_group_code: 'scoped' });
  const { instance } = account;
  const withKey = async (scopes: string[], sandbox_only = false): Promise<Api> => {
    const key = { name: 'test', scopes, ip_allowlist: [], sandbox_only };
    const actor = { kind: 'operator' } as const;
    const { api_key } = await createApiKey(service.db, instance.id, { key, actor });
    return createApi({ base_url: service.base_url, api_key, slug: instance.slug });
  };
  const changes = async (api: Api): Promise<ApiResponse[]> => [
    await api.post(`/v1/messages/${id}/cancel`),
    await api.patch(`/v1/messages/${id}`, { schedule_at: inHours(1) }),
    await api.post('/v1/messages/cancel', { custom_group_code: 'scoped' }),
  ];
  const reader = await withKey(['mail:read']);
  assert.equal((await reader.get(`/v1/messages/${id}`)).status, 200);
  for (const answer of await changes(reader)) assertProblem(answer, 'forbidden');
  const tester = await withKey(['mail:send'], true);
  assertProblem(await tester.get(`/v1/messages/${id}`), 'forbidden');
  for (const answer of await changes(tester)) assertProblem(answer, 'sandbox_relay_restricted');
  const inside = (await account.send({ schedule_at: inHours(1) })).json.message_id;
  assert.equal((await tester.post(`/v1/messages/${inside}/cancel`)).json.cancelled, 1);
  const sender = await withKey(['mail:send']);
  assert.deepEqual(
    (await changes(sender)).map(({ status }) => status),
    [200, 409, 200],
  );
});

test('a blocked recipient is not shown', async () => {
  const id = await schedule(2);
  const asked = await account.api.post('/v1/rights-requests', {
    kind: 'blocking',
    contacts: [{ contact: 'person-0@example.com', contact_type: 'email_address' }],
  });
  assert.equal(asked.status, 201, asked.text);
  await account.api.post(`/v1/rights-requests/${asked.json.id}/fulfil`, {});
  const { json } = await read(id);
  assert.deepEqual([json.recipients, json.statuses.dropped], [1, 0]);
  assert.equal((await cancel(id)).json.cancelled, 1);
});

test('a shorter retention limits the new time too', async () => {
  const brief = await openAccount(service);
  await setInstance(service, brief.instance.id, { retention_months: 1 });
  const { json } = await brief.send({ schedule_at: inHours(1) });
  const late = await brief.api.patch(`/v1/messages/${json.message_id}`, { schedule_at: inHours(40 * 24) });
  assert.deepEqual(violations(late), ['/schedule_at value_error.schedule_too_late']);
});
