import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { addressParser } from 'postal-mime';
import { senderDomain, startDeliveryBed, type DeliveryBed } from '../../src/deliver/delivery-bed.fixture.ts';
import { receivedBy } from '../../src/deliver/received-message.fixture.ts';
import { submitTo } from '../../src/deliver/submit-message.fixture.ts';
import { whileAttacked } from './neighbour.fixture.ts';

let bed: DeliveryBed;
before(async () => {
  bed = await startDeliveryBed({}, { roles: 'api,delivery,submission' });
});
after(async () => await bed.stop());

const own = `hi@${senderDomain}`;
const message = (...header: string[]): string => [...header, 'Subject: Hello', '', 'Hello', ''].join('\r\n');

/** The reply of the submission server; `250` when it took the message. */
async function submit(raw: string | Buffer, to: string): Promise<string> {
  return await submitTo(bed, raw, to).then(
    () => '250',
    (error: Error & { response?: string }) => error.response ?? error.message,
  );
}

const nul = (text: string): Buffer => Buffer.from(text.replaceAll('<NUL>', '\0'));
const spoofed: [what: string, raw: string | Buffer, reply?: RegExp][] = [
  ['a comment that is never closed', message(`From: ceo@bank.example (a (b) <${own}>`)],
  ['an unquoted address as a name', message(`From: ceo@bank.example <${own}>`)],
  ['a group with an address as its name', message(`From: ceo@bank.example: ${own};`)],
  ['a group', message(`From: The bank: ${own};`)],
  ['a bracket that is never closed', message(`From: CEO <${own}`)],
  ['two addresses in brackets', message(`From: <ceo@bank.example> <${own}>`)],
  ['two addresses in brackets the other way round', message(`From: <${own}> <ceo@bank.example>`)],
  ['two addresses', message(`From: ceo@bank.example, ${own}`)],
  ['two addresses, ours first', message(`From: ${own}, ceo@bank.example`)],
  ['a comma and nothing', message(`From: ${own},`)],
  ['a route', message(`From: <@bank.example:${own}>`)],
  ['two From headers', message(`From: ${own}`, 'From: ceo@bank.example')],
  ['a second From in other letters', message(`From: ${own}`, 'fROM : ceo@bank.example')],
  ['no From', message('To: a@b.example')],
  ['a quote that is never closed', message(`From: "ceo@bank.example <${own}>`)],
  ['an escaped quote', message(String.raw`From: "ceo@bank.example\" <${own}>`)],
  ['a From that is folded to hide another', message(`From: CEO <ceo@bank.example>\r\n <${own}>`)],
  ['an address of another', message('From: ceo@bank.example'), /^550 5\.7\.1 sender_not_found/],
  ['an address of another in a comment of ours', message(`From: ceo@bank.example (${own})`), /^550 5\.7\.1/],
  ['a NUL in the name', nul(message(`From: ceo@bank.example<NUL> <${own}>`)), /^550 5\.6\.0 .*NUL/],
  ['a NUL in the address', nul(message(`From: <ceo@bank.example<NUL>${own}>`)), /^550 5\.6\.0 .*NUL/],
  ['a NUL before another From', nul(message('<NUL>From: ceo@bank.example', `From: ${own}`)), /^550 5\.6\.0/],
  ['an encoded word with an address in the open', message(`From: =?utf-8?q?ceo@bank.example?= <${own}>`)],
];
test('messages that other programs read as from another author are refused', async (t) => {
  const remote = await bed.remote(t);
  await whileAttacked(bed.service, async () => {
    for (const [what, raw, reply = /^554 5\.6\.0 validation_error: /] of spoofed) {
      assert.match(await submit(raw, `a@${remote.domain}`), reply, what);
    }
  });
  assert.deepEqual(remote.mx.messages, []);
});

const fields = (data: Buffer): string[] =>
  data
    .toString('latin1')
    .split('\r\n\r\n')[0]
    ?.replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n') ?? [];
const named = (data: Buffer, name: RegExp): string[] => fields(data).filter((field) => name.test(field));

const written: [given: string, went_out: string][] = [
  [own, own],
  [`<${own}>`, own],
  [`John Q. Public <${own}>`, `"John Q. Public" <${own}>`],
  [`"ceo@bank.example" <${own}>`, `=?utf-8?q?ceo=40bank=2Eexample?= <${own}>`],
  [`"<ceo@bank.example>" <${own}>`, `=?utf-8?q?=3Cceo=40bank=2Eexample=3E?= <${own}>`],
  [`=?utf-8?q?ceo=40bank.example?= <${own}>`, `=?utf-8?q?ceo=40bank=2Eexample?= <${own}>`],
  [`=?utf-8?b?w5FhbmTDug==?=\r\n <${own}>`, `=?utf-8?q?=C3=91and=C3=BA?= <${own}>`],
  [`${own} (The bank)`, `The bank <${own}>`],
  [`(ceo@bank.example) ${own} (ceo@bank.example)`, `=?utf-8?q?ceo=40bank=2Eexample?= <${own}>`],
];
test('From goes out as it was understood, signed, and with one address to every reader', async (t) => {
  const remote = await bed.remote(t);
  for (const [given] of written) {
    assert.equal(await submit(message(`From: ${given}`), `a@${remote.domain}`), '250', given);
  }
  const received = await receivedBy(bed, remote.mx, { t, count: written.length });
  const seen = received.flatMap(({ message: { data } }) => named(data, /^from:/i));
  assert.deepEqual(seen.toSorted(), written.map(([, went_out]) => `From: ${went_out}`).toSorted());
  for (const field of seen) {
    assert.deepEqual(
      addressParser(field.slice(5)).map(({ address }) => address),
      [own],
    );
    assert.equal(field.match(/@/g)?.length, 1, field);
  }
});

test('no other sender, no hidden copy and no other way to report goes out', async (t) => {
  const remote = await bed.remote(t);
  const raw = message(
    'Sender: ceo@bank.example',
    `From: ${own}`,
    'Resent-From: ceo@bank.example',
    'Resent-Sender: ceo@bank.example',
    'Resent-Bcc: hidden@bank.example,\r\n other@bank.example',
    'Bcc: hidden@bank.example',
    'X-Report-Abuse: <https://evil.example/report>',
    'Return-Path: <ceo@bank.example>',
    'X-Kept: yes',
  );
  assert.equal(await submit(raw, `a@${remote.domain}`), '250');
  const [one] = await receivedBy(bed, remote.mx, { t, count: 1 });
  const data = one?.message.data ?? Buffer.alloc(0);
  assert.doesNotMatch(data.toString('latin1'), /bank\.example|evil\.example/);
  assert.deepEqual(named(data, /^(?:sender|resent-.*|bcc|return-path):/i), []);
  assert.equal(named(data, /^x-report-abuse:/i).length, 1);
  assert.deepEqual(named(data, /^x-kept:/i), ['X-Kept: yes']);
});

test('over HTTP these headers are refused', async () => {
  for (const name of ['Sender', 'Resent-From', 'Resent-Bcc', 'X-Report-Abuse', 'From', 'Bcc']) {
    const { status, json } = await bed.tenant.api.post('/v1/mails/send', {
      sender_email: own,
      to: [{ email: 'a@b.example' }],
      subject: 'x',
      html: 'x',
      headers: { [name]: 'ceo@bank.example' },
    });
    assert.deepEqual([status, json.errors[0].code], [422, 'value_error.reserved_header'], name);
  }
});

test('messages from HTTP and SMTP have lines of at most 998 octets', async (t) => {
  const remote = await bed.remote(t);
  const words = Array.from({ length: 15 }, (_, at) => [`X-Long-${at}`, 'w'.repeat(950)]);
  await bed.send(`a@${remote.domain}`, {
    html: `<p>${'x'.repeat(5_000)}</p>`,
    text: 'y'.repeat(5_000),
    headers: Object.fromEntries(words),
  });
  const raw = message(`From: ${own}`, `X-Long: ${'z'.repeat(990)}`);
  assert.equal(await submit(`${raw}${'z'.repeat(998)}\r\n`, `b@${remote.domain}`), '250');
  await receivedBy(bed, remote.mx, { t, count: 2 });
  const reply = await submit(`${raw}${'z'.repeat(999)}\r\n`, `c@${remote.domain}`);
  assert.match(reply, /^550 5\.6\.0 .*line/);
});
