import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';

const { Restrictions } = await import('../src/pages/suppressions/restrictions.tsx');
const { directionOf, nextSort } = await import('../src/parts/sort-header.tsx');
const { loadMessages } = await import('../src/messages/use-messages.ts');
const { renderPage } = await import('./render.ts');
await loadMessages('suppressions', 'mail_filters');

test('a header asks for its order, the other direction, and the list’s own again', () => {
  const byTime = { ascending: 'oldest', descending: '' };
  assert.deepEqual([nextSort(byTime, undefined), nextSort(byTime, 'oldest')], ['oldest', undefined]);
  const byName = { ascending: 'recipient' };
  assert.deepEqual([nextSort(byName, 'oldest'), nextSort(byName, 'recipient')], ['recipient', undefined]);
  assert.deepEqual([directionOf(byTime), directionOf(byTime, 'recipient')], ['descending', undefined]);
});

test('headers say which of them sorts the list, and in which direction', async () => {
  const row = {
    id: 1,
    recipient: 'ana@example.com',
    reason: 'manual',
    detail: null,
    mail_id: null,
    created_at: '2026-01-15T15:00:00.000Z',
  };
  const pagination = { page: 1, page_size: 25, total_items: 1, total_pages: 1 };
  const shown = (sort: string | undefined) =>
    renderPage(h(Restrictions), {
      search: sort === undefined ? '' : `?sort=${sort}`,
      answers: [
        [
          'panel_list_restrictions',
          { query: { recipient: undefined, reason: undefined, sort, page: 1 } },
          { data: [row], pagination },
        ],
      ],
    });
  const sorted = (): (string | null)[] =>
    [...document.querySelectorAll('th[aria-sort]')].map(
      (th) => `${th.textContent} ${th.getAttribute('aria-sort')}`,
    );
  const page = await shown(undefined);
  assert.deepEqual(sorted(), ['Since descending']);
  await page.end();
  const byAddress = await shown('recipient');
  assert.deepEqual(sorted(), ['Address ascending']);
  await byAddress.end();
});
