import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openGreeted, openRaw } from '../../protocol/smtp/raw-client.fixture.ts';
import { seededRandom } from '../../protocol/mime/seeded-random.fixture.ts';
import { waitFor } from '../../../test/support/wait-for.ts';
import { inboundHandlers, type InboundOptions } from './inbound-handlers.ts';
import { bounceAddress, domain, dsn, startInboundBed, type InboundBed } from '../inbound-bed.fixture.ts';

let bed: InboundBed;
before(async () => {
  bed = await startInboundBed();
});
after(async () => await bed.stop());

test('does not relay, and says so before a message is sent', async (t) => {
  const client = await openGreeted(t, bed.port);
  assert.match(await client.say('MAIL FROM:<a@example.org>'), /^250 /);
  for (const to of [
    'ana@gmail.com',
    `hi@${domain}`,
    'anybody@chasqui.test',
    `x@[127.0.0.1]`,
    `"a b"@${domain}`,
    `abuse%gmail.com@${domain}`,
  ]) {
    assert.match(await client.say(`RCPT TO:<${to}>`), /^550 5\.1\.1 /, to);
  }
  assert.match(await client.say('DATA'), /^554 5\.5\.1 /);
  assert.match(await client.say('RCPT TO:<postmaster>'), /^250 /);
  assert.match(await client.say('RCPT TO:<PostMaster@CHASQUI.test>'), /^250 /);
});

test('the listener offers STARTTLS and SIZE, without AUTH', async (t) => {
  const client = await openRaw(t, bed.port);
  assert.match(await client.reply(), /^220 mx\.chasqui\.test /);
  const offers = await client.say('EHLO relay.example');
  assert.match(offers, /STARTTLS/);
  assert.match(offers, /SIZE 26214400/);
  assert.doesNotMatch(offers, /AUTH/);
  assert.match(await client.say('AUTH PLAIN AGEAYg=='), /^502 /);
  assert.match(await client.say('STARTTLS'), /^220 /);
  await client.startTls();
  assert.match(await client.say('EHLO relay.example'), /^250/);
  assert.match(await client.say('MAIL FROM:<> SIZE=99999999'), /^552 5\.3\.4 /);
  assert.match(await client.say('MAIL FROM:<>'), /^250 /);
});

test('a message beyond the size is refused, whatever it announced', async (t) => {
  const id = await bed.sentMail('big@example.net');
  const client = await openGreeted(t, bed.port);
  await client.sayAll('MAIL FROM:<>', `RCPT TO:<${bounceAddress(id)}>`, 'DATA');
  const line = `${'x'.repeat(998)}\r\n`;
  client.socket.write(dsn());
  for (let sent = 0; sent < 11_000_000; sent += 1_000_000) client.socket.write(line.repeat(1_000));
  assert.match(await client.say('\r\n.'), /^552 5\.3\.4 /);
  assert.equal((await bed.mail(id)).status, 3);
});

test('a report with line ends of its own is taken all the same', async (t) => {
  const id = await bed.sentMail('bare@example.net');
  const client = await openGreeted(t, bed.port);
  await client.sayAll('MAIL FROM:<>', `RCPT TO:<${bounceAddress(id)}>`, 'DATA');
  client.socket.write(dsn().toString().replaceAll('\r\n', '\n'));
  assert.match(await client.say('\r\n.'), /^250 2\.0\.0 /);
  assert.equal((await bed.mail(id)).status, 6);
});

test('one address may open so many connections and no more; others are let in', async (t) => {
  const clients = await Promise.all(
    Array.from({ length: 20 }, async () => await openRaw(t, bed.port, '127.0.0.7')),
  );
  for (const client of clients) assert.match(await client.reply(), /^220 /);
  const late = await openRaw(t, bed.port, '127.0.0.7');
  assert.match(await late.reply(), /^421 4\.7\.0 /);
  await late.closed();
  assert.match(await (await openRaw(t, bed.port, '127.0.0.8')).reply(), /^220 /);
  clients[0]?.socket.destroy();
  await waitFor(
    async () => {
      const again = await openRaw(t, bed.port, '127.0.0.7');
      return (await again.reply()).startsWith('220');
    },
    { what: 'room for another connection' },
  );
});

test('a client that guesses addresses is disconnected, on every connection', async (t) => {
  const guess = async (): Promise<string> => {
    const client = await openRaw(t, bed.port, '127.0.0.9');
    await client.reply();
    await client.say('EHLO guess.example');
    const first = await client.say('MAIL FROM:<>');
    if (!first.startsWith('250')) return first;
    let last = first;
    for (let number = 0; number < 15 && !client.isClosed && !last.startsWith('421'); number += 1) {
      last = await client.say(`RCPT TO:<bounce-${String(number).padStart(48, '0')}@${domain}>`);
    }
    client.socket.destroy();
    return last;
  };
  const replies: string[] = [];
  for (let round = 0; round < 10 && !replies.at(-1)?.startsWith('421'); round += 1)
    replies.push(await guess());
  assert.match(replies[0] ?? '', /^550 5\.1\.1 /);
  assert.match(replies.at(-1) ?? '', /^421 4\.7\.0 /);
  assert.match(await guess(), /^421 4\.7\.0 /);
  const client = await openRaw(t, bed.port, '127.0.0.9');
  await client.reply();
  await client.say('EHLO guess.example');
  assert.match(await client.say('MAIL FROM:<>'), /^421 4\.7\.0 /, 'before it names a recipient');
  const id = await bed.sentMail('innocent@example.net');
  assert.equal(await bed.hand(bounceAddress(id), dsn()), '250 2.0.0 Accepted');
});

test('one address hands over so many messages at once, and more as time passes', () => {
  let now = 0;
  const handlers = inboundHandlers({ now: () => now, messages_per_second: 50 } as InboundOptions);
  const mail = (address: string): unknown =>
    handlers.onMail?.({ session: { peer: { address } } } as Parameters<
      NonNullable<typeof handlers.onMail>
    >[0]);
  const taken = Array.from({ length: 501 }, () => mail('192.0.2.1')).filter((reply) => reply === undefined);
  assert.equal(taken.length, 500);
  assert.equal(mail('192.0.2.2'), undefined);
  now += 20;
  assert.equal(mail('192.0.2.1'), undefined);
});

test('bytes without meaning end the session, not the service', async (t) => {
  const random = seededRandom(25);
  for (let round = 0; round < 20; round += 1) {
    const client = await openRaw(t, bed.port, '127.0.0.10');
    client.socket.write(Buffer.from(Array.from({ length: 3_000 }, () => Math.floor(random() * 256))));
    client.socket.end('\r\nQUIT\r\n');
    await client.closed();
  }
  assert.match(await (await openRaw(t, bed.port)).reply(), /^220 /);
});

test('while the database is away everything is asked to come again, and then counts', async () => {
  const id = await bed.sentMail('later@example.net');
  const { db } = bed.service;
  await db.query('alter table mails rename to mails_away');
  try {
    assert.match(await bed.hand(bounceAddress(id), dsn()), /^451 4\.3\.0 /);
  } finally {
    await db.query('alter table mails_away rename to mails');
  }
  assert.equal(await bed.hand(bounceAddress(id), dsn()), '250 2.0.0 Accepted');
  assert.equal((await bed.mail(id)).status, 6);
});

test('no incoming message makes the service send mail', async () => {
  const id = await bed.sentMail('loop@example.net');
  const rows = async (): Promise<unknown> => await bed.service.db.query('select count(*) from messages');
  const earlier = await rows();
  await bed.hand(bounceAddress(id), dsn());
  await bed.hand(`postmaster@${domain}`, dsn(), `postmaster@${domain}`);
  await bed.hand(
    `abuse@${domain}`,
    'Subject: hi\r\nReply-To: loop@example.net\r\n\r\nhi\r\n',
    `abuse@${domain}`,
  );
  assert.deepEqual(await rows(), earlier);
});

test('incoming messages are counted by their outcome', async () => {
  const text = await (await fetch(`${bed.service.metrics_url}/metrics`)).text();
  assert.match(text, /chasqui_inbound_messages_total\{taken="bounce"\} \d/);
  assert.ok(bed.service.logged.some((line) => line.includes('mail came in')));
  assert.ok(!bed.service.logged.some((line) => line.includes('example.net')));
});
