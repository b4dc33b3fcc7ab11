import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { erasedAddress } from '../../base/personal-data.ts';
import { message } from '../../protocol/dsn/message.fixture.ts';
import { proseBounces } from '../../protocol/dsn/prose-bounces.fixture.ts';
import {
  bounceAddress,
  dsn,
  otherDomain,
  sentAt,
  startInboundBed,
  type InboundBed,
} from '../inbound-bed.fixture.ts';

let bed: InboundBed;
before(async () => {
  bed = await startInboundBed();
});
after(async () => await bed.stop());

const taken = '250 2.0.0 Accepted';
let people = 0;
const somebody = (): string => `person${(people += 1)}@example.net`;
const isRestricted = async (recipient: string): Promise<string | undefined> =>
  (await bed.restrictions()).find((each) => each.recipient === recipient)?.reason;

test('a failure that is reported after the mail was sent bounces it, keeps its time, and restricts the recipient', async () => {
  const recipient = somebody();
  const id = await bed.sentMail(recipient);
  assert.equal(await bed.hand(bounceAddress(id), dsn({ recipient })), taken);
  const { status, sent_at, events } = await bed.mail(id);
  assert.deepEqual([status, sent_at], [6, sentAt]);
  assert.deepEqual(events, [
    {
      event: 'bounced',
      status: 6,
      reason: 'no_such_user',
      data: {
        type: 'hard',
        smtp_code: 550,
        enhanced_code: '5.1.1',
        response: '550 5.1.1 User unknown',
        remote_host: 'mx.example.net',
        detail: 'reported after it was sent',
      },
    },
  ]);
  assert.equal(await isRestricted(recipient), 'hard_bounce');
  const { json } = await bed.tenant.api.get(`/v1/mails/${id}/logs`);
  const log = json.data.at(-1);
  assert.deepEqual(
    [log.event, log.smtp_code, log.enhanced_code, log.response, log.remote_host],
    ['bounced', 550, '5.1.1', '550 5.1.1 User unknown', 'mx.example.net'],
  );
});

test('a second report, or many at once, changes nothing', async () => {
  const id = await bed.sentMail(somebody());
  const replies = await Promise.all(
    Array.from({ length: 8 }, async () => await bed.hand(bounceAddress(id), dsn())),
  );
  assert.deepEqual(new Set(replies), new Set([taken]));
  assert.equal(await bed.hand(bounceAddress(id), dsn({ status: '5.7.1' })), taken);
  assert.deepEqual(
    (await bed.mail(id)).events.map(({ event, reason }) => `${event} ${reason}`),
    ['bounced no_such_user'],
  );
});

test('a bounce of an erased person counts, without quotes and without a restriction', async () => {
  const recipient = somebody();
  const id = await bed.sentMail(recipient);
  await bed.service.db.query('update mails set recipient = $2 where mail_id = $1', [id, erasedAddress]);
  const diagnostic = `smtp; 550 5.1.1 <${recipient}> User unknown`;
  assert.equal(await bed.hand(bounceAddress(id), dsn({ recipient, diagnostic })), taken);
  const { status, events } = await bed.mail(id);
  assert.deepEqual([status, events[0]?.reason], [6, 'no_such_user']);
  assert.deepEqual(events[0]?.data, {
    type: 'hard',
    smtp_code: 550,
    enhanced_code: '5.1.1',
    detail: 'reported after it was sent',
  });
  assert.equal(await isRestricted(erasedAddress), undefined);
});

test('a report that does not blame the address bounces the mail without a restriction', async () => {
  for (const [type, failure] of [
    ['soft', { status: '5.2.2', diagnostic: 'smtp; 552 5.2.2 mailbox full' }],
    ['block', { status: '5.7.1', diagnostic: 'smtp; 554 5.7.1 blocked using zen.spamhaus.org' }],
  ] as const) {
    const recipient = somebody();
    const id = await bed.sentMail(recipient);
    await bed.hand(bounceAddress(id), dsn({ ...failure, recipient }));
    const { status, events } = await bed.mail(id);
    assert.deepEqual([status, events[0]?.data['type']], [6, type]);
    assert.equal(await isRestricted(recipient), undefined);
  }
});

test('delayed, relayed and expanded mail has not failed', async () => {
  const id = await bed.sentMail(somebody());
  for (const action of ['delayed', 'relayed', 'expanded', 'delivered']) {
    assert.equal(await bed.hand(bounceAddress(id), dsn({ action, status: '4.4.1' })), taken);
  }
  assert.deepEqual([(await bed.mail(id)).status, (await bed.mail(id)).events], [3, []]);
});

test('bounces in prose count the same; answers of programs and of people do not', async () => {
  const qmail = await bed.sentMail(somebody());
  await bed.hand(bounceAddress(qmail), proseBounces[0]?.raw ?? '');
  assert.equal((await bed.mail(qmail)).status, 6);

  const answered = await bed.sentMail(somebody());
  const away = 'From: ana@example.net\nSubject: Automatic reply: Hola';
  assert.equal(await bed.hand(bounceAddress(answered), message(away, '550 5.1.1 User unknown')), taken);
  assert.equal(
    await bed.hand(bounceAddress(answered), message('From: a@b.example', 'hi'), 'a@b.example'),
    taken,
  );
  assert.equal(
    await bed.hand(
      bounceAddress(answered),
      Buffer.from(
        Array.from({ length: 5_000 }, (_, index) => index % 250).filter((byte) => byte !== 10 && byte !== 13),
      ),
    ),
    taken,
  );
  assert.deepEqual([(await bed.mail(answered)).status, (await bed.mail(answered)).events], [3, []]);
});

test('a report about several recipients counts ours; behind an alias all must have failed', async () => {
  const recipient = somebody();
  const both = (first: string, second: string): string =>
    dsn({ recipient: 'one@inside.example', action: first })
      .toString()
      .replace(
        'Final-Recipient: rfc822; one',
        `Final-Recipient: rfc822; two@inside.example\r\nAction: ${second}\r\nStatus: 5.1.1\r\n\r\nFinal-Recipient: rfc822; one`,
      );
  const half = await bed.sentMail(recipient);
  await bed.hand(bounceAddress(half), both('delivered', 'failed'));
  assert.equal((await bed.mail(half)).status, 3);
  const named = await bed.sentMail(recipient);
  await bed.hand(
    bounceAddress(named),
    both('delivered', 'failed').replace('two@inside.example', recipient.toUpperCase()),
  );
  assert.equal((await bed.mail(named)).status, 6);
  await bed.service.db.query('delete from restrictions');
  const all = await bed.sentMail(recipient);
  await bed.hand(bounceAddress(all), both('failed', 'failed'));
  assert.equal((await bed.mail(all)).status, 6);
});

test('mail that is still in the queue is left to delivery, and a report in the midst of an attempt comes again', async () => {
  const id = await bed.sentMail(somebody());
  const { db } = bed.service;
  await db.query('update mails set status = 5, sent_at = null where mail_id = $1', [id]);
  assert.equal(await bed.hand(bounceAddress(id), dsn()), taken);
  assert.equal((await bed.mail(id)).status, 5);
  await db.query(
    `insert into queue (mail_id, msg_id, instance_id, destination, priority, due_at)
     select mail_id, msg_id, instance_id, 'example.net', 0, now() from mails where mail_id = $1`,
    [id],
  );
  assert.equal(await bed.hand(bounceAddress(id), dsn()), taken, 'nobody is at it');
  await db.query('update queue set lease = gen_random_uuid() where mail_id = $1', [id]);
  assert.match(await bed.hand(bounceAddress(id), dsn()), /^451 4\.3\.0 /);
  await db.query('delete from queue');
  await db.query('update mails set status = 3, sent_at = $2 where mail_id = $1', [id, sentAt]);
  assert.equal(await bed.hand(bounceAddress(id), dsn()), taken);
  assert.equal((await bed.mail(id)).status, 6);
});

test('an address is known in either case, and only whole, only signed, and only at the domain of its mail', async () => {
  const id = await bed.sentMail(somebody());
  const address = bounceAddress(id);
  const [local = '', at = ''] = address.split('@');
  const flip = (text: string): string => text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
  const theirs = await bed.sentMail(somebody(), bed.other);
  for (const wrong of [
    `${flip(local)}@${at}`,
    `${local.slice(0, -2)}@${at}`,
    `${local}00@${at}`,
    `bounce-@${at}`,
    `bounce-${id.replaceAll('-', '')}@${at}`,
    local.replace('bounce', 'unsubscribe') + `@${at}`,
    `${local}@${otherDomain}`,
    `${local}@chasqui.test`,
    `${local}@nobody.example`,
    bounceAddress('0190a1b2-c3d4-7e8f-9a0b-1c2d3e4f5061'),
    bounceAddress(theirs),
  ]) {
    assert.match(await bed.hand(wrong, dsn()), /^550 5\.1\.1 /, wrong);
  }
  assert.equal((await bed.mail(id)).status, 3);
  assert.equal(await bed.hand(bounceAddress(theirs, otherDomain), dsn()), taken);
  assert.deepEqual([(await bed.mail(theirs)).status, (await bed.mail(id)).status], [6, 3]);
  assert.equal(await bed.hand(address.toUpperCase(), dsn()), taken);
  assert.equal((await bed.mail(id)).status, 6);
});

test('a domain that was deleted since still gets the bounces of its mail', async () => {
  const id = await bed.sentMail(somebody());
  await bed.service.db.query(
    'update domains set deleted_at = now() where instance_id = $1 and not is_sandbox',
    [bed.tenant.instance.id],
  );
  assert.equal(await bed.hand(bounceAddress(id), dsn()), taken);
  assert.equal((await bed.mail(id)).status, 6);
  await bed.service.db.query('update domains set deleted_at = null where instance_id = $1', [
    bed.tenant.instance.id,
  ]);
});
