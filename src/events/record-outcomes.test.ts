import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { IdSequence } from '../base/ids.ts';
import { recordOutcomes } from './record-outcomes.ts';
import type { Outcome } from './outcome.ts';
import { acceptedMail } from './sent-mail.fixture.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
});
after(async () => await service.stop());

const ids = new IdSequence();
type EndingOf<Each> = Each extends Outcome
  ? Pick<Each, Exclude<keyof Each, 'mail_id' | 'msg_id' | 'instance_id' | 'lease' | 'at' | 'details'>>
  : never;
type Ending = EndingOf<Outcome>;
const later = new Date('2100-01-01T00:00:00Z');
const endings: Ending[] = [
  { verdict: 'sent' },
  { verdict: 'bounced', reason: 'no_such_user', type: 'hard' },
  { verdict: 'dropped', reason: 'recipient_restricted' },
  { verdict: 'deferred', reason: 'system', next_attempt_at: later },
  { verdict: 'held', reason: 'domain_not_verified' },
  { verdict: 'postponed', reason: 'paced', next_attempt_at: later },
];

/** A mail that is being tried under this lease. */
async function claimedMail(to: string, lease: string): Promise<{ mail_id: string; msg_id: string }> {
  const mail_id = await acceptedMail(service, tenant, to);
  const [row] = await service.db.query<{ msg_id: string }>(
    `update queue set lease = $2, attempts = 1, ready_priority = null, due_at = now() + interval '1 minute'
     where mail_id = $1 returning msg_id`,
    [mail_id, lease],
  );
  assert.ok(row);
  return { mail_id, msg_id: row.msg_id };
}

/** All that an outcome may change. */
async function standing(mail_id: string): Promise<unknown[]> {
  return await service.db.query(
    `select q.lease, q.due_at, q.attempts, q.last_error, q.held_since, m.status, m.sent_at,
       (select count(*)::int from events e where e.mail_id = m.mail_id) as events,
       exists (select from restrictions r where r.mail_id = m.mail_id) as is_restricted
     from mails m left join queue q using (mail_id) where m.mail_id = $1`,
    [mail_id],
  );
}

function outcomeOf(mail: { mail_id: string; msg_id: string }, lease: string, ending: Ending): Outcome {
  const instance_id = tenant.instance.id;
  return { ...mail, instance_id, lease, at: new Date(), details: { attempt: 1 }, ...ending };
}

for (const ending of endings) {
  const { verdict } = ending;
  test(`${verdict}: what another node took meanwhile stays as it is, what is still held changes`, async () => {
    const [own, foreign] = [randomUUID(), randomUUID()];
    const kept = await claimedMail(`kept-${verdict}@sandbox.test`, own);
    const taken = await claimedMail(`taken-${verdict}@sandbox.test`, foreign);
    const [beforeKept, beforeTaken] = [await standing(kept.mail_id), await standing(taken.mail_id)];
    const written = await recordOutcomes(
      service.db,
      ids,
      [kept, taken].map((mail) => outcomeOf(mail, own, ending)),
    );
    assert.deepEqual(
      [...written].map(({ mail_id }) => mail_id),
      verdict === 'postponed' ? [] : [kept.mail_id],
    );
    assert.deepEqual(await standing(taken.mail_id), beforeTaken);
    assert.notDeepEqual(await standing(kept.mail_id), beforeKept);
  });
}

test('an outcome that is written twice, as after a lost answer, counts once', async () => {
  const lease = randomUUID();
  const mail = await claimedMail('twice@sandbox.test', lease);
  const outcome = outcomeOf(mail, lease, { verdict: 'sent' });
  assert.equal((await recordOutcomes(service.db, ids, [outcome])).size, 1);
  const once = await standing(mail.mail_id);
  assert.equal((await recordOutcomes(service.db, ids, [outcome])).size, 0);
  assert.deepEqual(await standing(mail.mail_id), once);
});

for (const order of ['before', 'after'] as const) {
  test(`a stale bounce ${order} the outcome of the node that has the mail now changes nothing`, async () => {
    const [current, lost] = [randomUUID(), randomUUID()];
    const recipient = `stale-${order}@sandbox.test`;
    const mail = await claimedMail(recipient, current);
    const sent = outcomeOf(mail, current, { verdict: 'sent' });
    const stale = outcomeOf(mail, lost, { verdict: 'bounced', reason: 'no_such_user', type: 'hard' });
    const batch = order === 'before' ? [stale, sent] : [sent, stale];
    assert.deepEqual([...(await recordOutcomes(service.db, ids, batch))], [sent]);
    const rows = await service.db.query(
      `select m.status, m.sent_at is not null as is_sent, array_agg(e.event) as events,
         exists (select from restrictions r where r.recipient = m.recipient) as is_restricted
       from mails m join events e using (mail_id) where m.mail_id = $1 group by m.mail_id`,
      [mail.mail_id],
    );
    assert.deepEqual(rows, [{ status: 3, is_sent: true, events: ['sent'], is_restricted: false }]);
  });
}

test('mail that was held or postponed has not been attempted', async () => {
  const lease = randomUUID();
  for (const verdict of ['held', 'postponed', 'deferred']) {
    const mail = await claimedMail(`counts-${verdict}@sandbox.test`, lease);
    const ending = endings.find((each) => each.verdict === verdict) as Ending;
    await recordOutcomes(service.db, ids, [outcomeOf(mail, lease, ending)]);
    const rows = await service.db.query('select attempts from queue where mail_id = $1', [mail.mail_id]);
    assert.deepEqual(rows, [{ attempts: verdict === 'deferred' ? 1 : 0 }], verdict);
  }
});
