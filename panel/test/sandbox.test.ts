import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';
import type { Role } from '../src/api/roles.ts';

const { begin } = await import('../src/api/session.ts');
const { Page } = await import('../src/pages/sandbox/page.tsx');
const { loadMessages } = await import('../src/messages/use-messages.ts');
const { renderPage } = await import('./render.ts');
await loadMessages('mail_status', 'message_view', 'sandbox', 'sandbox_send');

const mail_id = '019a4e5e-9f5a-7c3e-b0e5-3f1c2d4e5f60';
const unread = {
  mail_id,
  recipient: 'delivered@sandbox.test',
  msg_id: null,
  sender: 'test@acme.sandbox.test',
  subject: 'Order 1001',
  status: 3,
  size_bytes: 100,
  captured_at: '2026-01-15T15:00:00.000Z',
  is_read: false,
};
const detail = { ...unread, headers: [], html: null, text: 'Hello', attachments: [], raw: 'Subject: x' };
const listed = {
  data: [unread, { ...unread, mail_id: mail_id.replace('019a', '019b'), subject: 'Seen', is_read: true }],
  pagination: { page: 1, page_size: 20, total_items: 2, total_pages: 1 },
};
const shown = (role: Role, search = '') =>
  renderPage(h(Page), {
    role,
    search: `?live=off${search}`,
    answers: [
      ['panel_list_sandbox_messages', { query: { search: undefined, is_read: undefined, page: 1 } }, listed],
      ['panel_get_sandbox_message', { params: { mail_id } }, detail],
    ],
  });

test('messages that nobody opened say so', async () => {
  const page = await shown('viewer');
  assert.match(page.text(), /Unread: Order 1001/);
  assert.doesNotMatch(page.text(), /Unread: Seen/);
  assert.equal(document.querySelectorAll('[data-unread]').length, 1);
  assert.doesNotMatch(page.text(), /Mark all as read/);
  await page.end();
});

test('an opened message is marked by those who may, and by nobody else', async (t) => {
  const posted: unknown[] = [];
  t.mock.method(
    globalThis,
    'fetch',
    async (address: string, { method, body }: { method: string; body: string }) => {
      if (method === 'POST') {
        posted.push([address, JSON.parse(body)]);
        return await Promise.resolve(new Response(null, { status: 204 }));
      }
      return Response.json(address.includes(mail_id) ? { ...detail, is_read: true } : listed);
    },
  );
  begin({ access_token: 'token', expires_in: 900, user: {}, instances: [] } as never);
  const viewer = await shown('viewer', `&open=${mail_id}`);
  assert.match(viewer.text(), /Download \.eml/);
  await viewer.end();
  assert.deepEqual(posted, []);
  const page = await shown('developer', `&open=${mail_id}`);
  assert.deepEqual(posted, [['/v1/private/sandbox-messages/read', { mail_ids: [mail_id] }]]);
  await page.end();
});
