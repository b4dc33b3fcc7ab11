import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';

let service: TestService;
let tenant: Tenant;
let developer: PanelUser;
before(async () => {
  service = await startTestService();
  tenant = await service.tenant();
  developer = await signIn(service, tenant, 'developer');
});
after(async () => await service.stop());

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

async function send(more: Record<string, unknown> = {}): Promise<string> {
  const { json } = await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: 'ana@sandbox.test', name: 'Ana' }],
    subject: 'Contenido ñandú',
    html: '<p>Hola <a href="https://example.com/a?b=1&amp;c=2">aquí</a> <img src="cid:dot"></p>',
    ...more,
  });
  const [row] = await service.db.query<{ mail_id: string }>(
    'select mail_id from mails where msg_id = $1 order by mail_id limit 1',
    [json.message_id],
  );
  return row?.mail_id ?? '';
}

test('a developer reads the message as its recipient gets it, without tracking', async () => {
  const mail_id = await send({
    to: [{ email: 'ana@sandbox.test' }, { email: 'eva@sandbox.test' }],
    attachments: [
      { filename: 'dot.png', type: 'image/png', content: pixel, content_id: 'dot', disposition: 'inline' },
      { filename: 'Notas año.txt', type: 'text/plain', content: Buffer.from('notas').toString('base64') },
    ],
  });
  await service.db.query(
    `insert into events (event_id, mail_id, msg_id, instance_id, at, event, data)
     select (left(uuid_at(now())::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid, mail_id, msg_id, instance_id, now(),
       'clicked', jsonb_build_object('url', 'https://example.com/a?b=1&c=2', 'is_machine', machine)
     from mails, unnest(array[false, true]) as machine where mail_id = $1`,
    [mail_id],
  );
  const { status, json } = await developer.get(`/v1/private/mails/${mail_id}/content`);
  assert.equal(status, 200);
  assert.match(json.html, /<img src="data:image\/png;base64,iVBOR/);
  assert.match(json.html, /href="https:\/\/example\.com\/a\?b=1&amp;c=2"/);
  assert.doesNotMatch(json.html, /\/o\/|\/c\//);
  assert.match(json.text, /Hola/);
  assert.ok(json.headers.some(({ name }: { name: string }) => name === 'Subject'));
  assert.deepEqual(
    json.attachments.map(({ position, type, size_bytes }: Record<string, unknown>) => [
      position,
      type,
      size_bytes,
    ]),
    [
      [1, 'image/png', Buffer.from(pixel, 'base64').length],
      [2, 'text/plain', 5],
    ],
  );
  assert.deepEqual(json.links, [{ url: 'https://example.com/a?b=1&c=2', clicks: 1, machine_clicks: 1 }]);
  assert.deepEqual(
    json.siblings.map(({ to, kind }: Record<string, unknown>) => [to, kind]),
    [['eva@sandbox.test', 'to']],
  );
});

test('source and attachments are files to be saved', async () => {
  const content = Buffer.from('<script>alert(1)</script>').toString('base64');
  const mail_id = await send({ attachments: [{ filename: 'a"\\.html', type: 'text/html', content }] });
  const source = await developer.get(`/v1/private/mails/${mail_id}/source`);
  assert.equal(source.headers.get('content-type'), 'message/rfc822');
  assert.match(source.text, /^Received: by mx\./);
  assert.match(source.text, /\r\n\r\n/);
  const attachment = await developer.get(`/v1/private/mails/${mail_id}/attachments/1`);
  assert.equal(attachment.text, '<script>alert(1)</script>');
  assert.equal(attachment.headers.get('content-type'), 'application/octet-stream');
  assert.match(attachment.headers.get('content-disposition') ?? '', /^attachment; filename="[\w.]+"$/);
  const missing = await developer.get(`/v1/private/mails/${mail_id}/attachments/2`);
  assert.equal(missing.json.code, 'attachment_not_found');
});

test('links of a preview do not unsubscribe the recipient', async () => {
  const mail_id = await send({ html: '<a href="{{ unsubscribe_url }}">baja</a>' });
  const { json } = await developer.get(`/v1/private/mails/${mail_id}/content`);
  const [, path = ''] = /href="https?:\/\/[^/"]+(\/u\/[^"]+)"/.exec(json.html) ?? [];
  assert.match(path, /^\/u\/./);
  assert.equal(json.own_links_work, false);
  const page = await fetch(`${service.base_url}${path}`, { method: 'POST', redirect: 'manual' });
  assert.ok(page.status >= 400, String(page.status));
});

test('viewers see no content, and no user sees content of other instances or past retention', async () => {
  const mail_id = await send();
  const viewer = await signIn(service, tenant, 'viewer');
  assert.equal((await viewer.get(`/v1/private/mails/${mail_id}/content`)).json.code, 'forbidden');
  const stranger = await signIn(service, await service.tenant(), 'owner');
  for (const part of ['content', 'source', 'attachments/1']) {
    assert.equal((await stranger.get(`/v1/private/mails/${mail_id}/${part}`)).json.code, 'mail_not_found');
  }
  const old = `0160${mail_id.slice(4)}`;
  assert.equal((await developer.get(`/v1/private/mails/${old}/content`)).json.code, 'mail_outside_retention');
});
