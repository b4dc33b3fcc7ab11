import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { waitFor } from '../../../test/support/wait-for.ts';
import { startWebhookSink, type WebhookSink } from '../../../test/support/webhook-sink.ts';
import { domain, type InboundBed, startInboundBed } from '../inbound-bed.fixture.ts';

let bed: InboundBed;
let sink: WebhookSink;
before(async () => {
  sink = await startWebhookSink();
  bed = await startInboundBed({ CHASQUI_WEBHOOK_ALLOW_INSECURE: 'true' }, 'api,inbound,webhooks');
  const { json } = await bed.tenant.api.get('/v1/domains?is_verified=true');
  const { id: domain_id } = json.data.find((each: { domain: string }) => each.domain === domain);
  const route = { domain_id, name: 'All', match: 'catch_all', action: 'webhook' };
  assert.equal((await bed.tenant.api.post('/v1/inbound-routes', route)).status, 201);
});
after(async () => {
  await bed.stop();
  await sink.stop();
});

const mixed = [
  'From: =?utf-8?q?Ana_P=C3=A9rez?= <ana@example.net>',
  `To: Support <support@${domain}>`,
  'Cc: Luis <luis@example.net>',
  'Subject: =?utf-8?b?SG9sYSDDsWFuZMO6?=',
  'Message-ID: <m1@example.net>',
  'In-Reply-To: <m0@example.net>',
  'References: <a@example.net> <m0@example.net>',
  'Date: Mon, 13 Jul 2026 10:00:00 -0400',
  'List-Id: <orders.example.net>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: multipart/alternative; boundary=y',
  '',
  '--y',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Hola, =C3=B1and=C3=BA.',
  '--y',
  'Content-Type: text/html',
  '',
  '<p>Hola</p>',
  '--y--',
  '--x',
  'Content-Type: application/pdf; name=order.pdf',
  'Content-Disposition: attachment; filename="../order 1.pdf"',
  'Content-Transfer-Encoding: base64',
  '',
  Buffer.from('%PDF-1.7 the order').toString('base64'),
  '--x--',
  '',
].join('\r\n');

async function receive(to: string, raw: string | Buffer): Promise<string> {
  const reply = await bed.hand(to, raw, 'ana@example.net');
  const id = /^250 2\.0\.0 Received as (\S+)$/.exec(reply)?.[1];
  assert.ok(id, reply);
  return id;
}

const posted = async (path: string, id: string) =>
  await waitFor(() => sink.requests.find((each) => each.path === path && String(each.body).includes(id)), {
    what: `the event of ${id}`,
  });

test('a mail that came in is told once, signed, with its text, its facts and its files', async () => {
  const { json: webhook } = await bed.tenant.api.post('/v1/webhooks', {
    name: 'all',
    url: `${sink.url}/all`,
  });
  const id = await receive(`support+4711@${domain}`, mixed);
  const { body, headers } = await posted('/all', id);
  new Webhook(webhook.secret).verify(String(body), headers as Record<string, string>);
  const event = JSON.parse(String(body));
  assert.equal(event.type, 'mail.received');
  const { data } = event;
  assert.deepEqual(
    [data.id, data.mail_id, data.recipient, data.tag, data.mail_from, data.subject, data.text, data.html],
    [
      id,
      null,
      `support+4711@${domain}`,
      '4711',
      'ana@example.net',
      'Hola ñandú',
      'Hola, ñandú.',
      '<p>Hola</p>',
    ],
  );
  assert.deepEqual(data.from, [{ email: 'ana@example.net', name: 'Ana Pérez' }]);
  assert.deepEqual(data.references, ['a@example.net', 'm0@example.net']);
  assert.equal(data.sent_at, '2026-07-13T14:00:00.000Z');
  assert.equal(data.automation.list_id, '<orders.example.net>');
  assert.equal(data.authentication.spf.domain, 'example.net');
  const [file] = data.attachments;
  assert.equal(Buffer.from(file.content, 'base64').toString(), '%PDF-1.7 the order');
  assert.equal(file.size_bytes, 18);
  const shown = (await bed.tenant.api.get(`/v1/received-mails/${id}`)).json;
  const { mail_id: _none, attachments: _files, ...told } = data;
  assert.deepEqual({ ...shown, attachments: undefined }, { ...told, attachments: undefined });
});

test('its files are read by links without a session, and forged or expired links are not', async () => {
  const id = await receive(`links@${domain}`, mixed);
  await waitFor(async () => (await bed.tenant.api.get(`/v1/received-mails/${id}`)).json.state === 'parsed');
  const { raw_url, attachments } = (await bed.tenant.api.get(`/v1/received-mails/${id}`)).json;
  const raw = await fetch(raw_url);
  assert.equal(await raw.text(), mixed);
  const file = await fetch(attachments[0].url);
  assert.equal(await file.text(), '%PDF-1.7 the order');
  assert.equal(file.headers.get('content-type'), 'application/octet-stream');
  assert.equal(file.headers.get('content-disposition'), 'attachment; filename="order_1.pdf"');
  for (let at = 0; at < 51; at += 10) {
    const end = raw_url.length - 51 + at;
    const changed = raw_url.slice(0, end) + (raw_url[end] === 'A' ? 'B' : 'A') + raw_url.slice(end + 1);
    assert.equal((await fetch(changed)).status, 404, changed);
  }
  const api = bed.tenant.api;
  assert.equal((await api.get(`/v1/received-mails/${id}/raw`)).text, mixed);
  assert.equal((await api.get(`/v1/received-mails/${id}/attachments/1`)).text, '%PDF-1.7 the order');
  assert.equal((await api.get(`/v1/received-mails/${id}/attachments/2`)).status, 404);
  assert.equal((await bed.other.api.get(`/v1/received-mails/${id}`)).status, 404);
  assert.equal((await bed.other.api.get(`/v1/received-mails/${id}/raw`)).status, 404);
});

test('files that do not fit are told by their links, and webhooks of Postmark and Resend have their own form', async () => {
  for (const format of ['postmark', 'resend'])
    await bed.tenant.api.post('/v1/webhooks', { name: format, url: `${sink.url}/${format}`, format });
  const large = mixed.replace(Buffer.from('%PDF-1.7 the order').toString('base64'), () =>
    Buffer.alloc(1_100_000, 'abc').toString('base64').replaceAll(/.{76}/g, '$&\r\n'),
  );
  const id = await receive(`large@${domain}`, large);
  const event = JSON.parse(String((await posted('/all', id)).body));
  const [file] = event.data.attachments;
  assert.deepEqual([file.content, file.size_bytes], [null, 1_100_000]);
  const linked = Buffer.from(await (await fetch(file.url)).arrayBuffer());
  assert.ok(linked.equals(Buffer.alloc(1_100_000, 'abc')), `${linked.length} octets`);
  const postmark = JSON.parse(String((await posted('/postmark', id)).body));
  assert.deepEqual(
    [
      postmark.MessageID,
      postmark.FromFull.Email,
      postmark.Subject,
      postmark.TextBody,
      postmark.Attachments[0].Name,
    ],
    [id, 'ana@example.net', 'Hola ñandú', 'Hola, ñandú.', '../order 1.pdf'],
  );
  const resend = JSON.parse(String((await posted('/resend', id)).body));
  assert.deepEqual(
    [resend.type, resend.data.email_id, resend.data.subject],
    ['email.received', id, 'Hola ñandú'],
  );
});

test('a mail that is parsed again is told once only, and the same text is read again', async () => {
  const id = await receive(`again@${domain}`, mixed);
  await posted('/all', id);
  await bed.service.db.query(`update received_mails set text = 'lost', state = 'failed' where id = $1`, [id]);
  assert.equal((await bed.tenant.api.post(`/v1/received-mails/${id}/parse`)).status, 204);
  await waitFor(
    async () => (await bed.tenant.api.get(`/v1/received-mails/${id}`)).json.text === 'Hola, ñandú.',
  );
  const rows = await bed.service.db.query('select 1 from webhook_deliveries where event_id = $1', [id]);
  assert.equal(rows.length, 3);
});

test('a mail that is deleted is gone with its source, its files and its links', async () => {
  const id = await receive(`delete@${domain}`, mixed);
  const { raw_url } = (await bed.tenant.api.get(`/v1/received-mails/${id}`)).json;
  assert.equal((await bed.other.api.delete(`/v1/received-mails/${id}`)).status, 404);
  assert.equal((await bed.tenant.api.delete(`/v1/received-mails/${id}`)).status, 204);
  assert.equal((await fetch(raw_url)).status, 404);
  const left = await bed.service.db.query(
    `select (select count(*) from received_mails where id = $1) as mails,
       (select count(*) from received_sources s where not exists (select from received_mails m where m.source_id = s.id)) as sources`,
    [id],
  );
  assert.deepEqual(left, [{ mails: 0, sources: 0 }]);
});
