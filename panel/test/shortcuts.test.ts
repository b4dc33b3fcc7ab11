import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';

const { ShortcutSheet } = await import('../src/shell/shortcut-sheet.tsx');
const { CommandPalette } = await import('../src/shell/command-palette.tsx');
const { recentsOf, rememberPage, shownRecents } = await import('../src/parts/app/recents.ts');
const { begin, end } = await import('../src/api/session.ts');
const { Page: ApiKeys } = await import('../src/pages/api-keys/page.tsx');
const { loadMessages } = await import('../src/messages/use-messages.ts');
const { renderPage } = await import('./render.ts');
await loadMessages('api_keys');

test('the sheet of keys shows the pages that the person may see, and no other', async () => {
  const page = await renderPage(
    h(ShortcutSheet, { opened: true, onClose: () => undefined, pages: ['mails', 'domains'] }),
  );
  assert.match(page.text(), /g mMails/);
  assert.doesNotMatch(page.text(), /Webhooks/);
  await page.end();
});

test('the palette has a name', async () => {
  const page = await renderPage(h(CommandPalette, { asked_at: 1 }));
  const dialog = document.querySelector('[role=dialog]');
  assert.equal(dialog?.getAttribute('aria-label'), 'Find');
  await page.end();
});

const named = (): string[] =>
  [...document.querySelectorAll('[role=dialog] button')].map((each) => each.textContent ?? '');

test('the palette begins what the person may, and names what was open last', async () => {
  begin({ access_token: 'token', expires_in: 900, user: {}, instances: [] } as never);
  rememberPage('shop.example', '/panel/i/acme/domains/4');
  rememberPage('theirs.example', '/panel/i/other/domains/9');
  const page = await renderPage(h(CommandPalette, { asked_at: 2 }), { role: 'developer' });
  assert.ok(named().includes('shop.example'));
  assert.ok(!named().includes('theirs.example'));
  assert.ok(named().includes('Add domain'));
  assert.ok(!named().includes('Invite a person'), 'for admins');
  await page.end();
  const viewer = await renderPage(h(CommandPalette, { asked_at: 3 }), { role: 'viewer' });
  assert.deepEqual(
    named().filter((each) => /^(Add|Create|New|Record|Invite)/.test(each)),
    [],
  );
  await viewer.end();
});

test('what was open last stands once, without the open page, and is forgotten at the end of the session', () => {
  begin({ access_token: 'token', expires_in: 900, user: {}, instances: [] } as never);
  rememberPage('First', '/panel/i/acme/domains/1');
  rememberPage('Second', '/panel/i/acme/domains/2');
  rememberPage('First, renamed', '/panel/i/acme/domains/1');
  rememberPage('Account', '/panel/account');
  const titles = shownRecents('acme', '/i/acme/domains/2').map(({ title }) => title);
  assert.deepEqual(titles.slice(0, 2), ['First, renamed', 'shop.example']);
  end();
  assert.deepEqual(recentsOf('acme'), []);
});

test('an address that asks for it opens the dialog of a page, for those who may', async () => {
  const pagination = { page: 1, page_size: 25, total_items: 0, total_pages: 0 };
  const shown = (role: 'admin' | 'viewer') =>
    renderPage(h(ApiKeys), {
      role,
      search: '?add=1',
      answers: [['panel_list_api_keys', { query: { page: 1 } }, { data: [], pagination }]],
    });
  const page = await shown('admin');
  assert.ok(page.get('textbox', 'Name', { within: 'last dialog' }));
  await page.end();
  const viewer = await shown('viewer');
  assert.equal(document.querySelector('[role=dialog]'), null);
  await viewer.end();
});
