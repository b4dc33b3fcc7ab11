import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import PostalMime from 'postal-mime';
import { senderDomain, startDeliveryBed, type DeliveryBed } from './delivery-bed.fixture.ts';
import { submitTo } from './submit-message.fixture.ts';
import { waitFor } from '../../test/support/wait-for.ts';

let bed: DeliveryBed;
before(async () => {
  bed = await startDeliveryBed({}, { roles: 'api,delivery,submission' });
});
after(async () => await bed.stop());

const dayMs = 86_400_000;

interface Times {
  received_at: Date;
  schedule_at: Date | null;
  sent_at: Date | null;
  status: number;
}

async function timesOf(recipient: string): Promise<Times | undefined> {
  const [mail] = await bed.service.db.query<Times & Record<string, unknown>>(
    'select received_at, schedule_at, sent_at, status from mails where recipient = $1',
    [recipient],
  );
  return mail;
}

/** The mail as if it had been accepted so many days before its time, which has come. */
async function comeDue(recipient: string): Promise<void> {
  const { db } = bed.service;
  await db.query('update mails set schedule_at = now() where recipient = $1', [recipient]);
  await db.query(
    `update queue q set due_at = now() from mails m where m.mail_id = q.mail_id and m.recipient = $1`,
    [recipient],
  );
  await db.query(`select pg_notify('chasqui_queue', '')`);
}

test('a scheduled mail is sent at its time and not before, with its Date and without a second timer', async (t) => {
  const { domain, mx } = await bed.remote(t);
  const to = `ana@${domain}`;
  const at = new Date(Date.now() + 2_500);
  await bed.send(to, { schedule_at: at.toISOString() });
  const waits = await timesOf(to);
  assert.deepEqual([waits?.status, waits?.schedule_at], [2, at]);
  await bed.becomes(to, 3);
  const [message] = await mx.waitForMessages(1);
  const sent = await timesOf(to);
  assert.ok((sent?.sent_at ?? 0) >= at, `${sent?.sent_at?.toISOString()} is before ${at.toISOString()}`);
  const parsed = await PostalMime.parse(message?.data ?? '');
  const second = at.getTime() - at.getMilliseconds();
  assert.equal(new Date(parsed.date ?? 0).getTime(), second);
  const received = parsed.headers.find(({ key }) => key === 'received')?.value ?? '';
  assert.equal(new Date(received.slice(received.lastIndexOf(';') + 1)).getTime(), second);
});

test('the five days of retries count from the scheduled time, not from the acceptance', async (t) => {
  const { domain } = await bed.remote(t, { script: { RCPT: '451 4.3.0 later' } });
  const to = `late@${domain}`;
  const { db } = bed.service;
  await bed.send(to, { schedule_at: new Date(Date.now() + dayMs).toISOString() });
  await db.query(`update mails set received_at = now() - interval '20 days' where recipient = $1`, [to]);
  await comeDue(to);
  await bed.becomes(to, 5);
  await db.query(`update mails set schedule_at = now() - interval '5 days 1 minute' where recipient = $1`, [
    to,
  ]);
  await db.query(
    `update queue q set due_at = now() from mails m where m.mail_id = q.mail_id and m.recipient = $1 and q.lease is null`,
    [to],
  );
  await db.query(`select pg_notify('chasqui_queue', '')`);
  await bed.becomes(to, 6);
});

test('X-Chq-Schedule-At schedules a submitted message, is not sent on, and its Date becomes the time of sending', async (t) => {
  const { domain, mx } = await bed.remote(t);
  const to = `smtp@${domain}`;
  const at = new Date(Date.now() + 10 * dayMs);
  const raw = [
    `From: hi@${senderDomain}`,
    `To: ${to}`,
    'Subject: Hola',
    'Date: Mon, 02 Nov 2026 09:00:00 +0000',
    `X-Chq-Schedule-At: ${at.toISOString()}`,
    '',
    'Hola',
    '',
  ].join('\r\n');
  await submitTo(bed, raw, to);
  assert.deepEqual((await timesOf(to))?.schedule_at, at);
  await comeDue(to);
  const due = (await timesOf(to))?.schedule_at;
  await bed.becomes(to, 3);
  const [message] = await mx.waitForMessages(1);
  const data = message?.data.toString() ?? '';
  assert.doesNotMatch(data, /x-chq-/i);
  const dates = [...data.matchAll(/^Date: (.+)$/gim)].map(([, date = '']) => new Date(date.trim()));
  assert.deepEqual(
    dates.map((date) => date.getTime()),
    [Math.floor((due?.getTime() ?? 0) / 1000) * 1000],
  );
  await assert.rejects(
    submitTo(bed, raw.replace(at.toISOString(), 'tomorrow'), to),
    /5\.\d\.\d .*X-Chq-Schedule-At/,
  );
});

test('scheduled mail of a disabled instance is held when its time comes, and goes out when that ends', async (t) => {
  const { domain } = await bed.remote(t);
  const to = `held@${domain}`;
  const { db } = bed.service;
  const set = async (is_enabled: boolean): Promise<void> =>
    void (await db.query('update instances set is_enabled = $2 where id = $1', [
      bed.tenant.instance.id,
      is_enabled,
    ]));
  await bed.send(to, { schedule_at: new Date(Date.now() + dayMs).toISOString() });
  await set(false);
  assert.equal((await timesOf(to))?.status, 2, 'it waits for its time all the same');
  await comeDue(to);
  await bed.becomes(to, 7);
  await set(true);
  await waitFor(async () => (await timesOf(to))?.status === 3, {
    what: 'the mail to be sent',
    timeout_ms: 20_000,
  });
});
