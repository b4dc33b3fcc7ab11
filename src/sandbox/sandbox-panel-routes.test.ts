import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { signIn, type PanelUser } from '../../test/support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../../test/support/test-service.ts';
import { waitFor } from '../../test/support/wait-for.ts';

let service: TestService;
let tenant: Tenant;
let viewer: PanelUser;
before(async () => {
  service = await startTestService({ roles: 'api,delivery' });
  tenant = await service.tenant();
  viewer = await signIn(service, tenant, 'viewer');
});
after(async () => await service.stop());

const inbox = '/v1/private/sandbox-messages';
const captured = async (to: string, more: Record<string, unknown> = {}): Promise<string> => {
  const { json } = await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: to, name: 'Ana' }],
    subject: `Hola ñandú, ${to}`,
    html: '<p>Hola <b>Ana</b></p>',
    ...more,
  });
  const row = await waitFor(
    async () => {
      const [found] = await service.db.query<{ mail_id: string }>(
        'select s.mail_id from sandbox_messages s join mails m using (mail_id) where m.msg_id = $1 and m.status <> 2',
        [json.message_id],
      );
      return found;
    },
    { what: 'the capture' },
  );
  return row.mail_id;
};

test('the inbox lists what was captured, newest first, with what became of it', async () => {
  const first = await captured('delivered@sandbox.test');
  const second = await captured('bounce@sandbox.test');
  const { status, json } = await viewer.get(inbox);
  assert.equal(status, 200);
  assert.deepEqual(
    json.data.map((row: Record<string, unknown>) => [row['mail_id'], row['subject'], row['status']]),
    [
      [second, 'Hola ñandú, bounce@sandbox.test', 6],
      [first, 'Hola ñandú, delivered@sandbox.test', 3],
    ],
  );
  assert.equal(json.data[0].sender, `test@${tenant.instance.slug}.sandbox.test`);
  assert.ok(json.data[0].size_bytes > 100);
  const found = await viewer.get(`${inbox}?recipient=BOUNCE&page_size=1`);
  assert.deepEqual([found.json.data.length, found.json.pagination.total_items], [1, 1]);
});

test('an image of the HTML goes out with it, from memory and from the queue', async () => {
  const image = { type: 'image/png', filename: 'logo.png', content: 'aGVsbG8=', content_id: 'logo' };
  // A retry reads the message back.
  for (const to of ['delivered@sandbox.test', 'defer-1@sandbox.test']) {
    const id = await captured(to, { html: '<img src="cid:logo">', attachments: [image] });
    if (to.startsWith('defer')) {
      await service.db.query('delete from sandbox_messages where mail_id = $1', [id]);
      await service.db.query('update queue set due_at = now(), ready_priority = 0 where mail_id = $1', [id]);
      const again = 'select from sandbox_messages where mail_id = $1';
      await waitFor(async () => (await service.db.query(again, [id])).length > 0, {
        what: 'the retry',
        timeout_ms: 20_000,
      });
    }
    const { json } = await viewer.get(`${inbox}/${id}`);
    assert.match(json.raw, /Content-Type: multipart\/related;\r\n type="multipart\/alternative";/, to);
    assert.match(json.attachments[0].content_id, /^<?logo>?$/, to);
  }
});

test('a captured message is shown as a mail program would, with its header and its source', async () => {
  const id = await captured('parts@sandbox.test', {
    headers: { 'X-Order': '1001' },
    attachments: [{ type: 'text/plain', filename: 'ñ.txt', content: 'SGVsbG8=' }],
  });
  const { status, json } = await viewer.get(`${inbox}/${id.toUpperCase()}`);
  assert.equal(status, 200);
  assert.deepEqual([json.mail_id, json.recipient, json.status], [id, 'parts@sandbox.test', 3]);
  assert.match(json.html, /<p>Hola <b>Ana<\/b><\/p>/);
  assert.match(json.text, /Hola Ana/);
  assert.deepEqual(
    json.attachments.map((file: Record<string, unknown>) => [
      file['filename'],
      file['type'],
      file['size_bytes'],
    ]),
    [['ñ.txt', 'text/plain', 5]],
  );
  const order = json.headers.find(({ name }: { name: string }) => name === 'X-Order');
  assert.equal(order.value, '1001');
  assert.match(json.raw, /^X-Order: 1001\r$/m);
});

test('a message is unread until a developer marks it, for everybody of the instance', async () => {
  const [first, second] = [await captured('read-1@sandbox.test'), await captured('read-2@sandbox.test')];
  const unread = async (): Promise<unknown[]> =>
    (await viewer.get(`${inbox}?is_read=false&search=read-`)).json.data.map(
      ({ mail_id }: { mail_id: string }) => mail_id,
    );
  assert.deepEqual(await unread(), [second, first]);
  assert.equal((await viewer.get(`${inbox}/${first}`)).json.is_read, false);
  assert.deepEqual(await unread(), [second, first], 'looking by the API marks nothing');
  const mark = `${inbox}/read`;
  assert.equal((await viewer.post(mark, { mail_ids: [first] })).status, 403);
  const developer = await signIn(service, tenant, 'developer');
  const stranger = await signIn(service, await service.tenant(), 'owner');
  assert.equal((await stranger.post(mark, { mail_ids: [first] })).status, 204);
  assert.deepEqual(await unread(), [second, first], 'another instance marks nothing');
  assert.equal((await developer.post(mark, { mail_ids: [first.toUpperCase()] })).status, 204);
  assert.deepEqual(await unread(), [second]);
  assert.equal((await viewer.get(`${inbox}/${first}`)).json.is_read, true);
  assert.equal((await developer.post(mark, { mail_ids: ['nothing'] })).status, 422);
  assert.equal((await developer.post(mark, {})).status, 204);
  assert.deepEqual(await unread(), []);
});

test('a captured message is downloaded octet by octet', async () => {
  const id = await captured('octets@sandbox.test');
  const raw = Buffer.from([...Buffer.from('Subject: x\r\n\r\n'), 0xff, 0xfe, 0x0d, 0x0a]);
  await service.db.query('update sandbox_messages set raw = $2 where mail_id = $1', [id, raw]);
  const response = await fetch(`${service.base_url}${inbox}/${id}/source`, {
    headers: { authorization: `Bearer ${viewer.access_token}`, 'x-instance-slug': tenant.instance.slug },
  });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'message/rfc822');
  assert.match(response.headers.get('content-disposition') ?? '', new RegExp(`attachment.*${id}\\.eml`));
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), raw);
  const stranger = await signIn(service, await service.tenant(), 'owner');
  assert.equal((await stranger.get(`${inbox}/${id}/source`)).json.code, 'mail_not_found');
});

test('a message that is hard to read is shown as far as it can be, and by its source', async () => {
  const id = await captured('odd@sandbox.test');
  const part = (depth: number) => `Content-Type: multipart/mixed; boundary=b${depth}\r\n\r\n--b${depth}\r\n`;
  const raw = Array.from({ length: 300 }, (_, depth) => part(depth)).join('');
  await service.db.query('update sandbox_messages set raw = $2 where mail_id = $1', [id, Buffer.from(raw)]);
  const { json } = await viewer.get(`${inbox}/${id}`);
  assert.deepEqual(
    [json.headers, json.html, json.text, json.raw],
    [[{ name: 'Content-Type', value: 'multipart/mixed; boundary=b0' }], null, null, raw],
  );
});

test('shows a message that consists of lines only', async () => {
  const id = await captured('lines@sandbox.test');
  const raw = Buffer.concat([Buffer.from('Subject: x\r\n\r\n'), Buffer.alloc(600_000, '\r\n')]);
  await service.db.query('update sandbox_messages set raw = $2 where mail_id = $1', [id, raw]);
  const { status, json } = await viewer.get(`${inbox}/${id}`);
  assert.deepEqual(
    [status, json.headers, json.text.length, json.raw.length],
    [200, [{ name: 'Subject', value: 'x' }], 600_000, raw.length],
  );
});

test('a mail outside the inbox of the instance is mail_not_found', async () => {
  const id = await captured('mine@sandbox.test');
  const stranger = await signIn(service, await service.tenant(), 'owner');
  assert.equal((await stranger.get(`${inbox}/${id}`)).json.code, 'mail_not_found');
  assert.deepEqual((await stranger.get(inbox)).json.data, []);
  assert.equal((await viewer.get(`${inbox}/nonsense`)).json.code, 'mail_not_found');
  const old = await viewer.get(`${inbox}/01900000-0000-7000-8000-000000000000`);
  assert.equal(old.json.code, 'mail_outside_retention');
  assert.equal((await tenant.api.get(inbox)).status, 401);
});

test('messages are found by recipient, sender or subject, and deleted one by one or all', async () => {
  const [kept, gone] = [
    await captured('search-kept@sandbox.test', { subject: 'Needle 100%' }),
    await captured('search-gone@sandbox.test', { subject: 'Other' }),
  ];
  const found = (await viewer.get(`${inbox}?search=${encodeURIComponent('needle 100%')}`)).json.data;
  assert.deepEqual(
    found.map(({ mail_id }: { mail_id: string }) => mail_id),
    [kept],
  );
  assert.equal((await viewer.delete(`${inbox}/${gone}`)).json.code, 'forbidden');
  const developer = await signIn(service, tenant, 'developer');
  assert.equal((await developer.delete(`${inbox}/${gone}`)).status, 204);
  assert.equal((await developer.delete(`${inbox}/${gone}`)).json.code, 'mail_not_found');
  assert.equal((await viewer.get(`/v1/private/mails/${gone}`)).status, 200);
  const stranger = await signIn(service, await service.tenant(), 'owner');
  assert.deepEqual((await stranger.post(`${inbox}/clear`)).json, { deleted: 0, has_more: false });
  const cleared = (await developer.post(`${inbox}/clear`)).json;
  assert.ok(cleared.deleted > 0);
  assert.deepEqual((await viewer.get(inbox)).json.data, []);
});
