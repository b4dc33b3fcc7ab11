import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import { decodeWords, type Email } from 'postal-mime';
import { senderDomain, startDeliveryBed, type DeliveryBed, type Remote } from './delivery-bed.fixture.ts';
import { receivedBy, type Received } from './received-message.fixture.ts';
import { submitTo } from './submit-message.fixture.ts';

let bed: DeliveryBed;
before(async () => {
  bed = await startDeliveryBed({}, { roles: 'api,delivery,submission' });
});
after(async () => await bed.stop());

const received = async (t: TestContext, { mx }: Remote, count = 1): Promise<Received[]> =>
  await receivedBy(bed, mx, { t, count });
const textOf = (email: Email | undefined): string => (email?.text ?? '').trim();

test('a mail with only HTML gets a text made from it', async (t) => {
  const remote = await bed.remote(t);
  await bed.send(`a@${remote.domain}`, { html: '<p>Hola <b>Ana</b> ñ</p>' });
  const [one] = await received(t, remote);
  assert.match(one?.email.html?.trim() ?? '', /^<p>Hola <b>Ana<\/b> ñ<\/p><img [^>]*>$/);
  assert.match(textOf(one?.email), /^Hola Ana ñ$/);
  assert.match(one?.header('content-type') ?? '', /^multipart\/alternative/);
});

test('HTML and text, attachments, and names outside ASCII arrive as they were given', async (t) => {
  const remote = await bed.remote(t);
  const file = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 31) % 256));
  await bed.send('', {
    sender_email: `news@${senderDomain}`,
    to: [{ email: `a@${remote.domain}`, name: 'José "Pepe" Ñúñez, hijo' }],
    subject: 'Año nuevo: 50 % de descuento en ñandúes y más cosas que no caben en una línea 🦤 '
      .repeat(2)
      .trim(),
    html: `<p>${'línea larga '.repeat(200)}</p>\n.\n<p>.</p>`,
    text: 'Hola\n.\n..punto\nFrom aquí',
    attachments: [
      { type: 'application/pdf', filename: 'factura ñ°1 — año “2026”.pdf', content: file.toString('base64') },
      { type: 'text/plain', filename: 'plain.txt', content: Buffer.from('hello').toString('base64') },
    ],
  });
  const [one] = await received(t, remote);
  const email = one?.email as Email;
  assert.deepEqual(email.to?.[0], { address: `a@${remote.domain}`, name: 'José "Pepe" Ñúñez, hijo' });
  assert.deepEqual(email.from, { address: `news@${senderDomain}`, name: 'Noticias Ñandú' });
  assert.match(email.subject ?? '', /^Año nuevo: 50 % .* 🦤$/);
  assert.equal(textOf(email).replaceAll('\r\n', '\n'), 'Hola\n.\n..punto\nFrom aquí');
  assert.match(email.html ?? '', /^<p>(línea larga ){200}<\/p>\r?\n\.\r?\n<p>\.<\/p>/);
  assert.deepEqual(
    email.attachments.map(({ filename, mimeType }) => [filename, mimeType]),
    [
      ['factura ñ°1 — año “2026”.pdf', 'application/pdf'],
      ['plain.txt', 'text/plain'],
    ],
  );
  assert.ok(Buffer.from(email.attachments[0]?.content as ArrayBuffer).equals(file));
});

test('custom headers and Reply-To are there, copies are visible, hidden copies are nowhere', async (t) => {
  const remote = await bed.remote(t);
  const at = (name: string) => ({ email: `${name}@${remote.domain}` });
  await bed.send('', {
    to: [at('to')],
    cc: [{ ...at('copy'), name: 'Copia' }],
    bcc: [at('hidden-one'), at('hidden-two')],
    reply_to: { email: 'answers@elsewhere.test', name: 'Réponses' },
    headers: { 'X-Order': '42', 'X-Unicode': 'ñandú' },
  });
  const all = await received(t, remote, 4);
  for (const { message, email, header } of all) {
    assert.equal(message.rcpt_to.length, 1);
    assert.doesNotMatch(message.data.toString('latin1'), /hidden-|^bcc:/im);
    assert.deepEqual(email.cc, [{ address: `copy@${remote.domain}`, name: 'Copia' }]);
    assert.deepEqual(email.replyTo, [{ address: 'answers@elsewhere.test', name: 'Réponses' }]);
    assert.deepEqual([header('x-order'), decodeWords(header('x-unicode') ?? '')], ['42', 'ñandú']);
  }
  assert.equal(new Set(all.map(({ message }) => message.mail_from)).size, 4, 'a return path each');
});

test('a template says something else to each recipient', async (t) => {
  const remote = await bed.remote(t);
  const [template] = await bed.service.db.query<{ id: number }>(
    `insert into mail_templates (instance_id, name, subject, editor, source, html, is_published, published_at)
     values ($1, 'hello', 'Hola {{ recipient.name }}', 'html', $2, $2, true, now()) returning id`,
    [bed.tenant.instance.id, '<p>{{ recipient.name }} <a href="{{ unsubscribe_url }}">out</a></p>'],
  );
  const to = ['Ana', 'Benjamín'].map((name) => ({ email: `${name.slice(0, 1)}@${remote.domain}`, name }));
  await bed.send('', { to, subject: undefined, html: undefined, template_id: template?.id });
  const all = await received(t, remote, 2);
  assert.deepEqual(new Set(all.map(({ email }) => email.subject)), new Set(['Hola Ana', 'Hola Benjamín']));
  const links = all.map(({ email }) => /href="(http\S+\/u\/\S+)"/.exec(email.html ?? '')?.[1]);
  assert.equal(new Set(links).size, 2);
  for (const { email } of all) assert.ok(email.html?.includes(`<p>${email.subject?.slice(5)} `));
});

test('variables fill in a template, escaped in its HTML and as they are in its text', async (t) => {
  const remote = await bed.remote(t);
  const [template] = await bed.service.db.query<{ id: number }>(
    `insert into mail_templates (instance_id, name, subject, editor, source, html, text, is_published, published_at)
     values ($1, 'order', 'Order {{ order.number }}', 'html', $2, $2, $3, true, now()) returning id`,
    [
      bed.tenant.instance.id,
      '<p>{{ first }}</p>{% for item in order.items %}<b>{{ item.name }}: {{ item.price }}</b>{% endfor %}',
      '{{ first }} {{ order.items | size }}',
    ],
  );
  const items = [
    { name: 'Té <verde>', price: 1990 },
    { name: '{{ first }}', price: null },
  ];
  await bed.send('', {
    to: [{ email: `a@${remote.domain}`, variables: { first: 'Ana & co' } }, { email: `b@${remote.domain}` }],
    subject: undefined,
    html: undefined,
    template_id: template?.id,
    template_variables: { first: 'you', order: { number: 7, items } },
  });
  const all = await received(t, remote, 2);
  const [a, b] = ['a@', 'b@'].map((name) => all.find(({ message }) => message.rcpt_to[0]?.startsWith(name)));
  const list = '<b>Té &lt;verde&gt;: 1990</b><b>{{ first }}: </b>';
  assert.equal(a?.email.subject, 'Order 7');
  assert.ok(a?.email.html?.includes(`<p>Ana &amp; co</p>${list}`), a?.email.html);
  assert.equal(textOf(a?.email), 'Ana & co 2');
  assert.ok(b?.email.html?.includes(`<p>you</p>${list}`), b?.email.html);
});

test('broadcast mail has the one-click way out, signed; transactional mail has none', async (t) => {
  const remote = await bed.remote(t);
  await bed.send(`a@${remote.domain}`, { sender_email: `news@${senderDomain}` });
  await bed.send(`b@${remote.domain}`);
  const all = await received(t, remote, 2);
  const headersOf = (name: string) => all.find(({ message }) => message.rcpt_to[0]?.startsWith(name));
  assert.match(
    headersOf('a@')?.header('list-unsubscribe') ?? '',
    /^<http:\/\/\S+\/u\/[0-9a-f]{48}>, <mailto:unsubscribe-[0-9a-f]{48}@shop\.example\.test\?subject=unsubscribe>$/,
  );
  assert.equal(headersOf('a@')?.header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
  assert.match(
    headersOf('a@')?.header('dkim-signature') ?? '',
    /:list-unsubscribe:[\s\S]*list-unsubscribe-post/,
  );
  assert.equal(headersOf('b@')?.header('list-unsubscribe'), undefined);
  assert.equal(headersOf('b@')?.header('list-unsubscribe-post'), undefined);
});

const submit = async (raw: string | Buffer, to: string): Promise<void> => await submitTo(bed, raw, to);

test('a submitted message keeps its body and headers to the byte; only what is missing is added', async (t) => {
  const remote = await bed.remote(t);
  const body = 'Odd  spacing \t\r\n.\r\n..two\r\n\r\n\r\n--- not a boundary\r\ntrailing  \r\n\r\n\r\n';
  const kept = [
    `From: "The  Shop" <hi@${senderDomain}>`,
    `To: a@${remote.domain}`,
    'Subject: =?utf-8?Q?a=C3=B1o?=',
    'X-Folded: one',
    '\ttwo',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=us-ascii',
  ];
  await submit([...kept, '', body].join('\r\n'), `a@${remote.domain}`);
  const [one] = await received(t, remote);
  const wire = one?.message.data.toString('latin1') ?? '';
  const blank = wire.indexOf('\r\n\r\n');
  assert.equal(wire.slice(blank + 4), body);
  assert.ok(wire.slice(0, blank).endsWith(kept.join('\r\n')));
  assert.ok(one?.header('date') && one.header('message-id'));
});

test('a submitted message with Date and Message-ID keeps its own', async (t) => {
  const remote = await bed.remote(t);
  const own = ['Date: Tue, 03 Feb 2026 10:00:00 +0100', 'Message-ID: <own@elsewhere.test>'];
  const from = `From: hi@${senderDomain}`;
  await submit([from, ...own, 'Subject: x', '', 'body', ''].join('\r\n'), `a@${remote.domain}`);
  const [one] = await received(t, remote);
  assert.equal(one?.header('message-id'), '<own@elsewhere.test>');
  assert.equal(one?.header('date'), 'Tue, 03 Feb 2026 10:00:00 +0100');
});

test('a submitted message that is all header still ends its header', async (t) => {
  const remote = await bed.remote(t);
  await submit(`From: hi@${senderDomain}\r\nSubject: nothing more`, `a@${remote.domain}`);
  const [one] = await received(t, remote);
  assert.equal(one?.email.subject, 'nothing more');
  assert.match(one?.message.data.toString() ?? '', /Subject: nothing more\r\n\r\n$/);
});

test('a submitted broadcast has one way out: ours', async (t) => {
  const remote = await bed.remote(t);
  const lines = [
    `From: news@${senderDomain}`,
    'List-Unsubscribe: <mailto:x@y.test>',
    'Subject: x',
    '',
    'body',
    '',
  ];
  await submit(lines.join('\r\n'), `a@${remote.domain}`);
  const [one] = await received(t, remote);
  const fields = one?.email.headers.filter(({ key }) => key === 'list-unsubscribe') ?? [];
  assert.equal(fields.length, 1);
  assert.match(fields[0]?.value ?? '', /^<http:\/\//);
});

test('a key that cannot be read: deferred, an error in the log, and nothing goes out unsigned', async (t) => {
  // A service of its own: keys that worked are remembered for a while.
  const own = await startDeliveryBed();
  try {
    await own.service.db.query('update dkim_keys set private_key = $2 where domain_id = $1', [
      own.domainId,
      Buffer.alloc(64, 7),
    ]);
    const remote = await own.remote(t);
    await own.send(`a@${remote.domain}`);
    const [event] = await own.becomes(`a@${remote.domain}`, 5);
    assert.equal(event?.reason, 'internal_error');
    assert.deepEqual(remote.mx.sessions, []);
    const errors = own.service.logged.filter((line) => /"level":(?:50|"error")/.test(line));
    assert.equal(errors.length, 1, own.service.logged.join());
  } finally {
    await own.stop();
  }
});
