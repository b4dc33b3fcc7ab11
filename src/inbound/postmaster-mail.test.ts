import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { message, report } from '../protocol/dsn/message.fixture.ts';
import {
  bounceAddress,
  domain,
  dsn,
  otherDomain,
  startInboundBed,
  tokens,
  type InboundBed,
} from './inbound-bed.fixture.ts';

let bed: InboundBed;
let viewer: PanelUser;
before(async () => {
  bed = await startInboundBed();
  viewer = await signIn(bed.service, bed.tenant, 'viewer');
});
after(async () => await bed.stop());

const taken = '250 2.0.0 Accepted';
const complaints = async (): Promise<{ mail_id: string; type: string }[]> =>
  await bed.service.db.query('select mail_id, type from complaints order by complained_at, mail_id');
const restrictionsOf = async (recipient: string): Promise<string[]> =>
  (await bed.restrictions()).filter((each) => each.recipient === recipient).map(({ reason }) => reason);

/** A report as Yahoo writes it, with these lines about the mail. */
function arf(type: string, lines: { mail_from?: string; header?: string }): Buffer {
  const from = lines.mail_from === undefined ? '' : `\nOriginal-Mail-From: <${lines.mail_from}>`;
  return report(
    'From: feedback@arf.mail.yahoo.com\nSubject: FW: Hola',
    [
      ['text/plain', 'This is an email abuse report.'],
      [
        'message/feedback-report',
        `Feedback-Type: ${type}\nUser-Agent: Yahoo!-Mail-Feedback/2.0\nVersion: 0.1${from}`,
      ],
      ['message/rfc822', `${lines.header ?? ''}From: hi@${domain}\nSubject: Hola\n\nHola`],
    ],
    'feedback-report',
  );
}

test('a report of a feedback loop becomes a complaint, by the return path or the link to report abuse', async () => {
  for (const [to, type, expected, lines] of [
    [`abuse@${domain}`, 'abuse', 'spam', (id: string) => ({ mail_from: bounceAddress(id) })],
    [
      'fbl@chasqui.test',
      'fraud',
      'fraud',
      (id: string) => ({ header: `Return-Path: <${bounceAddress(id).toUpperCase()}>\n` }),
    ],
    [
      `fbl@${otherDomain}`,
      'virus',
      'phishing_or_malware',
      (id: string) => ({
        header: `X-Report-Abuse: <https://mail.test/report/${tokens.make('report', id)}>\n`,
      }),
    ],
    ['abuse@chasqui.test', 'miscategorized', 'other', (id: string) => ({ mail_from: bounceAddress(id) })],
  ] as const) {
    const recipient = `${type}@example.net`;
    const id = await bed.sentMail(recipient);
    assert.equal(await bed.hand(to, arf(type, lines(id))), taken);
    assert.deepEqual((await complaints()).at(-1), { mail_id: id, type: expected });
    assert.deepEqual(await restrictionsOf(recipient), ['complaint']);
    // Once more is once.
    assert.equal(await bed.hand(to, arf(type, lines(id))), taken);
    assert.equal((await bed.mail(id)).events.length, 1);
  }
  const { json } = await bed.tenant.api.get('/v1/mail-complaints');
  assert.equal(json.data.length, 4);
});

test('a report at the return path itself is one, too', async () => {
  const id = await bed.sentMail('here@example.net');
  await bed.hand(bounceAddress(id), arf('abuse', { mail_from: bounceAddress(id) }));
  assert.deepEqual([(await complaints()).at(-1)?.mail_id, (await bed.mail(id)).status], [id, 3]);
});

test('"not spam", a failed signature and a report that names no mail by its token complain of nothing', async () => {
  const earlier = (await complaints()).length;
  const id = await bed.sentMail('calm@example.net');
  const known = { mail_from: bounceAddress(id) };
  assert.equal(await bed.hand(`abuse@${domain}`, arf('not-spam', known)), taken);
  assert.equal(await bed.hand(`abuse@${domain}`, arf('auth-failure', known)), taken);
  const forged = bounceAddress(id).replace(/.@/, (last) => (last === '0@' ? '1@' : '0@'));
  const header = `Message-ID: <${id}@${domain}>\nTo: calm@example.net\n`;
  assert.equal(await bed.hand(`abuse@${domain}`, arf('abuse', { mail_from: forged, header })), taken);
  assert.equal((await complaints()).length, earlier);
  assert.deepEqual(await restrictionsOf('calm@example.net'), []);
  // It is kept for people, who may know what to make of it.
  assert.equal((await viewer.get('/v1/private/inbound-messages')).json.data[0].subject, 'FW: Hola');
});

test('a letter to the address of List-Unsubscribe unsubscribes, once, whatever it says', async () => {
  const id = await bed.sentMail('leaves@example.net', bed.tenant, `news@${domain}`);
  const address = `unsubscribe-${tokens.make('unsubscribe', id)}@${domain}`;
  const letter = message('From: Leaves <leaves@example.net>\nSubject: unsubscribe', '');
  assert.equal(await bed.hand(address.toUpperCase(), letter, 'leaves@example.net'), taken);
  assert.equal(await bed.hand(address, letter, 'leaves@example.net'), taken);
  const { json } = await bed.tenant.api.get(`/v1/mail-unsubscribes/${id}`);
  assert.deepEqual([json.to, json.method, json.reason], ['leaves@example.net', 'mailto', null]);
  assert.deepEqual(
    (await bed.mail(id)).events.map(({ event }) => event),
    ['unsubscribed'],
  );
  assert.match(await bed.hand(address.replace(domain, otherDomain), letter, 'x@y.example'), /^550 5\.1\.1 /);
});

test('a message without a sender asks for nothing', async () => {
  const id = await bed.sentMail('stays@example.net', bed.tenant, `news@${domain}`);
  assert.equal(await bed.hand(`unsubscribe-${tokens.make('unsubscribe', id)}@${domain}`, dsn()), taken);
  assert.equal(
    (await bed.tenant.api.get(`/v1/mail-unsubscribes/${id}`)).json.code,
    'mail_unsubscribe_not_found',
  );
});

test('mail to postmaster@ and abuse@ is kept only for the owners of the domain', async () => {
  await bed.service.db.query('delete from inbound_messages');
  const letter = (subject: string) =>
    message(`From: Ñ <ana@example.org>\nSubject: ${subject}`, 'Please stop.\n');
  assert.equal(
    await bed.hand(`Postmaster@${domain}`, letter('=?UTF-8?Q?=C3=91and=C3=BA?='), 'ana@example.org'),
    taken,
  );
  assert.equal(
    await bed.hand([`abuse@${domain}`, `abuse@${otherDomain}`], letter('both'), 'ana@example.org'),
    taken,
  );
  const { json } = await viewer.get('/v1/private/inbound-messages');
  assert.deepEqual(
    json.data.map((each: Record<string, unknown>) => [
      each['recipient'],
      each['subject'],
      each['mail_from'],
      each['remote_ip'],
    ]),
    [
      [`abuse@${domain}`, 'both', 'ana@example.org', '127.0.0.1'],
      [`Postmaster@${domain}`, 'Ñandú', 'ana@example.org', '127.0.0.1'],
    ],
  );
  const detail = await viewer.get(`/v1/private/inbound-messages/${json.data[1].id}`);
  assert.match(detail.json.raw, /Please stop\./);
  const stranger = await signIn(bed.service, bed.other, 'viewer');
  assert.equal(
    (await stranger.get(`/v1/private/inbound-messages/${json.data[1].id}`)).json.code,
    'inbound_message_not_found',
  );
  assert.equal((await stranger.get('/v1/private/inbound-messages')).json.data.length, 1);
});

test('a message that cannot be stored for all who read it is stored for none, and the sender tries again', async () => {
  const { db } = bed.service;
  await db.query('delete from inbound_messages');
  await db.query(
    'alter table inbound_messages add constraint no_operator check (instance_id is not null) not valid',
  );
  const letter = message('From: ana@example.org\nSubject: hello', 'hi');
  const stored = async (): Promise<number> => (await db.query('select from inbound_messages')).length;
  assert.match(await bed.hand(`abuse@${domain}`, letter, 'ana@example.org'), /^451 /);
  assert.equal(await stored(), 0);
  await db.query('alter table inbound_messages drop constraint no_operator');
  assert.equal(await bed.hand(`abuse@${domain}`, letter, 'ana@example.org'), taken);
  assert.equal(await stored(), 2);
});

test('letters to the platform, bounces and answers of programs are in no instance', async () => {
  await bed.service.db.query('delete from inbound_messages');
  const letter = message('From: ana@example.org\nSubject: hello', 'hi');
  for (const to of ['postmaster@chasqui.test', 'hostmaster@chasqui.test']) {
    assert.equal(await bed.hand(to, letter, 'ana@example.org'), taken);
  }
  assert.equal(await bed.hand(`postmaster@${domain}`, dsn()), taken);
  assert.equal(
    await bed.hand(`postmaster@${domain}`, message('From: a@b.example\nAuto-Submitted: auto-replied', 'x')),
    taken,
  );
  const rows = await bed.service.db.query<{ instance_id: number | null }>(
    'select instance_id from inbound_messages',
  );
  assert.deepEqual(rows, [{ instance_id: null }, { instance_id: null }]);
});

test('automatic abuse reports are kept, automatic replies are not', async () => {
  await bed.service.db.query('delete from inbound_messages');
  const written = (header: string) => message(`From: reporter@example.org\nSubject: abuse\n${header}`, 'x');
  for (const header of ['Precedence: list', 'Auto-Submitted: auto-generated']) {
    await bed.hand(`fbl@${domain}`, written(header), 'reporter@example.org');
  }
  for (const header of ['Auto-Submitted: auto-replied', 'X-Autoreply: yes']) {
    await bed.hand(`fbl@${domain}`, written(header), 'reporter@example.org');
  }
  await bed.hand(`fbl@${domain}`, written('Auto-Submitted: auto-generated'));
  const rows = await bed.service.db.query('select 1 from inbound_messages');
  assert.equal(rows.length, 2);
});

test('a name that an instance only claims gives it nothing to read', async () => {
  await bed.service.db.query('delete from inbound_messages');
  await bed.service.db.query(
    `insert into domains (instance_id, domain, ownership_token) values ($1, $2, 'abcdefghijklmnopqrstuvwx')`,
    [bed.other.instance.id, domain],
  );
  await bed.service.db.query(
    `insert into domains (instance_id, domain, ownership_token) values ($1, 'claimed.example', 'bcdefghijklmnopqrstuvwxy')`,
    [bed.other.instance.id],
  );
  const letter = message('From: ana@example.org\nSubject: hello', 'hi');
  assert.equal(
    await bed.hand([`abuse@${domain}`, 'abuse@claimed.example'], letter, 'ana@example.org'),
    taken,
  );
  const rows = await bed.service.db.query<{ instance_id: number | null }>(
    'select instance_id from inbound_messages order by id',
  );
  // What is written to abuse@ the operator reads as well, once for each domain.
  assert.deepEqual(rows, [
    { instance_id: bed.tenant.instance.id },
    { instance_id: null },
    { instance_id: null },
  ]);
});

test('a mailbox keeps its newest messages, and of each the beginning', async () => {
  const { db } = bed.service;
  await db.query('delete from inbound_messages where instance_id is not null');
  await db.query(
    `insert into inbound_messages (instance_id, recipient, header_from, subject, remote_ip, size_bytes, raw, received_at)
     select $1, 'a@b', '', number::text, '127.0.0.1', 1, '', now() from generate_series(1, 600) as number`,
    [bed.tenant.instance.id],
  );
  const large = message('From: ana@example.org\nSubject: large', 'x'.repeat(70).concat('\n').repeat(3_000));
  assert.equal(await bed.hand(`abuse@${domain}`, large, 'ana@example.org'), taken);
  const [row] = await db.query(
    'select count(*) as messages, max(length(raw)) as bytes, max(size_bytes) as size, min(subject::integer) filter (where subject <> $1) as oldest from inbound_messages where instance_id is not null',
    ['large'],
  );
  assert.deepEqual([row?.['messages'], row?.['bytes'], row?.['oldest']], [500, 65_536, 102]);
  assert.ok(row?.['size'] > 200_000);
});
