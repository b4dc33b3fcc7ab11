import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import type { SendMailOptions } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import { asReceived, decodeQuotedPrintable } from '../protocol/mime/sample-message.fixture.ts';
import { largeMessage, sampleMessages } from '../protocol/html/sample-messages.fixture.ts';
import { MailTokens } from '../mails/mail-token.ts';
import { PersonalContent } from '../track/personal-content.ts';
import { TrackingTokens } from '../track/tracking-token.ts';
import { waitFor } from '../../test/support/wait-for.ts';
import { secret, senderDomain, startDeliveryBed, type DeliveryBed } from './delivery-bed.fixture.ts';
import { receivedBy, type Received } from './received-message.fixture.ts';
import { submitTo } from './submit-message.fixture.ts';

const tokens = new TrackingTokens(secret);
let bed: DeliveryBed;
before(async () => {
  bed = await startDeliveryBed({}, { roles: 'api,web,delivery,submission' });
});
after(async () => await bed.stop());

/** Sends from a sender of its own and gives what arrives, signature and structure checked. */
async function delivered(
  t: TestContext,
  { to = 1, sender = 'hi', ...more }: Record<string, unknown> & { to?: number; sender?: string },
): Promise<Received[]> {
  const { domain, mx } = await bed.remote(t);
  const recipients = Array.from({ length: to }, (_, index) => ({
    email: `r${index}@${domain}`,
    name: `R${index}`,
  }));
  await bed.send('', { to: recipients, sender_email: `${sender}@${senderDomain}`, ...more });
  return await receivedBy(bed, mx, { t, count: to });
}
const targetsIn = (html = ''): (string | null | undefined)[] =>
  [...html.matchAll(/\/c\/([\w-]+)/g)].map(([, token = '']) => tokens.read(token)?.url);
const mailsIn = (html = ''): Set<string | undefined> =>
  new Set([...html.matchAll(/\/[oc]\/([\w-]+)/g)].map(([, token = '']) => tokens.read(token)?.mail_id));

/** What src/track makes of it, which its own tests hold to the original; lines end as they do on the wire. */
function expectedFor(html: string, mail_id: string): string {
  const mailTokens = new MailTokens(secret);
  const { base_url } = bed.service;
  const content = new PersonalContent({
    tokens: mailTokens,
    tracking: tokens,
    base_url,
    instance_id: bed.tenant.instance.id,
  });
  const pieces = content.html(html, { track_opens: true, track_clicks: true, fill_placeholders: true });
  const values = content.valuesFor(mail_id);
  return asReceived(pieces.map((piece) => (typeof piece === 'string' ? piece : values(piece.slot))).join(''));
}

test('every recipient gets links and a pixel of their own, in a message that verifies', async (t) => {
  const html = `<p>ñ</p>${'<a href="https://shop.example/a?b=1&amp;c=2">x</a> '.repeat(30)}`;
  const all = await delivered(t, { to: 3, html });
  for (const { email } of all) {
    assert.deepEqual(
      targetsIn(email.html),
      Array.from({ length: 30 }, () => 'https://shop.example/a?b=1&c=2'),
    );
    assert.match(email.html ?? '', /<img src="http:\S+\/o\/[\w-]{36}"/);
    assert.equal(mailsIn(email.html).size, 1);
    assert.match(email.text ?? '', /https:\/\/shop\.example\/a\?b=1&c=2/, 'the text is not tracked');
  }
  assert.equal(new Set(all.flatMap(({ email }) => [...mailsIn(email.html)])).size, 3);
});

test('messages of other people’s tools arrive with everything else as it was, and verify', async (t) => {
  for (const html of [...Object.values(sampleMessages), largeMessage()]) {
    const [one] = await delivered(t, { html, text: 'x' });
    const source = one?.message.data.toString('latin1') ?? '';
    const raw = source.slice(source.indexOf('Content-Type: text/html'));
    const part = raw.slice(raw.indexOf('\r\n\r\n') + 4, raw.lastIndexOf('\r\n--'));
    const decoded = /quoted-printable/.test(raw.slice(0, 200))
      ? decodeQuotedPrintable(Buffer.from(part, 'latin1'))
      : Buffer.from(part, 'latin1').toString();
    assert.equal(decoded, expectedFor(html, [...mailsIn(decoded)][0] ?? ''));
  }
});

test('attachments and a text of its own go with tracked HTML', async (t) => {
  const content = Buffer.alloc(200_000, 'abc');
  const [one, two] = await delivered(t, {
    to: 2,
    html: '<a href="https://shop.example/">x</a>',
    text: 'Hola https://shop.example/ {{ unsubscribe_url }}',
    attachments: [{ type: 'application/pdf', filename: 'a.pdf', content: content.toString('base64') }],
  });
  for (const each of [one, two]) {
    assert.ok(Buffer.from(each?.email.attachments[0]?.content as ArrayBuffer).equals(content));
    assert.match(each?.email.text ?? '', /^Hola https:\/\/shop\.example\/ http:\S+\/u\/[0-9a-f]{48}/);
  }
  assert.notEqual(one?.email.text, two?.email.text);
});

test('a template is tracked after it was filled in, and its way out is not', async (t) => {
  const html =
    '<p>{{ recipient.name }} <a href="https://shop.example/{{ recipient.name }}">x</a> <a href="{{ unsubscribe_url }}">out</a></p>';
  const [template] = await bed.service.db.query<{ id: number }>(
    `insert into mail_templates (instance_id, name, subject, editor, source, html, is_published, published_at)
     values ($1, 'tracked', 'Hola', 'html', $2, $2, true, now()) returning id`,
    [bed.tenant.instance.id, html],
  );
  const all = await delivered(t, { to: 2, subject: undefined, html: undefined, template_id: template?.id });
  for (const { email } of all) {
    const [name = ''] = /R\d/.exec(email.html ?? '') ?? [];
    assert.deepEqual(targetsIn(email.html), [`https://shop.example/${name}`]);
    assert.match(email.html ?? '', /href="http:\S+\/u\/[0-9a-f]{48}"/);
  }
});

test('each switch of the sender counts when the mail is delivered', async (t) => {
  const { db } = bed.service;
  const html = '<a href="https://shop.example/">x</a>';
  /** What a mail is like once the accepting node knows of the change, which takes a moment. */
  const expect = async (opens: boolean, clicks: boolean): Promise<void> => {
    await db.query('update senders set track_opens = $1, track_clicks = $2 where email_address = $3', [
      opens,
      clicks,
      `news@${senderDomain}`,
    ]);
    const asSet = async (): Promise<boolean> => {
      const [mail] = await delivered(t, { sender: 'news', html });
      const found = mail?.email.html ?? '';
      if (!opens && !clicks) return found.trim() === html;
      return found.includes('/o/') === opens && targetsIn(found).length === Number(clicks);
    };
    await waitFor(asSet, { what: `opens ${opens}, clicks ${clicks}` });
  };
  await expect(false, true);
  await expect(true, false);
  await expect(false, false);
  await expect(true, true);
});

test('the HTML of a submitted message is tracked too, and the message verifies', async (t) => {
  const { domain, mx } = await bed.remote(t);
  const html = '<html><body><p>ñ</p><a href="https://shop.example/smtp">x</a></body></html>';
  const message = (address: string): SendMailOptions => ({
    from: `${address}@${senderDomain}`,
    to: `a@${domain}`,
    subject: 'x',
    text: 'https://shop.example/text',
    html,
    attachments: [{ filename: 'a.txt', content: 'https://shop.example/file' }],
  });
  for (const address of ['hi', 'news']) {
    const raw = await new MailComposer(message(address)).compile().build();
    await submitTo(bed, raw, `a@${domain}`);
  }
  for (const { email } of await receivedBy(bed, mx, { t, count: 2 })) {
    const [mailId = ''] = mailsIn(email.html);
    assert.equal(email.html?.trim(), expectedFor(html, mailId));
    assert.deepEqual(targetsIn(email.html), ['https://shop.example/smtp']);
    assert.equal(email.text?.trim(), 'https://shop.example/text');
    assert.equal(
      Buffer.from(email.attachments[0]?.content as ArrayBuffer).toString(),
      'https://shop.example/file',
    );
  }
});

test('the links of a delivered message work', async (t) => {
  const [one] = await delivered(t, { html: '<a href="https://shop.example/works">x</a>' });
  const [link = ''] = /http:\S+\/c\/[\w-]+/.exec(one?.email.html ?? '') ?? [];
  const response = await fetch(link, { redirect: 'manual' });
  assert.equal(response.headers.get('location'), 'https://shop.example/works');
});

test('sandbox scripts: open and click follow the message within a second of its delivery', async () => {
  const html =
    '<a href="mailto:a@b.test">mail</a> <a href="https://shop.example/first">1</a> <a href="https://shop.example/2">2</a>';
  for (const script of ['open', 'click'] as const) {
    await bed.send(`${script}+x@sandbox.test`, { html });
    await bed.becomes(`${script}+x@sandbox.test`, 3);
    const [counts] = await waitFor(
      async () => {
        const rows = await bed.service.db.query<{ opens: number; clicks: number }>(
          'select opens, clicks from mails where recipient = $1 and opens + clicks > 0',
          [`${script}+x@sandbox.test`],
        );
        return rows.length > 0 && rows;
      },
      { what: script, timeout_ms: 5_000 },
    );
    assert.deepEqual(counts, script === 'open' ? { opens: 1, clicks: 0 } : { opens: 0, clicks: 1 });
  }
  const log = await bed.becomes('click+x@sandbox.test', 3);
  assert.deepEqual(
    log.map(({ event, data }) => [event, data['url']]),
    [
      ['sent', undefined],
      ['clicked', 'https://shop.example/first'],
    ],
  );
});

test('sandbox scripts: a mail without links is not an error', async () => {
  const { db, logged } = bed.service;
  await bed.send('click+none@sandbox.test', { html: '<p>x</p>' });
  await bed.becomes('click+none@sandbox.test', 3);
  const [mail] = await db.query('select clicks from mails where recipient = $1', ['click+none@sandbox.test']);
  assert.deepEqual(mail, { clicks: 0 });
  assert.deepEqual(
    logged.filter((line) => /"level":(?:50|"error")/.test(line)),
    [],
  );
});
