import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';
import type { Role } from '../src/api/roles.ts';

const { Page: Senders } = await import('../src/pages/senders/page.tsx');
const { Page: ApiKeys } = await import('../src/pages/api-keys/page.tsx');
const { loadMessages } = await import('../src/messages/use-messages.ts');
const { renderPage } = await import('./render.ts');
await loadMessages('senders', 'mail_marks', 'api_keys');

const sender = {
  id: 7,
  email_address: 'news@example.com',
  name: 'News',
  stream: 'broadcast',
  requires_consent: false,
  consent_purpose_id: null,
  track_opens: true,
  track_clicks: false,
  created_at: '2026-01-15T15:00:00.000Z',
};
const pageOf = (data: unknown[]) => ({
  data,
  pagination: { page: 1, page_size: 25, total_items: data.length, total_pages: 1 },
});

const senders = (role: Role, rows: unknown[], search = '') => {
  const query = { email: undefined, name: undefined, page: 1 };
  return renderPage(h(Senders), {
    role,
    search,
    answers: [
      ['panel_list_senders', { query }, pageOf(rows)],
      ['panel_get_sender', { params: { id: 7 } }, sender],
      ['panel_list_consent_purposes', {}, pageOf([])],
    ],
  });
};

test('a list adds where the person may, and a row opens its dialog', async () => {
  const page = await senders('developer', [sender]);
  await page.click('button', 'Add sender');
  assert.match(page.text(), /Save/);
  await page.click('button', 'Cancel');
  await page.click('link', 'news@example.com');
  assert.equal((page.get('textbox', 'Name', { within: 'last dialog' }) as HTMLInputElement).value, 'News');
  await page.end();
});

test('a viewer has no button, and no link or address that opens a dialog', async () => {
  const page = await senders('viewer', [sender], '?open=7');
  assert.match(page.text(), /news@example\.com/);
  assert.doesNotMatch(page.text(), /Add sender/);
  assert.equal(document.querySelector('a'), null);
  assert.equal(document.querySelector('[role=dialog]'), null);
  await page.end();
});

test('the address opens a row that is not on the page', async () => {
  const page = await senders('developer', [], '?open=7');
  assert.equal((page.get('textbox', 'Name', { within: 'last dialog' }) as HTMLInputElement).value, 'News');
  await page.end();
});

test('an empty list teaches, and offers the button once more', async () => {
  const page = await renderPage(h(ApiKeys), {
    answers: [['panel_list_api_keys', { query: { page: 1 } }, pageOf([])]],
  });
  assert.match(page.text(), /No API keys yet/);
  const buttons = [...document.querySelectorAll('button')].filter(
    (each) => each.textContent === 'Create API key',
  );
  assert.equal(buttons.length, 2);
  await page.end();
});

test('a phone shows the first filter, and the others when asked', async (t) => {
  const { happyDOM } = window as unknown as { happyDOM: { setViewport: (size: { width: number }) => void } };
  t.after(() => happyDOM.setViewport({ width: 1024 }));
  const searchBoxes = (): number => document.querySelectorAll('search input').length;
  const wide = await senders('developer', [sender]);
  const all = searchBoxes();
  await wide.end();
  happyDOM.setViewport({ width: 390 });
  const narrow = await senders('developer', [sender]);
  assert.ok(searchBoxes() < all, `${searchBoxes()} of ${all}`);
  await narrow.click('button', 'More filters');
  assert.equal(searchBoxes(), all);
  await narrow.end();
});
