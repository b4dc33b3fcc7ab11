import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { awaitNotifications } from '../../test/support/await-notifications.ts';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { resumeDestination, retryMail } from './change-queue.ts';

let service: TestService;
let tenant: Tenant;
let other: Tenant;
let viewer: PanelUser;
let developer: PanelUser;
before(async () => {
  service = await startTestService({ roles: 'api,delivery' });
  [tenant, other] = [await service.tenant(), await service.tenant()];
  viewer = await signIn(service, tenant, 'viewer');
  developer = await signIn(service, tenant, 'developer');
});
after(async () => await service.stop());
beforeEach(async () => {
  await service.db.query('delete from audit_events where action like $1', ['queue%']);
});

const queue = '/v1/private/queue';
const send = async (to: string, { instance, api } = tenant): Promise<string> => {
  const { json } = await api.post('/v1/mails/send', {
    sender_email: `test@${instance.slug}.sandbox.test`,
    to: [{ email: to }],
    subject: 'x',
    html: '<p>x</p>',
  });
  return json.message_id;
};
const becomes = async (msgId: string, status: number): Promise<void> => {
  await waitFor(
    async () => {
      const [mail] = await service.db.query<{ status: number }>(
        'select status from mails where msg_id = $1',
        [msgId],
      );
      return mail?.status === status;
    },
    { what: `status ${status}` },
  );
};
const trail = async () =>
  await service.db.query(
    `select instance_id, actor_kind, actor_id, action, object_id, details from audit_events
     where action like 'queue%' order by id`,
  );

test('a pause affects one destination of one instance, until it is resumed', async () => {
  const path = `${queue}/destinations/Waits.sandbox.test`;
  const paused = await developer.post(`${path}/pause`);
  assert.deepEqual(
    [paused.status, paused.json],
    [200, { destination: 'waits.sandbox.test', is_paused: true }],
  );
  assert.equal((await developer.post(`${path}/pause`)).status, 200);
  await awaitNotifications(service);

  const waiting = await send('a@waits.sandbox.test');
  await becomes(await send('a@goes.sandbox.test'), 3);
  await becomes(await send('a@waits.sandbox.test', other), 3);
  const { json } = await viewer.get(queue);
  assert.deepEqual(
    [
      json.depth,
      json.destinations[0].destination,
      json.destinations[0].mails,
      json.destinations[0].is_paused,
    ],
    [1, 'waits.sandbox.test', 1, true],
  );
  assert.equal(json.paused[0].destination, 'waits.sandbox.test');

  const resumed = await developer.post(`${path}/resume`);
  assert.deepEqual(resumed.json, { destination: 'waits.sandbox.test', is_paused: false });
  assert.equal((await developer.post(`${path}/resume`)).status, 200);
  await becomes(waiting, 3);
  assert.deepEqual((await viewer.get(queue)).json.paused, []);
  const by = {
    instance_id: tenant.instance.id,
    actor_kind: 'user',
    actor_id: String(developer.id),
    object_id: 'waits.sandbox.test',
    details: {},
  };
  assert.deepEqual(await trail(), [
    { ...by, action: 'queue_destination.paused' },
    { ...by, action: 'queue_destination.resumed' },
  ]);
});

test('a retry makes deferred mail due now, of one destination or of all', async () => {
  const [full, elsewhere] = [
    await send('softbounce@full.sandbox.test'),
    await send('softbounce@b.sandbox.test'),
  ];
  await becomes(full, 5);
  await becomes(elsewhere, 5);
  const attemptsOf = async (): Promise<number[]> => {
    const { json } = await viewer.get(queue);
    const lanes: { destination: string; attempts: number }[] = json.destinations;
    return ['full.sandbox.test', 'b.sandbox.test'].map(
      (name) => lanes.find(({ destination }) => destination === name)?.attempts ?? 0,
    );
  };
  assert.deepEqual(await attemptsOf(), [1, 1]);
  const one = await developer.post(`${queue}/retry`, { destination: 'FULL.sandbox.test' });
  assert.deepEqual([one.status, one.json], [200, { retried: 1, has_more: false }]);
  await waitFor(async () => (await attemptsOf())[0] === 2, { what: 'the second attempt' });
  assert.deepEqual(await attemptsOf(), [2, 1]);
  await becomes(full, 5);
  await waitFor(
    async () => {
      const leased = await service.db.query('select 1 from queue where lease is not null');
      return leased.length === 0;
    },
    { what: 'the outcome' },
  );
  assert.deepEqual((await developer.post(`${queue}/retry`, {})).json, { retried: 2, has_more: false });
  await waitFor(async () => (await attemptsOf()).join() === '3,2', { what: 'one more attempt each' });
  assert.deepEqual(
    (await trail()).map(({ action, object_id, details }) => [action, object_id, details]),
    [
      ['queue.retried', 'full.sandbox.test', { retried: 1 }],
      ['queue.retried', null, { retried: 2 }],
    ],
  );
});

test('a retry does not change mail that is leased, held, scheduled or of another instance', async () => {
  await service.db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at, lease, held_since, attempts)
     values (gen_random_uuid(), gen_random_uuid(), $1, 'quiet.test', 0, now() + interval '1 hour', gen_random_uuid(), null, 1),
       (gen_random_uuid(), gen_random_uuid(), $1, 'quiet.test', 0, now() + interval '1 hour', null, now(), 1),
       (gen_random_uuid(), gen_random_uuid(), $1, 'quiet.test', 0, now() + interval '1 hour', null, null, 0),
       (gen_random_uuid(), gen_random_uuid(), $2, 'quiet.test', 0, now() + interval '1 hour', null, null, 1)`,
    [tenant.instance.id, other.instance.id],
  );
  const { json } = await developer.post(`${queue}/retry`, { destination: 'quiet.test' });
  assert.deepEqual(json, { retried: 0, has_more: false });
  const rows = await service.db.query(
    "select 1 from queue where destination = 'quiet.test' and due_at > now() + interval '50 minutes'",
  );
  assert.equal(rows.length, 4);
  const [scheduled] = await service.db.query<{ mail_id: string }>(
    `select mail_id from queue
     where destination = 'quiet.test' and instance_id = $1 and attempts = 0 and held_since is null and lease is null`,
    [tenant.instance.id],
  );
  const one = { mail_id: scheduled?.mail_id ?? '', actor: { kind: 'system' } } as const;
  await assert.rejects(retryMail(service.db, tenant.instance.id, one), { code: 'mail_not_waiting' });
  await service.db.query("delete from queue where destination = 'quiet.test'");
});

test('a retry of one mail and a resumption are of one instance too', async () => {
  const { db } = service;
  const [mine, theirs] = [tenant.instance.id, other.instance.id];
  const actor = { kind: 'system' } as const;
  const [mail] = await db.query<{ mail_id: string }>(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at, attempts)
     values (gen_random_uuid(), gen_random_uuid(), $1, 'own.test', 0, now() + interval '1 hour', 1) returning mail_id`,
    [mine],
  );
  const mail_id = mail?.mail_id ?? '';
  await assert.rejects(retryMail(db, theirs, { mail_id, actor }), { code: 'mail_not_waiting' });
  await db.query(
    `insert into paused_destinations (instance_id, destination) values ($1, 'own.test'), ($2, 'own.test')`,
    [mine, theirs],
  );
  await resumeDestination(db, mine, { destination: 'own.test', actor });
  const paused = await db.query('select instance_id from paused_destinations');
  assert.deepEqual(paused, [{ instance_id: theirs }]);
  await db.transaction(async (tx) => {
    await retryMail(tx, mine, { mail_id, actor });
    const due = await tx.query('delete from queue where mail_id = $1 and due_at <= now() returning 1', [
      mail_id,
    ]);
    assert.equal(due.length, 1, 'a pause of another instance does not hold it');
  });
  await db.query('delete from paused_destinations');
});

test('viewers can read and not change; an invalid domain is refused', async () => {
  for (const [path, body] of [
    [`${queue}/retry`, {}],
    [`${queue}/destinations/a.test/pause`, undefined],
    [`${queue}/destinations/a.test/resume`, undefined],
  ] as const) {
    assert.equal((await viewer.post(path, body)).json.code, 'forbidden', path);
  }
  assert.equal((await viewer.get(queue)).status, 200);
  const retry = await developer.post(`${queue}/retry`, { destination: 'a b' });
  assert.deepEqual([retry.status, retry.json.errors[0].pointer], [422, '/destination']);
  assert.equal((await developer.post(`${queue}/destinations/a..b/pause`)).status, 422);
  assert.deepEqual(await trail(), []);
});
