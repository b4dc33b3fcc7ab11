import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pauseDestination } from '../../test/support/pause-destination.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { IdSequence } from '../base/ids.ts';
import { openConsentAccount, type ConsentAccount } from '../consent/consent-account.fixture.ts';
import { recordComplaint, recordUnsubscribe, releaseHeld } from '../events/index.ts';
import { readPlanUsage, planPeriod } from '../limits/index.ts';
import { addRestriction } from '../restrictions/change-restrictions.ts';
import {
  addVerifiedDomain,
  senderDomain,
  startDeliveryBed,
  type DeliveryBed,
} from './delivery-bed.fixture.ts';

let bed: DeliveryBed;
let account: ConsentAccount;
let domainId: number;
before(async () => {
  bed = await startDeliveryBed();
  const tenant = await bed.service.tenant({ instance: { plan_send_limit: 1_000 } });
  await bed.service.db.query('delete from domains where id = $1', [bed.domainId]);
  domainId = await addVerifiedDomain(bed.service, tenant);
  account = await openConsentAccount(bed.service, tenant);
  await bed.service.db.query(
    `insert into senders (instance_id, domain_id, name, email_address, stream, requires_consent, consent_purpose_id)
     values ($1, $2, 'Club', 'club@' || $3, 'transactional', true, $4)`,
    [tenant.instance.id, domainId, senderDomain, account.marketing],
  );
});
after(async () => await bed.stop());

/** What may happen to a recipient between acceptance and attempt, and the reason that their mail is dropped for. */
interface Change {
  sender: string;
  prepare?: (recipient: string) => Promise<unknown>;
  change: (recipient: string, mail_id: string) => Promise<unknown>;
  reason: string;
}

const at = new Date();
const contactOf = (contact: string) => ({ contact, contact_type: 'email_address' });
const changes: Record<string, Change> = {
  withdrawal: {
    sender: 'club',
    prepare: async (recipient) => await account.recordAllow(recipient),
    change: async (recipient) => await account.recordDeny(recipient),
    reason: 'consent_revoked',
  },
  complaint: {
    sender: 'hi',
    change: async (_, mail_id) =>
      await recordComplaint(bed.service.db, { mail_id, type: 'spam', comment: null, at: new Date() }),
    reason: 'recipient_restricted',
  },
  unsubscribe: {
    sender: 'news',
    change: async (_, mail_id) =>
      await recordUnsubscribe(bed.service.db, { mail_id, method: 'page', reason: null, at: new Date() }),
    reason: 'recipient_unsubscribed',
  },
  restriction: {
    sender: 'hi',
    change: async (recipient) =>
      await addRestriction(bed.service.db, account.instance.id, {
        restriction: { recipient, detail: null },
        actor: { kind: 'operator' },
      }),
    reason: 'recipient_restricted',
  },
  blocking: {
    sender: 'hi',
    async change(recipient) {
      const asked = await account.api.post('/v1/rights-requests', {
        kind: 'blocking',
        contacts: [contactOf(recipient)],
      });
      assert.equal(asked.status, 201, asked.text);
      await account.api.post(`/v1/rights-requests/${asked.json.id}/fulfil`, {});
    },
    reason: 'recipient_blocked',
  },
};

interface Waiting {
  recipient: string;
  mail_id: string;
}

async function send(sender: string, recipient: string, more: object = {}): Promise<Waiting> {
  const { status, json, text } = await account.api.post('/v1/mails/send', {
    sender_email: `${sender}@${senderDomain}`,
    to: [{ email: recipient }],
    subject: 'Hola',
    html: '<p>Hola</p>',
    ...more,
  });
  assert.equal(status, 200, text);
  const [mail] = await bed.service.db.query<{ mail_id: string }>(
    'select mail_id from mails where msg_id = $1',
    [json.message_id],
  );
  assert.ok(mail);
  return { recipient, mail_id: mail.mail_id };
}

/** One mail for each change, and one for a recipient about whom nothing changes. */
async function sendAll(domain: string, more: object = {}): Promise<Map<string, Waiting>> {
  const mails = new Map<string, Waiting>();
  for (const [name, { sender, prepare }] of Object.entries(changes)) {
    const recipient = `${name}@${domain}`;
    await prepare?.(recipient);
    mails.set(name, await send(sender, recipient, more));
  }
  return mails.set('unchanged', await send('news', `unchanged@${domain}`, more));
}

async function statusesOf(mails: Map<string, Waiting>): Promise<number[]> {
  const rows = await bed.service.db.query<{ status: number }>(
    'select distinct status from mails where mail_id = any ($1::uuid[]) order by status',
    [[...mails.values()].map(({ mail_id }) => mail_id)],
  );
  return rows.map(({ status }) => status);
}

async function becomeAll(mails: Map<string, Waiting>, status: number): Promise<void> {
  let seen: number[] = [];
  await waitFor(async () => (seen = await statusesOf(mails)).every((each) => each === status), {
    what: () => `all mails to have status ${status}, not ${seen.join()}`,
  });
}

const usage = async (): Promise<number> =>
  await readPlanUsage(bed.service.db, planPeriod(account.instance, at));
const wake = async (): Promise<void> =>
  void (await bed.service.db.query("select pg_notify('chasqui_queue', '')"));

/** Makes every change, lets the mails go on, and tells what became of each. */
async function changeAll(mails: Map<string, Waiting>, goOn: () => Promise<void>): Promise<void> {
  for (const [name, { change }] of Object.entries(changes)) {
    const { recipient, mail_id } = mails.get(name) as Waiting;
    await change(recipient, mail_id);
  }
  await goOn();
  await waitFor(async () => (await statusesOf(mails)).every((status) => status === 3 || status === 4), {
    what: 'all mails to be sent or dropped',
  });
  for (const [name, { mail_id }] of mails) {
    const events = await bed.service.db.query<{ event: string; status: number; reason: string | null }>(
      'select event, status, reason from events where mail_id = $1 and status is not null order by event_id',
      [mail_id],
    );
    const expected = changes[name] ? ['dropped', 4, changes[name].reason] : ['sent', 3, null];
    const last = events.at(-1);
    assert.deepEqual([last?.event, last?.status, last?.reason], expected, name);
  }
}

test('held mail is dropped when its recipient may not be written to any more', async (t) => {
  const { db } = bed.service;
  const { domain, mx } = await bed.remote(t);
  const setDomain = async (status: string): Promise<void> =>
    void (await db.query('update domains set dkim_status = $2 where id = $1', [domainId, status]));
  const used = await usage();
  await pauseDestination(bed.service, account.instance.id, domain);
  const mails = await sendAll(domain);
  await setDomain('failed');
  await db.query('delete from paused_destinations');
  await wake();
  await becomeAll(mails, 7);
  await changeAll(mails, async () => {
    await setDomain('verified');
    await releaseHeld(db, new IdSequence(), new Date());
    await wake();
  });
  assert.deepEqual(
    mx.messages.map(({ rcpt_to }) => rcpt_to),
    [[`unchanged@${domain}`]],
  );
  assert.equal(await usage(), used + 1, 'the plan gets back what was dropped');
});

test('deferred mail is dropped when its recipient may not be written to any more', async (t) => {
  const { db } = bed.service;
  const { domain, mx } = await bed.remote(t, { script: { RCPT: '451 4.3.0 later' } });
  const used = await usage();
  const mails = await sendAll(domain);
  await becomeAll(mails, 5);
  mx.script = {};
  const stats = await statsOf();
  await changeAll(mails, async () => {
    await db.query('update queue set due_at = now() where destination = $1 and lease is null', [domain]);
    await wake();
  });
  assert.deepEqual(
    mx.messages.map(({ rcpt_to }) => rcpt_to),
    [[`unchanged@${domain}`]],
  );
  assert.equal(await usage(), used + 1, 'the plan gets back what was dropped');
  const { received, sent, dropped, deferred } = await statsOf();
  assert.deepEqual(
    [received - stats.received, sent - stats.sent, dropped - stats.dropped, deferred - stats.deferred],
    [0, 1, 5, -6],
  );
});

test('scheduled mail is dropped when its recipient may not be written to any more', async (t) => {
  const { db } = bed.service;
  const { domain, mx } = await bed.remote(t);
  const used = await usage();
  const mails = await sendAll(domain, { schedule_at: new Date(Date.now() + 3_600_000).toISOString() });
  assert.deepEqual(await statusesOf(mails), [2]);
  assert.equal(await usage(), used + 6, 'counted at acceptance');
  await changeAll(mails, async () => {
    await db.query('update queue set due_at = now() where destination = $1', [domain]);
    await wake();
  });
  assert.deepEqual(
    mx.messages.map(({ rcpt_to }) => rcpt_to),
    [[`unchanged@${domain}`]],
  );
  assert.equal(await usage(), used + 1, 'the plan gets back what was dropped');
});

async function statsOf(): Promise<Record<'received' | 'sent' | 'dropped' | 'deferred', number>> {
  const { json } = await account.api.get('/v1/stats/overview');
  return json.totals;
}
