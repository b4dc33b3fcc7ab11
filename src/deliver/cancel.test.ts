import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiResponse } from '../../test/support/api.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { waitForLocks } from '../../test/support/wait-for-locks.ts';

/** Cancellations against deliveries: a mail is sent or cancelled, never both, and the answer tells which. */
let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api,delivery' });
  tenant = await service.tenant();
  await service.db.query('update instances set requests_per_second = 0 where id = $1', [tenant.instance.id]);
});
after(async () => await service.stop());

const mail = (recipients: string[], more: object): object => ({
  sender_email: `test@${tenant.instance.slug}.sandbox.test`,
  to: recipients.map((email) => ({ email })),
  subject: 'Hola',
  html: '<p>Hola</p>',
  ...more,
});

async function send(recipients: string[], more: object = {}): Promise<string> {
  const { status, json, text } = await tenant.api.post('/v1/mails/send', mail(recipients, more));
  assert.equal(status, 200, text);
  return json.message_id;
}

const cancel = async (id: string): Promise<ApiResponse> => await tenant.api.post(`/v1/messages/${id}/cancel`);

interface Ends {
  sent: number;
  cancelled: number;
  /** Mails that reached their recipient and were cancelled, or neither. */
  contradictory: number;
}

/** What became of the mails, by what the recipients have and by what was recorded. */
async function endsOf(column: 'msg_id' | 'custom_group_code', value: string): Promise<Ends> {
  const [row] = await service.db.query<Ends & Record<string, unknown>>(
    `with ended as (
       select m.status, s.mail_id is not null as arrived, coalesce(e.drops, 0) as drops, coalesce(e.sends, 0) as sends
       from mails m left join sandbox_messages s on s.mail_id = m.mail_id
       left join (
         select mail_id, count(*) filter (where event = 'dropped' and reason = 'cancelled') as drops,
           count(*) filter (where event = 'sent') as sends
         from events where instance_id = $2 group by mail_id
       ) as e on e.mail_id = m.mail_id
       where m.${column} = $1 and m.instance_id = $2
     )
     select count(*) filter (where status = 3 and arrived and sends = 1 and drops = 0) as sent,
       count(*) filter (where status = 4 and not arrived and sends = 0 and drops = 1) as cancelled,
       count(*) filter (where not (
         (status = 3 and arrived and sends = 1 and drops = 0) or (status = 4 and not arrived and sends = 0 and drops = 1)
       )) as contradictory
     from ended`,
    [value, tenant.instance.id],
  );
  return row ?? { sent: 0, cancelled: 0, contradictory: 0 };
}

async function queueIsEmpty(): Promise<void> {
  const left = async (): Promise<number> =>
    (await service.db.query('select 1 from queue where instance_id = $1 limit 1', [tenant.instance.id]))
      .length;
  await waitFor(async () => (await left()) === 0, { what: 'the queue to be empty', timeout_ms: 120_000 });
}

test('a mail under lease is not cancelled: the cancellation is refused, and the mail arrives', async () => {
  const id = await send(['slow@sandbox.test']);
  const isLeased = async (): Promise<boolean> =>
    (await service.db.query('select 1 from queue where msg_id = $1 and lease is not null', [id])).length ===
    1;
  await waitFor(isLeased, { what: 'the attempt' });
  const refused = await cancel(id);
  assert.deepEqual([refused.status, refused.json.code], [409, 'message_already_sent']);
  await queueIsEmpty();
  assert.deepEqual(await endsOf('msg_id', id), { sent: 1, cancelled: 0, contradictory: 0 });
});

test('a cancellation that waits for the claim of a node leaves the mail to that node', async () => {
  const id = await send(['claimed@sandbox.test'], {
    schedule_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const { refusing } = await service.db.transaction(async (tx) => {
    await tx.query(
      `update queue set lease = gen_random_uuid(), attempts = attempts + 1, due_at = now() + interval '1 hour' where msg_id = $1`,
      [id],
    );
    const waiting = cancel(id);
    await waitForLocks(service.db, 1);
    return { refusing: waiting };
  });
  assert.equal((await refusing).json.code, 'message_already_sent');
  // Its node dies, and its result is never known: it may have been sent.
  await service.db.query('update queue set lease = null where msg_id = $1', [id]);
  assert.equal((await cancel(id)).json.code, 'message_already_sent');
  await service.db.query(`update queue set due_at = now() where msg_id = $1`, [id]);
  await queueIsEmpty();
  assert.deepEqual(await endsOf('msg_id', id), { sent: 1, cancelled: 0, contradictory: 0 });
});

test('each mail of a message cancelled while it goes out is sent or cancelled, as the answers say', async () => {
  const messages = 30;
  const people = Array.from({ length: 40 }, (_, index) => `p${index}@sandbox.test`);
  const schedule_at = new Date(Date.now() + 3_600_000).toISOString();
  const ids = await Promise.all(
    Array.from({ length: messages }, async () => await send(people, { schedule_at })),
  );
  await service.db.query('update queue set due_at = now() where msg_id = any ($1::uuid[])', [ids]);
  const answers = await Promise.all(
    ids.map(async (id) => {
      const replies = await Promise.all(
        Array.from({ length: 6 }, async () => {
          await delay(Math.random() * 2_500);
          return await cancel(id);
        }),
      );
      return {
        id,
        counts: replies.map(({ status, json }) => (status === 200 ? (json.cancelled as number) : 0)),
      };
    }),
  );
  await queueIsEmpty();
  let [sent, cancelled] = [0, 0];
  for (const { id, counts } of answers) {
    const ends = await endsOf('msg_id', id);
    assert.deepEqual([ends.contradictory, ends.sent + ends.cancelled], [0, people.length]);
    assert.equal(Math.max(...counts), ends.cancelled, 'the answers tell how many were cancelled');
    sent += ends.sent;
    cancelled += ends.cancelled;
  }
  assert.ok(sent > 0 && cancelled > 0, `${sent} sent and ${cancelled} cancelled: nothing was tried`);
});

test('a broadcast of 10,000 scheduled mails that is cancelled as it goes out: sent + cancelled = 10,000', async (t) => {
  const custom_group_code = 'spring';
  const schedule_at = new Date(Date.now() + 8_000).toISOString();
  const mails = Array.from({ length: 200 }, (_, batch) =>
    mail(
      Array.from({ length: 50 }, (_each, index) => `b${batch}-${index}@sandbox.test`),
      { schedule_at, custom_group_code },
    ),
  );
  const accepted = await tenant.api.post('/v1/mails/batch', { mails, on_error: 'reject' });
  assert.equal(accepted.status, 200, accepted.text.slice(0, 500));
  const sentSoFar = async (): Promise<number> =>
    (
      await service.db.query('select 1 from mails where custom_group_code = $1 and status = 3 limit 300', [
        custom_group_code,
      ])
    ).length;
  await waitFor(async () => (await sentSoFar()) === 300, { what: 'the first mails', timeout_ms: 60_000 });
  let reported = 0;
  for (;;) {
    const { status, json, text } = await tenant.api.post('/v1/messages/cancel', { custom_group_code });
    assert.equal(status, 200, text);
    reported += json.cancelled;
    if (!json.has_more && json.cancelled === 0) break;
  }
  await queueIsEmpty();
  const ends = await endsOf('custom_group_code', custom_group_code);
  t.diagnostic(`${ends.sent} sent, ${ends.cancelled} cancelled`);
  assert.deepEqual([ends.sent + ends.cancelled, ends.contradictory, ends.cancelled], [10_000, 0, reported]);
  assert.ok(ends.sent >= 300 && ends.cancelled > 0);
});
