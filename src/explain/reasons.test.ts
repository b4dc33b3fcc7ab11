import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { IdSequence } from '../base/ids.ts';
import { recordOutcomes, reasons, releaseHeld, type Outcome, type Reason } from '../events/index.ts';
import { acceptedMail } from '../events/sent-mail.fixture.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { causeOfReason, causes } from './causes.ts';
import { explain } from './explanation.fixture.ts';

/** Nothing is delivered here: outcomes are put on record as delivery does it. */
let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api' });
  tenant = await service.tenant();
  await service.db.query('update instances set requests_per_second = 0 where id = $1', [tenant.instance.id]);
});
after(async () => await service.stop());

const ids = new IdSequence();
const lease = '0198aaaa-0000-4000-8000-000000000001';
const later = (): Date => new Date(Date.now() + 3_600_000);

/** A mail with this outcome on record. */
async function mailWith(
  verdict: 'deferred' | 'postponed' | 'bounced' | 'dropped' | 'held',
  reason: Reason,
  owner = tenant,
) {
  const mail_id = await acceptedMail(service, owner, `${verdict}-${reason}@example.com.sandbox.test`);
  const [row] = await service.db.query<{ msg_id: string }>(
    `update queue set lease = $2, attempts = 1, ready_priority = null, due_at = now() + interval '1 minute'
     where mail_id = $1 returning msg_id`,
    [mail_id, lease],
  );
  const outcome = {
    mail_id,
    msg_id: row?.msg_id ?? '',
    instance_id: owner.instance.id,
    lease,
    at: new Date(),
    details: { attempt: 1 },
    verdict,
    reason,
    type: 'soft',
    next_attempt_at: later(),
  } as Outcome;
  await recordOutcomes(service.db, ids, [outcome]);
  return mail_id;
}

for (const verdict of ['deferred', 'postponed', 'bounced'] as const) {
  test(`every reason is explained when a mail is ${verdict} for it`, async () => {
    for (const reason of reasons) {
      const mailId = await mailWith(verdict, reason);
      const explanation = await explain(tenant, mailId);
      assert.equal(explanation.cause.code, causeOfReason(reason), reason);
      assert.equal(explanation.cause.side, causes[explanation.cause.code]);
      const expected = { deferred: 'Delayed: ', postponed: 'Waiting: ', bounced: 'Not delivered: ' };
      assert.ok(explanation.headline.startsWith(expected[verdict]), explanation.headline);
      assert.equal(explanation.next_attempt_at === null, verdict === 'bounced');
      assert.notEqual((await explain(tenant, mailId, 'es')).summary, explanation.summary);
    }
  });
}

test('mail that is due while nothing delivers says so; a node that is seen makes it wait for its turn', async () => {
  const mailId = await acceptedMail(service, tenant, 'waiting@sandbox.test');
  const explanation = await explain(tenant, mailId);
  assert.deepEqual(explanation.cause, { code: 'no_delivery_node', side: 'platform' });
  await service.db.query(
    `insert into nodes (id, place, pid, roles, version) values ('0000000a', 'elsewhere', 1, '{delivery}', 'test')`,
  );
  assert.deepEqual((await explain(tenant, mailId)).cause, { code: 'in_queue', side: 'none' });
  await service.db.query(
    "update queue set lease = $2, due_at = now() + interval '1 hour' where mail_id = $1",
    [mailId, lease],
  );
  const underWay = await explain(tenant, mailId);
  assert.deepEqual([underWay.cause.code, underWay.next_attempt_at], ['in_delivery', null]);
  await service.db.query("delete from nodes where id = '0000000a'");
});

test('scheduled mail waits for its time; a cancelled one says so', async () => {
  const at = later();
  const { json } = await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: 'scheduled@sandbox.test' }],
    subject: 'Hola',
    html: '<p>Hola</p>',
    schedule_at: at.toISOString(),
  });
  const { json: list } = await tenant.api.get(`/v1/mails?msg_id=${json.message_id}`);
  const [{ mail_id }] = list.data;
  const explanation = await explain(tenant, mail_id);
  assert.deepEqual(
    [explanation.cause, explanation.headline],
    [{ code: 'scheduled', side: 'none' }, 'Waiting: it is scheduled for later'],
  );
  assert.equal(new Date(explanation.next_attempt_at ?? 0).getTime(), at.getTime());
  assert.doesNotMatch(explanation.summary, /attempt/);
  assert.match((await explain(tenant, mail_id, 'es')).headline, /está programado para más tarde/);
  assert.equal((await tenant.api.post(`/v1/messages/${json.message_id}/cancel`)).status, 200);
  const cancelled = await explain(tenant, mail_id);
  assert.deepEqual(
    [cancelled.cause, cancelled.headline],
    [{ code: 'cancelled', side: 'sender' }, 'Not sent: it was cancelled'],
  );
  assert.match((await explain(tenant, mail_id, 'es')).headline, /se canceló/);
});

test('mail on hold is explained by what holds it now', async () => {
  const own = await service.tenant();
  const mailId = await mailWith('held', 'instance_disabled', own);
  assert.equal((await explain(own, mailId)).cause.code, 'instance_disabled');
  await service.db.query(`update domains set spf_status = 'failed' where instance_id = $1`, [
    own.instance.id,
  ]);
  assert.equal(await releaseHeld(service.db, ids, new Date()), 0);
  assert.equal((await explain(own, mailId)).cause.code, 'domain_not_verified');
});

test('mail that was released waits for its turn, and no longer for what it was held for', async () => {
  const mailId = await mailWith('held', 'domain_not_verified');
  assert.equal((await explain(tenant, mailId)).cause.code, 'domain_not_verified');
  assert.equal(await releaseHeld(service.db, ids, new Date()), 1);
  await service.db.query(
    `insert into nodes (id, place, pid, roles, version) values ('0000000b', 'elsewhere', 1, '{delivery}', 'test')`,
  );
  const explanation = await explain(tenant, mailId);
  assert.deepEqual([explanation.status, explanation.cause.code], [2, 'in_queue']);
  await service.db.query("delete from nodes where id = '0000000b'");
});

test('a mail that expired on hold is explained by the reason of the hold', async () => {
  const mailId = await mailWith('held', 'instance_disabled');
  assert.equal((await explain(tenant, mailId)).headline, 'On hold: your instance is disabled');
  const [row] = await service.db.query<{ msg_id: string }>('select msg_id from mails where mail_id = $1', [
    mailId,
  ]);
  await service.db.query('update queue set lease = $2 where mail_id = $1', [mailId, lease]);
  await recordOutcomes(service.db, ids, [
    {
      mail_id: mailId,
      msg_id: row?.msg_id ?? '',
      instance_id: tenant.instance.id,
      lease,
      at: new Date(),
      details: { attempt: 1 },
      verdict: 'bounced',
      type: 'soft',
      reason: 'message_expired',
    },
  ]);
  const explanation = await explain(tenant, mailId);
  assert.deepEqual([explanation.status, explanation.cause.code], [6, 'instance_disabled']);
  assert.equal(explanation.headline, 'Not delivered: your instance is disabled');
});

test('similar counts mails of the last day to the same domain, of this instance, in the same state for the same reason', async () => {
  const own = await service.tenant();
  const send = async (to: string): Promise<string> => await acceptedMail(service, own, to);
  const [first, second, third] = [
    await send('a@similar.sandbox.test'),
    await send('b@Similar.sandbox.test'),
    await send('c@similar.sandbox.test'),
  ];
  await send('a@other.sandbox.test');
  await acceptedMail(service, tenant, 'a@similar.sandbox.test');
  const put = async (mailId: string, error: string): Promise<unknown> =>
    await service.db.query('update queue set last_error = $2, due_at = $3 where mail_id = $1', [
      mailId,
      error,
      later(),
    ]);
  await put(first, 'greylisted');
  await put(second, 'greylisted');
  await put(third, 'mailbox_full');
  const destination = 'similar.sandbox.test';
  const explanation = await explain(own, first);
  assert.deepEqual(explanation.similar, { destination, count_24h: 3, same_cause_24h: 2 });
  assert.match(explanation.summary, /2 of your 3 mails to similar\.sandbox\.test/);
  const alone = await explain(own, third);
  assert.deepEqual(alone.similar, { destination, count_24h: 3, same_cause_24h: 1 });
  assert.match(alone.summary, /only this one has the problem\.$/);
});

test('similar looks at the newest 10,000 mails and 500 logs, however many there are', async () => {
  const own = await service.tenant();
  const mailId = await acceptedMail(service, own, 'a@many.sandbox.test');
  await service.db.query(`update queue set last_error = 'greylisted' where mail_id = $1`, [mailId]);
  await service.db.query(
    `insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email, subject,
       test_mode, received_at, queued_at)
     select (left(m.mail_id::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, m.msg_id, m.instance_id, m.status,
       n || '@many.sandbox.test', 'to', m.sender_id, m.sender_email, m.subject, false, m.received_at, m.queued_at
     from mails m, generate_series(1, 10500) n where m.mail_id = $1`,
    [mailId],
  );
  await service.db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at, last_error)
     select mail_id, msg_id, instance_id, 'many.sandbox.test', 0, now() + interval '1 hour', 'greylisted'
     from mails where instance_id = $1 on conflict do nothing`,
    [own.instance.id],
  );
  const { count_24h, same_cause_24h } = (await explain(own, mailId)).similar;
  assert.deepEqual([count_24h, same_cause_24h], [10_000, 500]);
});
