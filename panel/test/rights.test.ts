import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';

const { begin } = await import('../src/api/session.ts');
const { RequestDialog } = await import('../src/pages/rights/request-dialog.tsx');
const { loadMessages } = await import('../src/messages/use-messages.ts');
const { renderPage } = await import('./render.ts');
await loadMessages('rights');

test('a request is recorded with the time at which the person asked, in the zone of the instance', async (t) => {
  const posted: Record<string, unknown>[] = [];
  t.mock.method(globalThis, 'fetch', async (_address: string, { body }: { body: string }) => {
    posted.push(JSON.parse(body) as Record<string, unknown>);
    return await Promise.resolve(Response.json({ id: posted.length }));
  });
  begin({ access_token: 'token', expires_in: 900, user: {}, instances: [] } as never);
  const created: number[] = [];
  const shown = () =>
    renderPage(
      h(RequestDialog, {
        opened: true,
        onClose: () => undefined,
        onCreated: (id: number) => void created.push(id),
      }),
    );
  const page = await shown();
  await page.type('Email addresses', 'ana@example.com');
  await page.type('When the person asked', '2026-01-15T12:00');
  await page.click('button', 'Record');
  await page.end();
  const again = await shown();
  await again.type('Email addresses', 'ana@example.com');
  await again.click('button', 'Record');
  await again.end();
  assert.deepEqual(
    posted.map(({ received_at }) => received_at),
    ['2026-01-15T15:00:00.000Z', null],
  );
  assert.deepEqual(created, [1, 2]);
});
