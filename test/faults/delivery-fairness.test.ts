import assert from 'node:assert/strict';
import { availableParallelism, loadavg } from 'node:os';
import { after, before, test } from 'node:test';
import {
  addVerifiedDomain,
  sendFrom,
  startDeliveryBed,
  type DeliveryBed,
} from '../../src/deliver/delivery-bed.fixture.ts';
import { silence } from '../support/remote-mx.ts';
import type { Tenant } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';

/** Two thirds to a dead domain, one third to a slow one; CHASQUI_TEST_BACKLOG=150000 for the whole of it. */
const backlog = Number(process.env['CHASQUI_TEST_BACKLOG'] ?? 20_000);
/** For a machine with a core to spare; on a busier one everything takes longer. */
const mostMs = (): number => 2_000 * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

let bed: DeliveryBed;
let other: Tenant;
before(async () => {
  bed = await startDeliveryBed();
  other = await bed.service.tenant();
  await addVerifiedDomain(bed.service, other, 'other.example.test');
});
after(async () => await bed.stop());

/** Copies of one accepted mail, written as acceptance would. */
async function queueCopies(msgId: string, destination: string, count: number): Promise<void> {
  await bed.service.db.query(
    `with copies as (
       insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email,
         subject, test_mode, received_at, queued_at)
       select uuidv7(), msg_id, instance_id, 2, 'n' || n || '@' || $2, 'to', sender_id, sender_email, subject,
         false, now(), now()
       from (select * from mails where msg_id = $1 limit 1) as m cross join generate_series(1, $3) as n
       returning mail_id, msg_id, instance_id
     )
     insert into queue (mail_id, msg_id, instance_id, destination, priority, ready_priority, due_at)
     select c.mail_id, c.msg_id, c.instance_id, $2, (m.stream = 'broadcast')::int, (m.stream = 'broadcast')::int, now()
     from copies c join messages m using (msg_id)`,
    [msgId, destination, count],
  );
}

/** One copy to each of the domains q0.test, q1.test, … */
async function queueToEach(msgId: string, domains: number): Promise<void> {
  await bed.service.db.query(
    `with copies as (
       insert into mails (mail_id, msg_id, instance_id, status, recipient, recipient_kind, sender_id, sender_email,
         subject, test_mode, received_at, queued_at)
       select uuidv7(), msg_id, instance_id, 2, 'a@q' || n || '.test', 'to', sender_id, sender_email, subject,
         false, now(), now()
       from (select * from mails where msg_id = $1 limit 1) as m cross join generate_series(0, $2 - 1) as n
       returning mail_id, msg_id, instance_id, recipient
     )
     insert into queue (mail_id, msg_id, instance_id, destination, priority, ready_priority, due_at)
     select mail_id, msg_id, instance_id, split_part(recipient, '@', 2), 0, 0, now() from copies`,
    [msgId, domains],
  );
}

async function queued(destination: string): Promise<number> {
  const [row] = await bed.service.db.query<{ count: number }>(
    'select count(*)::int as count from queue where destination = $1',
    [destination],
  );
  return row?.count ?? 0;
}

test(`another instance's mail is delivered at once beside ${backlog} queued mails to a dead and a slow domain`, async (t) => {
  const [dead, slow, good] = [
    bed.place(),
    await bed.remote(t, { script: { greeting: silence } }),
    await bed.remote(t),
  ];
  const seed = await bed.send('delivered@sandbox.test');
  await bed.becomes('delivered@sandbox.test', 3);
  await queueCopies(seed, dead.domain, Math.round((backlog * 2) / 3));
  await queueCopies(seed, slow.domain, Math.round(backlog / 3));
  await waitFor(() => slow.mx.sessions.length > 0, { what: 'the backlog to be under way' });
  const times: number[] = [];
  for (let mail = 1; mail <= 5; mail += 1) {
    const began = performance.now();
    await sendFrom(other, `b${mail}@${good.domain}`, { sender_email: 'hi@other.example.test' });
    await good.mx.waitForMessages(mail, 30_000);
    times.push(Math.round(performance.now() - began));
  }
  const left = [await queued(dead.domain), await queued(slow.domain)];
  t.diagnostic(`delivered after ${times.join(', ')} ms with ${left.join(' + ')} mails in the queue`);
  assert.ok(Math.max(...times) < mostMs(), `${times.join(', ')} ms`);
  assert.ok((left[1] ?? 0) >= backlog / 3 - 1, 'the slow domain is still waited for');
  await bed.service.db.query('truncate queue');
});

test('transactional mail does not wait behind broadcast to the same server', async (t) => {
  const remote = await bed.remote(t);
  const seed = await bed.send('delivered+2@sandbox.test', { sender_email: 'news@shop.example.test' });
  await bed.becomes('delivered+2@sandbox.test', 3);
  await queueCopies(seed, remote.domain, 4_000);
  await remote.mx.waitForMessages(50, 20_000);
  const began = performance.now();
  await bed.send(`urgent@${remote.domain}`);
  const hasCome = () => remote.mx.messages.some(({ rcpt_to }) => rcpt_to[0]?.startsWith('urgent@'));
  await waitFor(hasCome, { what: 'the urgent mail', timeout_ms: 30_000 });
  const ms = Math.round(performance.now() - began);
  const left = await queued(remote.domain);
  t.diagnostic(`the transactional mail took ${ms} ms with ${left} broadcast mails in the queue`);
  assert.ok(ms < mostMs(), `${ms} ms`);
  assert.ok(left > 1_000, `${left} left`);
  await bed.service.db.query('truncate queue');
});

test('a hundred slow domains leave room for the others', async (t) => {
  const [slow, good] = [await bed.remote(t, { script: { greeting: silence } }), await bed.remote(t)];
  const seed = await bed.send('delivered+3@sandbox.test');
  await bed.becomes('delivered+3@sandbox.test', 3);
  for (let number = 0; number < 100; number += 1) {
    bed.dns.set(`s${number}.test`, 'MX', [`10 mx.s${number}.test`]);
    bed.dns.set(`mx.s${number}.test`, 'A', [slow.address]);
    await queueCopies(seed, `s${number}.test`, 30);
  }
  await waitFor(() => slow.mx.sessions.length > 100, {
    what: 'the slow ones to be under way',
    timeout_ms: 60_000,
  });
  const began = performance.now();
  await sendFrom(other, `c@${good.domain}`, { sender_email: 'hi@other.example.test' });
  await good.mx.waitForMessages(1, 30_000);
  const ms = Math.round(performance.now() - began);
  t.diagnostic(`delivered after ${ms} ms with ${slow.mx.open_sessions} connections to slow servers`);
  assert.ok(ms < mostMs(), `${ms} ms`);
});

test('a thousand domains that never answer leave room for a mail to one that does', async (t) => {
  await bed.service.db.query('truncate queue');
  const [slow, good] = [await bed.remote(t, { script: { greeting: silence } }), await bed.remote(t)];
  const seed = await bed.send('delivered+4@sandbox.test');
  await bed.becomes('delivered+4@sandbox.test', 3);
  // More than can be open at a time: on a busy machine some of them time out in DNS.
  const domains = 1_000;
  for (let number = 0; number < domains; number += 1) {
    bed.dns.set(`q${number}.test`, 'MX', [`10 mx.q${number}.test`]);
    bed.dns.set(`mx.q${number}.test`, 'A', [slow.address]);
  }
  await queueToEach(seed, domains);
  await waitFor(() => slow.mx.open_sessions >= 300, {
    what: () => `300 silent ones to be under way, not ${slow.mx.open_sessions}`,
    timeout_ms: 60_000,
  });
  const began = performance.now();
  await sendFrom(other, `d@${good.domain}`, { sender_email: 'hi@other.example.test' });
  await good.mx.waitForMessages(1, 30_000);
  const ms = Math.round(performance.now() - began);
  t.diagnostic(`delivered after ${ms} ms with ${slow.mx.open_sessions} connections to silent servers`);
  assert.ok(ms < mostMs(), `${ms} ms`);
});
