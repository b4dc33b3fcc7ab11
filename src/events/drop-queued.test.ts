import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { IdSequence } from '../base/ids.ts';
import { dropQueued } from './drop-queued.ts';
import { acceptedMail } from './sent-mail.fixture.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
});
after(async () => await service.stop());

const ids = new IdSequence();
const lease = '0198aaaa-0000-4000-8000-000000000001';

test('mail that a node is sending is left to its outcome; what waits or was left behind is dropped, with the reason', async () => {
  const { db } = service;
  const accepted = async (name: string): Promise<string> =>
    await acceptedMail(service, tenant, `${name}@sandbox.test`);
  const [waits, held, leased, expired] = [
    await accepted('waits'),
    await accepted('held'),
    await accepted('leased'),
    await accepted('expired'),
  ];
  await db.query('update queue set held_since = now() where mail_id = $1', [held]);
  const lend = `update queue set lease = $2, due_at = now() + $3::interval where mail_id = $1`;
  await db.query(lend, [leased, lease, '1 minute']);
  await db.query(lend, [expired, lease, '-1 minute']);
  const drop = {
    instance_id: tenant.instance.id,
    mail_ids: [waits, held, leased, expired],
    reason: 'recipient_blocked' as const,
    at: new Date(),
  };
  const stranger = { ...drop, instance_id: (await service.tenant()).instance.id };
  assert.deepEqual(await db.transaction(async (tx) => await dropQueued(tx, ids, stranger)), {
    dropped: 0,
    left: 4,
  });
  assert.deepEqual(await db.transaction(async (tx) => await dropQueued(tx, ids, drop)), {
    dropped: 3,
    left: 1,
  });
  const mails = await db.query(
    `select m.mail_id, m.status, e.reason, q.mail_id is not null as is_queued
     from mails m left join events e using (mail_id) left join queue q using (mail_id)
     where m.mail_id = any ($1::uuid[]) order by m.mail_id`,
    [drop.mail_ids],
  );
  const dropped = { status: 4, reason: 'recipient_blocked', is_queued: false };
  assert.deepEqual(mails, [
    { mail_id: waits, ...dropped },
    { mail_id: held, ...dropped },
    { mail_id: leased, status: 2, reason: null, is_queued: true },
    { mail_id: expired, ...dropped },
  ]);
});

test('a drop that had to wait for the database is recorded after what happened meanwhile', async () => {
  const { db } = service;
  const asked_at = new Date(Date.now() - 60_000);
  const mail_id = await acceptedMail(service, tenant, 'meanwhile@sandbox.test');
  const drop = { instance_id: tenant.instance.id, mail_ids: [mail_id], reason: 'recipient_blocked' as const };
  await db.transaction(async (tx) => await dropQueued(tx, ids, { ...drop, at: asked_at }));
  const [row] = await db.query<{ is_later: boolean; is_ordered: boolean }>(
    `select e.at >= m.received_at as is_later, e.event_id > m.mail_id as is_ordered
     from events e join mails m using (mail_id) where mail_id = $1`,
    [mail_id],
  );
  assert.deepEqual(row, { is_later: true, is_ordered: true });
});
