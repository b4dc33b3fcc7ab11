import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Tenant, TestService } from '../../test/support/test-service.ts';
import { startAccepting } from './account.fixture.ts';

let service: TestService;
let tenant: Tenant;
before(async () => {
  service = await startAccepting();
  tenant = await service.tenant();
  await service.db.query('update instances set requests_per_second = 0 where id = $1', [tenant.instance.id]);
});
after(async () => await service.stop());

const mail = (more: Record<string, unknown> = {}) => ({
  sender_email: `test@${tenant.instance.slug}.sandbox.test`,
  to: [{ email: 'delivered@sandbox.test', name: 'Ana' }],
  subject: 'Hello',
  html: '<p>It works: ñandú.</p>',
  ...more,
});
const send = async (more: Record<string, unknown> = {}) =>
  await tenant.api.post('/v1/mails/send', mail(more));

test('a mail is answered with its message_id and is on disk, queued, by then', async () => {
  const { status, json } = await send({ custom_msg_id: 'order-1', category: 'Órdenes de compra!' });
  assert.equal(status, 200);
  const [row] = await service.db.query(
    `select m.status, m.recipient, m.recipient_name, m.subject, m.custom_msg_id, c.slug, q.destination,
       convert_from(g.html, 'UTF8') as html, g.envelope, g.rcpt_count
     from mails m join messages g using (msg_id) join queue q using (mail_id) join categories c on c.id = m.category_id
     where m.msg_id = $1`,
    [json.message_id],
  );
  assert.deepEqual(row, {
    status: 2,
    recipient: 'delivered@sandbox.test',
    recipient_name: 'Ana',
    subject: 'Hello',
    custom_msg_id: 'order-1',
    slug: 'ordenes-de-compra',
    destination: 'sandbox.test',
    html: '<p>It works: ñandú.</p>',
    envelope: {
      from: { address: `test@${tenant.instance.slug}.sandbox.test`, name: 'Sandbox' },
      to: [{ address: 'delivered@sandbox.test', name: 'Ana' }],
      cc: [],
      subject: 'Hello',
      headers: [],
    },
    rcpt_count: 1,
  });
});

test('the same JSON with gzip is accepted', async () => {
  const response = await fetch(`${service.base_url}/v1/mails/send`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tenant.api_key}`,
      'x-instance-slug': tenant.instance.slug,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    body: gzipSync(JSON.stringify(mail())),
  });
  assert.equal(response.status, 200);
});

test('a form with files is accepted, its files byte for byte', async () => {
  const form = new FormData();
  form.set('sender_email', mail().sender_email);
  form.set('to', JSON.stringify(mail().to));
  form.set('subject', 'Form');
  form.set('html', '<p>x</p>');
  form.set('test_mode', 'true');
  const bytes = Buffer.from(Array.from({ length: 3000 }, (_, index) => index % 256));
  form.append('attachments', new Blob([bytes], { type: 'image/png' }), 'señal.png');
  const response = await fetch(`${service.base_url}/v1/mails/send`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.api_key}`, 'x-instance-slug': tenant.instance.slug },
    body: form,
  });
  const { message_id } = (await response.json()) as { message_id: string };
  assert.equal(response.status, 200);
  const [row] = await service.db.query<{ type: string; filename: string; content: Buffer }>(
    'select type, filename, content from message_attachments where msg_id = $1',
    [message_id],
  );
  assert.deepEqual([row?.type, row?.filename], ['image/png', 'señal.png']);
  assert.ok(row?.content.equals(bytes));
});
