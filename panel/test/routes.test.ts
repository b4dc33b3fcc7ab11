import './setup.ts';
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { act, createElement as h } from 'react';
import type { Answer } from './render.ts';
import type { Role } from '../src/api/roles.ts';

const { begin } = await import('../src/api/session.ts');
const { Page } = await import('../src/pages/routes/page.tsx');
const { moved, placeAt } = await import('../src/parts/ordered-list.tsx');
const { loadMessages } = await import('../src/messages/use-messages.ts');
const { renderPage } = await import('./render.ts');
await loadMessages('routes', 'mail_status');

const route = (id: number, position: number, more: object) => ({
  id,
  external_id: null,
  domain_id: 12,
  domain: 'mail.example.com',
  position,
  forward_to: [],
  is_active: true,
  created_at: '2026-01-15T15:00:00.000Z',
  updated_at: '2026-01-15T15:00:00.000Z',
  ...more,
});
const routes = [
  route(3, 1, { name: 'Support', match: 'tag', local_part: 'support', action: 'webhook' }),
  route(4, 2, {
    name: 'Sales',
    match: 'exact',
    local_part: 'sales',
    action: 'forward',
    forward_to: ['ana@example.org'],
  }),
  route(5, 3, { name: 'Rest', match: 'catch_all', local_part: '', action: 'reject', is_active: false }),
];
const pageOf = (data: unknown[]) => ({
  data,
  pagination: { page: 1, page_size: 100, total_items: data.length, total_pages: 1 },
});
interface Shown {
  search?: string;
  listed?: unknown[];
  more?: Answer[];
}

const shown = (role: Role, { search = '', listed = routes, more = [] }: Shown = {}) =>
  renderPage(h(Page), {
    role,
    search,
    answers: [
      ['panel_list_inbound_routes', { query: { page_size: 100 } }, pageOf(listed)],
      ['panel_list_domains', { query: { page_size: 100 } }, pageOf([{ id: 12, domain: 'mail.example.com' }])],
      ['panel_list_forward_addresses', { query: { page_size: 100 } }, pageOf([])],
      ...more,
    ],
  });

/** What the page asks the service for, beside its reads. */
function watch(t: TestContext): unknown[] {
  const posted: unknown[] = [];
  t.mock.method(
    globalThis,
    'fetch',
    async (address: string, { method, body }: { method: string; body: string }) => {
      if (method === 'GET') return Response.json(pageOf(routes));
      posted.push([method, address, JSON.parse(body)]);
      return await Promise.resolve(new Response(null, { status: 204 }));
    },
  );
  begin({ access_token: 'token', expires_in: 900, user: {}, instances: [] } as never);
  return posted;
}

async function press(element: HTMLElement, key: string): Promise<void> {
  await act(async () => {
    element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    await Promise.resolve();
  });
}

test('routes stand in their order, with the addresses that they take', async () => {
  const page = await shown('viewer');
  const lines = [...document.querySelectorAll('ol > li')].map((each) => each.textContent ?? '');
  assert.equal(lines.length, 3);
  assert.match(lines[0] ?? '', /Supportsupport\+…@mail\.example\.comTell webhooks/);
  assert.match(lines[1] ?? '', /sales@mail\.example\.com → ana@example\.org/);
  assert.match(lines[2] ?? '', /Off/);
  assert.doesNotMatch(page.text(), /Add route|Edit route/);
  assert.equal(document.querySelector('[aria-label^=Move]'), null);
  await page.end();
});

test('arrow keys on the handle change the order, within the list', async (t) => {
  const posted = watch(t);
  const page = await shown('developer');
  const handle = page.get('button', 'Move Support');
  await press(handle, 'ArrowUp');
  await press(handle, 'Enter');
  assert.deepEqual(posted, []);
  await press(handle, 'ArrowDown');
  assert.deepEqual(posted, [['POST', '/v1/private/inbound-routes/order', { domain_id: 12, ids: [4, 3, 5] }]]);
  assert.match(page.text(), /Support: place 2 of 3/);
  await page.end();
});

test('a dragged row goes where the pointer is, and nowhere beyond the list', () => {
  const rows = [0, 40, 80].map((top) => ({ top, height: 40 }));
  assert.deepEqual(
    [-50, 10, 30, 65, 90, 500].map((y) => placeAt(y, rows)),
    [0, 0, 1, 2, 2, 2],
  );
  assert.deepEqual(moved([1, 2, 3], 3, 0), [3, 1, 2]);
  assert.deepEqual(moved([1, 2, 3], 1, 9), [2, 3, 1]);
  assert.deepEqual(moved([1, 2, 3], 2, 1), [1, 2, 3]);
});

test('an address is tried, and its route named', async () => {
  const [support] = routes;
  const address = 'support+1@mail.example.com';
  const tried = { address, outcome: 'route', route: support, tag: '1', reply: '250 2.1.5' };
  const page = await shown('viewer', {
    more: [['panel_try_inbound_address', { query: { address } }, tried]],
  });
  await page.type('Address', address);
  await page.click('button', 'Try');
  assert.match(page.text(), /250 2\.1\.5 Taken by “Support”\. Stored, shown in the inbox/);
  await page.end();
});

test('a page without routes says what one is for and offers the first', async () => {
  const page = await shown('developer', { listed: [] });
  assert.match(page.text(), /No routes yet.*A route takes mail for addresses of a verified domain/s);
  await page.end();
});

test('a route that forwards nothing sends no addresses and no local part where it takes everything', async (t) => {
  const posted = watch(t);
  const page = await shown('developer', { search: '?open=5' });
  assert.match(page.text(), /The sending server gets 550/);
  await page.click('checkbox', 'Active');
  await page.click('button', 'Save');
  assert.deepEqual(posted, [
    [
      'PATCH',
      '/v1/private/inbound-routes/5',
      { name: 'Rest', match: 'catch_all', local_part: '', action: 'reject', forward_to: [], is_active: true },
    ],
  ]);
  await page.end();
});
