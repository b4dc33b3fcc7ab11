import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { parse } from 'parse5';
import { startTestService, type Tenant, type TestService } from '../../../test/support/test-service.ts';
import { renderer } from '../../../test/support/template-renderer.ts';
import { createTemplate, publishTemplate } from '../../templates/templates.ts';
import { pageUrl, tokens } from './mail-pages.fixture.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startTestService({ roles: 'api,web' });
  tenant = await service.tenant();
});
after(async () => await service.stop());

async function send(more: Record<string, unknown>): Promise<string> {
  const { status, json, text } = await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: 'ana.perez@sandbox.test', name: 'Ana "A" <b>' }],
    ...more,
  });
  assert.equal(status, 200, text);
  const [mail] = await service.db.query<{ mail_id: string }>(
    'select mail_id from mails where msg_id = $1 order by mail_id',
    [json.message_id],
  );
  return mail?.mail_id ?? '';
}

interface Node {
  nodeName: string;
  attrs?: { name: string; value: string }[];
  childNodes?: Node[];
}

/** The document inside the frame, as a browser reads it, and the attributes of the frame. */
function frameOf(html: string): Record<string, string> {
  const find = (node: Node): Node | undefined =>
    node.nodeName === 'iframe'
      ? node
      : node.childNodes?.map((child) => find(child)).find((each) => each !== undefined);
  const frame = find(parse(html));
  return Object.fromEntries(frame?.attrs?.map(({ name, value }) => [name, value]) ?? []);
}

async function view(
  mail_id: string,
): Promise<{ status: number; headers: Headers; html: string; document: string }> {
  const response = await fetch(pageUrl(service, 'view', mail_id));
  const html = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    html,
    document: frameOf(html)['srcdoc'] ?? '',
  };
}

test('the message is shown as it was written, where it can run nothing and send nothing', async () => {
  const written = `<!doctype html><body class='x' title="&quot;&amp;">Hola "Ana" & <script>alert(1)</script></iframe><img src="https://example.com/a.png?x=1&amp;y=2"></body>`;
  const mail_id = await send({ subject: 'Oferta <b>&</b> más', html: written });
  const { status, headers, html, document } = await view(mail_id);
  assert.equal(status, 200);
  assert.ok(document.endsWith(`</style>${written}`), document);
  const frame = frameOf(html);
  assert.deepEqual(frame['sandbox']?.split(' '), ['allow-popups', 'allow-popups-to-escape-sandbox']);
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /form-action 'none'/);
  assert.doesNotMatch(policy, /script-src|connect-src|frame-src|unsafe-eval/);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
  assert.ok(html.includes('Oferta &lt;b&gt;&amp;&lt;/b&gt; más'));
  assert.ok(html.includes('a•••@sandbox.test'));
  assert.doesNotMatch(html, /ana\.perez/);
});

test('a template says to its recipient what it said in the mail', async () => {
  const { db } = service;
  const actor = { kind: 'operator' } as const;
  const template = {
    name: 'Hi',
    subject: 'Hola {{ recipient.name }}',
    source:
      '<p>{{ recipient.name }} {{ recipient.email }} {{ code }}</p><a href="{{ view_url }}">v</a><a href="{{ unsubscribe_url }}">u</a>',
  };
  const { id } = await createTemplate(db, tenant.instance.id, { template, actor, renderer });
  await publishTemplate(db, tenant.instance.id, { id, actor });
  const mail_id = await send({
    template_id: id,
    template_variables: { code: 'shared' },
    cc: [{ email: 'other@sandbox.test', variables: { code: 'theirs' } }],
  });
  const { html, document } = await view(mail_id);
  assert.ok(document.includes('<p>Ana &quot;A&quot; &lt;b&gt; ana.perez@sandbox.test shared</p>'), document);
  assert.ok(document.includes(`<a href="${pageUrl(service, 'view', mail_id)}">v</a>`));
  assert.ok(document.includes(`<a href="${pageUrl(service, 'unsubscribe', mail_id)}">u</a>`));
  assert.ok(html.includes('<h1>Hola Ana &quot;A&quot; &lt;b&gt;</h1>'), html);
});

test('direct content keeps its placeholders but one, and has no tracking', async () => {
  const mail_id = await send({
    subject: 'x',
    html: '<body><a href="{{unsubscribe_url}}">u</a>{{ recipient.email }} <a href="https://example.com/">e</a></body>',
  });
  const { document } = await view(mail_id);
  const expected = `<body><a href="${pageUrl(service, 'unsubscribe', mail_id)}">u</a>{{ recipient.email }} <a href="https://example.com/">e</a></body>`;
  assert.ok(document.endsWith(`</style>${expected}`), document);
  assert.ok(document.startsWith('<base target="_blank"><style>'));
});

async function submitted(raw: string): Promise<string> {
  const mail_id = await send({ subject: 'raw', html: 'x' });
  await service.db.query(
    `update messages set content_kind = 'raw', html = null, text = null, raw = $2
     where msg_id = (select msg_id from mails where mail_id = $1)`,
    [mail_id, Buffer.from(raw.replaceAll('\n', '\r\n'))],
  );
  return (await view(mail_id)).document;
}

test('a submitted message is shown with the images it carries', async () => {
  const document = await submitted(`Content-Type: multipart/related; boundary=b

--b
Content-Type: text/html; charset=utf-8

<p>Logo <img src="cid:logo@x"><img src='cid:none'></p>
--b
Content-Type: image/png
Content-ID: <logo@x>
Content-Transfer-Encoding: base64

aGVsbG8=
--b--
`);
  assert.match(document, /<img src="data:image\/png;base64,aGVsbG8="><img src='cid:none'>/);
});

test('a sent message is shown with the images it carries', async () => {
  const mail_id = await send({
    subject: 'x',
    html: '<p><img src="cid:logo"><img src="cid:none"></p>',
    attachments: [{ type: 'image/png', filename: 'logo.png', content: 'aGVsbG8=', content_id: 'logo' }],
  });
  const { document } = await view(mail_id);
  assert.match(document, /<img src="data:image\/png;base64,aGVsbG8="><img src="cid:none">/);
});

test('a message of plain text is shown as text', async () => {
  assert.match(await submitted('Content-Type: text/plain\n\n1 < 2 <script>\n'), /1 &lt; 2 &lt;script&gt;/);
});

test('viewing does not count as an open, and content past retention is reported', async () => {
  const { db } = service;
  const mail_id = await send({ subject: 'gone', html: '<p>x</p>' });
  await view(mail_id);
  assert.deepEqual(await db.query('select from events where mail_id = $1', [mail_id]), []);
  await db.query('delete from messages where msg_id = (select msg_id from mails where mail_id = $1)', [
    mail_id,
  ]);
  for (const gone of ['content', 'mail']) {
    const { status, html } = await view(mail_id);
    assert.equal(status, 410, gone);
    assert.match(html, /This message is no longer here/);
    await db.query('delete from mails where mail_id = $1', [mail_id]);
  }
});

test('a wrong token shows nothing', async () => {
  const mail_id = await send({ subject: 'x', html: '<p>x</p>' });
  const { status } = await fetch(`${service.base_url}/view/${tokens.make('unsubscribe', mail_id)}`);
  assert.equal(status, 404);
});
