import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';
import type { Role } from '../src/api/roles.ts';
import type { Webhook } from '../src/api/operations.ts';

const { EventCatalogue } = await import('../src/pages/webhooks/event-catalogue.tsx');
const { FailingAlert } = await import('../src/pages/webhook/failing-alert.tsx');
const { loadMessages } = await import('../src/messages/use-messages.ts');
const { renderPage } = await import('./render.ts');
await loadMessages('webhook', 'webhook_events', 'webhooks');

const failing = {
  id: 7,
  is_active: true,
  consecutive_failures: 12,
  last_status_code: 503,
  failing_since: '2026-01-15T15:00:00.000Z',
} as Webhook;
const shown = (changes: Partial<Webhook> = {}, role: Role = 'developer') =>
  renderPage(h(FailingAlert, { webhook: { ...failing, ...changes } }), { role });
const isOffered = (): boolean => document.querySelector('button') !== null;

test('a failing webhook says how often, with which answer and since when', async () => {
  const page = await shown();
  assert.match(page.text(), /failed 12 times in a row/);
  assert.match(page.text(), /The endpoint answered 503\. It has failed since .*12:00/);
  await page.end();
  const silent = await shown({ last_status_code: null });
  assert.match(silent.text(), /The endpoint did not answer\./);
  await silent.end();
});

test('what failed is recovered from the moment of the first failure on', async () => {
  const page = await shown();
  await page.click('button', 'Recover everything failed since');
  const from = page.get('textbox', 'Happened since', { within: 'last dialog' });
  assert.equal((from as HTMLInputElement).value, '2026-01-15T12:00');
  await page.end();
});

test('a webhook that works shows no alert; viewers and paused webhooks get no button', async () => {
  const healthy = await shown({ consecutive_failures: 0 });
  assert.equal(healthy.text(), '');
  await healthy.end();
  for (const page of [await shown({}, 'viewer'), await shown({ is_active: false })]) {
    assert.match(page.text(), /in a row/);
    assert.equal(isOffered(), false);
    await page.end();
  }
});

test('each event of the catalogue has its name, its type and an example to copy', async () => {
  const example = {
    type: 'mail.sent',
    timestamp: '2026-12-01T12:00:00.400Z',
    data: { to: 'ana@example.com' },
  };
  const events = [
    { type: 'mail.sent', summary: 'The mail was delivered', example },
    { type: 'mail.of_a_later_version', summary: 'Not known here', example: {} },
  ];
  const page = await renderPage(h(EventCatalogue), {
    answers: [['panel_list_webhook_events', {}, { data: events }]],
  });
  assert.match(page.text(), /Delivered mail\.sent/);
  assert.doesNotMatch(page.text(), /later_version/);
  assert.match(document.querySelector('pre')?.textContent ?? '', /"to": "ana@example.com"/);
  await page.end();
});
