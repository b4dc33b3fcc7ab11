import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';
import type { Role } from '../src/api/roles.ts';

const { Page: Queue } = await import('../src/pages/queue/page.tsx');
const { Page: Suppressions } = await import('../src/pages/suppressions/page.tsx');
const { loadMessages } = await import('../src/messages/use-messages.ts');
const { renderPage } = await import('./render.ts');
await loadMessages('queue', 'reasons', 'suppressions', 'export_menu', 'mail_filters');

const at = '2026-01-15T15:00:00.000Z';
const queue = {
  depth: 2,
  held: 0,
  is_exact: true,
  oldest_due_at: at,
  is_under_way: false,
  paused: [{ destination: 'paused.example', paused_at: at }],
  destinations: [
    {
      destination: 'gmail.com',
      mails: 2,
      next_due_at: at,
      oldest_at: at,
      attempts: 3,
      last_error: 'rate_limited',
      is_paused: false,
      is_under_way: false,
    },
    {
      destination: 'leased.example',
      mails: 1,
      next_due_at: new Date(Date.now() + 1_800_000).toISOString(),
      oldest_at: at,
      attempts: 0,
      last_error: null,
      is_paused: false,
      is_under_way: true,
    },
  ],
};
const restrictions = {
  data: [
    { id: 1, recipient: 'ana@example.com', reason: 'manual', detail: null, mail_id: null, created_at: at },
  ],
  pagination: { page: 1, page_size: 25, total_items: 1, total_pages: 1 },
};
const named = (): string[] =>
  [...document.querySelectorAll('button')].map(
    (each) => each.getAttribute('aria-label') ?? each.textContent ?? '',
  );
const controls = (role: Role, words: RegExp, shown: typeof Queue) =>
  renderPage(h(shown), {
    role,
    answers: [
      ['panel_get_queue', {}, queue],
      [
        'panel_list_restrictions',
        { query: { recipient: undefined, reason: undefined, page: 1 } },
        restrictions,
      ],
    ],
  }).then(async (page) => {
    const text = page.text();
    const found = named().filter((each) => words.test(each));
    await page.end();
    return { text, found };
  });

test('the queue shows a viewer what waits, and those who may its controls', async () => {
  const words = /Retry|Pause|Resume/;
  const seen = await controls('viewer', words, Queue);
  assert.match(seen.text, /gmail\.com.*paused\.example/);
  assert.deepEqual(seen.found, []);
  const { found } = await controls('developer', words, Queue);
  for (const each of [
    'Retry mail to gmail.com now',
    'Pause mail to gmail.com',
    'Resume mail to paused.example',
  ]) {
    assert.ok(found.includes(each), `${each} of ${found.join(', ')}`);
  }
});

test('the suppressions show a viewer who is restricted, and those who may their controls', async () => {
  const words = /Restrict an|Import|Lift/;
  const seen = await controls('viewer', words, Suppressions);
  assert.match(seen.text, /ana@example\.com/);
  assert.deepEqual(seen.found, []);
  const { found } = await controls('developer', words, Suppressions);
  assert.ok(found.length >= 3, found.join(', '));
});

test('a mail that is being sent is said to be, and has no next attempt', async () => {
  const { text } = await controls('viewer', /./, Queue);
  assert.match(text, /leased\.example1First attempt.*Sending now/);
  assert.doesNotMatch(text, /in \d+ min/);
});
