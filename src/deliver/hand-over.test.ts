import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import PostalMime from 'postal-mime';
import { pauseDestination } from '../../test/support/pause-destination.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { waitForLocks } from '../../test/support/wait-for-locks.ts';
import { openConsentAccount } from '../consent/consent-account.fixture.ts';
import { createBacklog } from './backlog.ts';
import { createConcurrencyLimits } from './concurrency-limits.ts';
import { DeliverySlots } from './hand-over.ts';
import { addVerifiedDomain, startDeliveryBed, type DeliveryBed } from './delivery-bed.fixture.ts';

let bed: DeliveryBed;
before(async () => {
  bed = await startDeliveryBed();
  // How each mail stood in the queue when it was written there.
  await bed.service.db.query('create table entered (mail_id uuid, is_leased boolean, attempts int)');
  await bed.service.db.query(
    `create function note_entered() returns trigger language plpgsql as $$ begin
       insert into entered values (new.mail_id, new.lease is not null and new.ready_priority is null
         and new.due_at > now(), new.attempts);
       return null;
     end $$`,
  );
  await bed.service.db.query(
    'create trigger entered after insert on queue for each row execute function note_entered()',
  );
});
after(async () => await bed.stop());

interface Entered {
  is_leased: boolean;
  attempts: number;
}

const enteredOf = async (domain: string): Promise<Entered[]> =>
  await bed.service.db.query<Entered>(
    `select e.is_leased, e.attempts from entered e join mails m using (mail_id)
     where m.recipient like '%@' || $1 order by m.mail_id`,
    [domain],
  );
const pause = async (domain: string): Promise<void> =>
  await pauseDestination(bed.service, bed.tenant.instance.id, domain);
const resume = async (): Promise<void> => {
  await bed.service.db.query('delete from paused_destinations');
  await bed.service.db.query("select pg_notify('chasqui_queue', '')");
};
const wait = async (ms: number): Promise<void> =>
  await new Promise((resolve) => void setTimeout(resolve, ms));

test('a mail that can go at once is written as under way, and counts as tried once', async (t) => {
  const remote = await bed.remote(t);
  await bed.send(`a@${remote.domain}`);
  const log = await bed.becomes(`a@${remote.domain}`, 3);
  assert.deepEqual(await enteredOf(remote.domain), [{ is_leased: true, attempts: 1 }]);
  assert.deepEqual(
    log.map(({ event, data }) => [event, data['attempt'], data['smtp_code']]),
    [['sent', 1, 250]],
  );
  const left = await bed.service.db.query('select from queue');
  assert.equal(left.length, 0);
});

test('one that is deferred goes on from the queue like any other', async (t) => {
  let times = 0;
  const remote = await bed.remote(t, {
    script: { RCPT: () => ((times += 1) === 1 ? '451 4.3.0 later' : undefined) },
  });
  await bed.send(`a@${remote.domain}`);
  await bed.becomes(`a@${remote.domain}`, 5);
  await bed.service.db.query(
    "update queue set due_at = now() - interval '1 s' where destination = $1 and lease is null",
    [remote.domain],
  );
  const log = await bed.becomes(`a@${remote.domain}`, 3);
  assert.deepEqual(
    log.map(({ event, data }) => [event, data['attempt']]),
    [
      ['deferred', 1],
      ['sent', 2],
    ],
  );
});

test('mail to a paused destination waits, and is claimed after the pause', async (t) => {
  const remote = await bed.remote(t);
  await pause(remote.domain);
  await bed.send(`a@${remote.domain}`);
  await wait(100);
  await bed.send(`b@${remote.domain}`);
  assert.deepEqual((await enteredOf(remote.domain)).at(-1), { is_leased: false, attempts: 0 });
  const left = async (): Promise<object[]> =>
    await bed.service.db.query('select lease, attempts from queue where destination = $1', [remote.domain]);
  // One that was handed over before the pause was heard of is put back.
  await waitFor(async () => (await left()).length === 2, { what: 'both to wait' });
  await wait(200);
  assert.deepEqual(
    await left(),
    Array.from({ length: 2 }, () => ({ lease: null, attempts: 0 })),
  );
  assert.equal(remote.mx.messages.length, 0);
  await resume();
  await bed.becomes(`a@${remote.domain}`, 3);
  await bed.becomes(`b@${remote.domain}`, 3);
});

test('a pause that comes while the mail is written holds it back too', async (t) => {
  const remote = await bed.remote(t);
  const { db, database } = bed.service;
  const holder = new Client(database.connection);
  await holder.connect();
  t.after(async () => await holder.end());
  await holder.query('begin; lock table message_attachments in exclusive mode');
  // Large, so that it does not keep the mail behind it from being written.
  const content = Buffer.alloc(300 * 1024).toString('base64');
  const sending = bed.send(`a@${remote.domain}`, {
    attachments: [{ filename: 'a.bin', type: 'a/b', content }],
  });
  const held = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await waitFor(async () => (await db.query(held)).length === 1, { what: 'the mail to be under way' });
  await pause(remote.domain);
  await waitFor(
    async () => {
      await bed.send(`b@${remote.domain}`);
      return (await enteredOf(remote.domain)).at(-1)?.is_leased === false;
    },
    { what: 'the pause to be known' },
  );
  await holder.query('commit');
  await sending;
  const standing = `select q.lease, q.attempts from queue q join mails m using (mail_id) where m.recipient = $1`;
  await waitFor(
    async () => {
      const [row] = await db.query(standing, [`a@${remote.domain}`]);
      return row?.['lease'] === null && row['attempts'] === 0;
    },
    { what: 'the mail to stand in line' },
  );
  assert.ok(!remote.mx.messages.some(({ rcpt_to }) => rcpt_to.includes(`a@${remote.domain}`)));
  await resume();
  await bed.becomes(`a@${remote.domain}`, 3);
});

test('a restriction that comes while a slow database commits the mail is respected', async (t) => {
  const remote = await bed.remote(t);
  const { db, database } = bed.service;
  const recipient = `a@${remote.domain}`;
  const holder = new Client(database.connection);
  await holder.connect();
  t.after(async () => await holder.end());
  await holder.query('begin; lock table message_attachments in exclusive mode');
  const began = performance.now();
  const attachments = [{ filename: 'a.txt', type: 'text/plain', content: 'aGk=' }];
  const sending = bed.send(recipient, { attachments });
  await waitForLocks(db);
  await db.query(`insert into restrictions (instance_id, recipient, reason) values ($1, $2, 'complaint')`, [
    bed.tenant.instance.id,
    recipient,
  ]);
  await waitFor(async () => performance.now() - began > 1_500, { what: 'the decision to be old' });
  await holder.query('commit');
  await sending;
  const log = await bed.becomes(recipient, 4);
  assert.deepEqual(
    log.map(({ event, reason }) => [event, reason]),
    [['dropped', 'recipient_restricted']],
  );
  assert.deepEqual(await enteredOf(remote.domain), [{ is_leased: true, attempts: 1 }]);
  assert.equal(remote.mx.messages.length, 0);
});

function makeSlots(more: Partial<ConstructorParameters<typeof DeliverySlots>[0]> = {}): DeliverySlots {
  const limits = createConcurrencyLimits({
    slots: 1_000,
    slow_after_ms: 60_000,
    max_slow: 100,
    onFreeSlot: () => undefined,
  });
  return new DeliverySlots({
    clock: { now: () => now },
    limits,
    backlog: createBacklog(),
    paused: { has: () => false, refresh: async () => undefined },
    lease_seconds: 60,
    newLease: randomUUID,
    isOpen: () => true,
    start: () => undefined,
    ...more,
  });
}
const now = new Date();
const wanted = { instance_id: 1, destination: 'a.test', received_at: now, urgent: true, bytes: 1 };

test('a mail whose recipient was looked up more than a second ago goes through the queue', () => {
  const slots = makeSlots();
  const isReserved = (age_ms: number): boolean =>
    slots.reserve({ ...wanted, received_at: new Date(now.getTime() - age_ms) }) !== undefined;
  assert.deepEqual([0, 1_000, 1_001, -1].map(isReserved), [true, true, false, false]);
});

test('mails handed over stay within 32 MiB, and finished ones make room', () => {
  const slots = makeSlots();
  const half = 16 * 1024 * 1024;
  const [first, second] = ['a.test', 'b.test'].map((destination) =>
    slots.reserve({ ...wanted, destination, bytes: half }),
  );
  assert.ok(first && second);
  assert.equal(slots.reserve({ ...wanted, destination: 'c.test' }), undefined);
  first.release();
  const third = slots.reserve({ ...wanted, destination: 'd.test', bytes: half });
  assert.ok(third);
  for (const slot of [second, third]) slot.release();
});

test('while outcomes wait to be recorded nothing is handed over, and what was refused stands in line', () => {
  let isOpen = false;
  const slots = makeSlots({ isOpen: () => isOpen });
  assert.equal(slots.reserve(wanted), undefined);
  isOpen = true;
  assert.equal(slots.reserve(wanted), undefined, 'it would overtake the one before it');
  const other = slots.reserve({ ...wanted, destination: 'b.test' });
  assert.ok(other);
  other.release();
});

test('new mail queues behind waiting mail, and goes at once when none waits', async (t) => {
  const gate = Promise.withResolvers<void>();
  const remote = await bed.remote(t, {
    script: {
      BODY: async () => {
        await gate.promise;
        return undefined;
      },
    },
  });
  // A destination of which nothing is known gets five at a time.
  for (let number = 1; number <= 8; number += 1) await bed.send(`p${number}@${remote.domain}`);
  const first = await enteredOf(remote.domain);
  const leased = first.findIndex(({ is_leased }) => !is_leased);
  assert.ok(leased >= 1 && leased <= 5, `${leased} were handed over`);
  assert.ok(
    first.slice(leased).every(({ is_leased }) => !is_leased),
    'none overtakes',
  );
  gate.resolve();
  for (let number = 1; number <= 8; number += 1) await bed.becomes(`p${number}@${remote.domain}`, 3);
  await waitFor(
    async () => {
      await bed.send(`later@${remote.domain}`);
      return (await enteredOf(remote.domain)).at(-1)?.is_leased === true;
    },
    { what: 'a mail to be handed over again' },
  );
});

test('the message is the same whichever way it went', async (t) => {
  const remote = await bed.remote(t);
  const content = {
    subject: 'Hola {{ñandú}}',
    html: '<p>Hola <a href="https://shop.test/?a=1&amp;b=2">Ana</a> ñ</p>',
    text: 'Hola Ana ñ',
    cc: [{ email: `c@${remote.domain}`, name: 'Cé' }],
    reply_to: { email: 'answers@shop.example.test' },
    headers: { 'X-Campaign': 'ñandú' },
    attachments: [
      { filename: 'á.txt', type: 'text/plain', content: Buffer.from('one ñ').toString('base64') },
    ],
  };
  await bed.send(`a@${remote.domain}`, content);
  await bed.becomes(`a@${remote.domain}`, 3);
  await bed.becomes(`c@${remote.domain}`, 3);
  await pause(remote.domain);
  await wait(100);
  await bed.send(`b@${remote.domain}`, content);
  await resume();
  await bed.becomes(`b@${remote.domain}`, 3);
  const parse = async (recipient: string) => {
    const found = remote.mx.messages.find(({ rcpt_to }) => rcpt_to.includes(`${recipient}@${remote.domain}`));
    const mail = await PostalMime.parse(found?.data ?? '');
    return {
      subject: mail.subject,
      text: mail.text,
      links: mail.html?.match(/href/g)?.length,
      from: mail.from,
      replyTo: mail.replyTo,
      cc: mail.cc,
      headers: mail.headers.map(({ key }) => key),
      files: mail.attachments.map(({ filename, content: bytes }) => [
        filename,
        Buffer.from(bytes as ArrayBuffer).toString(),
      ]),
    };
  };
  const [direct, queued] = [await parse('a'), await parse('b')];
  assert.deepEqual(direct, queued);
  assert.deepEqual(direct.files, [['á.txt', 'one ñ']]);
  const entered = await enteredOf(remote.domain);
  assert.ok(entered[0]?.is_leased === true && entered.at(-1)?.is_leased === false);
});

test('mail that needs consent stands in line, where it is asked for again', async (t) => {
  const remote = await bed.remote(t);
  const account = await openConsentAccount(bed.service);
  const { instance, api, marketing } = account;
  await addVerifiedDomain(bed.service, account, 'consent.example.test');
  await bed.service.db.query(
    'update senders set requires_consent = true, consent_purpose_id = $2 where instance_id = $1',
    [instance.id, marketing],
  );
  await account.recordAllow(`a@${remote.domain}`);
  const mail = {
    sender_email: 'hi@consent.example.test',
    to: [{ email: `a@${remote.domain}` }],
    subject: 'Hola',
  };
  const { status, text } = await api.post('/v1/mails/send', { ...mail, html: '<p>Hola</p>' });
  assert.equal(status, 200, text);
  await bed.becomes(`a@${remote.domain}`, 3);
  assert.deepEqual(await enteredOf(remote.domain), [{ is_leased: false, attempts: 0 }]);
});
