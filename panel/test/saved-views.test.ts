import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';
import type { UrlState } from '../src/parts/app/url-state.ts';

const { SavedViews } = await import('../src/parts/saved-views.tsx');
const { isOfView, keptOf } = await import('../src/parts/kept-filters.ts');
const { renderPage } = await import('./render.ts');

test('a view keeps filters, and none that names a person or one mail', () => {
  const state = {
    status: '6',
    range: '7d',
    recipient: 'ana',
    tag: 'to:ana@example.com',
    page: '3',
    open: '4',
  };
  assert.deepEqual(keptOf(state), { status: '6', range: '7d' });
  assert.ok(isOfView({ status: '6', page: '2' }, { status: '6' }));
  assert.ok(!isOfView({ status: '6', range: '7d' }, { status: '6' }));
});

test('a view replaces the filters of the list, and the one that is shown can be deleted', async () => {
  const changes: UrlState[] = [];
  const view = { id: 3, list: 'mails', name: 'Bounced', search: { status: '6' }, created_at: '' };
  const shown = (state: UrlState) =>
    renderPage(h(SavedViews, { list: 'mails', state, change: (each: UrlState) => void changes.push(each) }), {
      answers: [['panel_list_saved_views', { query: { list: 'mails' } }, { data: [view] }]],
    });
  const page = await shown({ range: '7d', recipient: 'ana' });
  await page.click('button', 'Saved views');
  assert.doesNotMatch(page.text(), /Delete/);
  await page.click('button', 'Bounced');
  assert.deepEqual(changes, [{ range: undefined, recipient: undefined, status: '6' }]);
  await page.end();
  const open = await shown({ status: '6' });
  await open.click('button', 'Saved views');
  assert.match(open.text(), /Delete “Bounced”/);
  await open.end();
});

test('without filters there is nothing to save', async () => {
  const page = await renderPage(
    h(SavedViews, { list: 'mails', state: { page: '2' }, change: () => undefined }),
    {
      answers: [['panel_list_saved_views', { query: { list: 'mails' } }, { data: [] }]],
    },
  );
  await page.click('button', 'Saved views');
  assert.match(page.text(), /Set filters, then save them here/);
  assert.ok((page.get('button', 'Save view') as HTMLButtonElement).disabled);
  await page.end();
});
