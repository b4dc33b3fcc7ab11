import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';

const { MailExplanation } = await import('../src/pages/mail/mail-explanation.tsx');
const { loadMessages } = await import('../src/messages/use-messages.ts');
const { renderPage } = await import('./render.ts');
await loadMessages('mail');

const mail_id = '019a4e5e-9f5a-7c3e-b0e5-3f1c2d4e5f60';
const explanation = {
  headline: 'Not sent: the recipient is restricted',
  summary: 'Restricted after a bounce. The next attempt is at 12:00.',
  cause: { code: 'recipient_restricted', side: 'recipient' },
  advice: ['Lift the restriction if the address works again.'],
  evidence: [],
  next_attempt_at: '2026-01-15T15:00:00.000Z',
  similar: { destination: 'example.com', count_24h: 9, same_cause_24h: 8 },
};
const shown = (role: 'developer' | 'viewer', onAsk: (ask: string) => void) =>
  renderPage(
    h(MailExplanation, { mail_id, mail: { to: 'ana@example.com', status: 4 }, isRestricted: true, onAsk }),
    { role, answers: [['panel_explain_mail', { params: { mail_id } }, explanation]] },
  );

test('the advice has its buttons, and what the summary says is said once', async () => {
  const asked: string[] = [];
  const page = await shown('developer', (ask) => asked.push(ask));
  await page.click('button', 'Lift the restriction');
  await page.click('button', 'Send again as new');
  assert.deepEqual(asked, ['lift', 'resend']);
  assert.equal(page.text().match(/next attempt/gi)?.length, 1);
  await page.end();
  const viewer = await shown('viewer', () => undefined);
  assert.equal(document.querySelectorAll('button').length, 0);
  await viewer.end();
});

test('tabs that appear do not move the page', async () => {
  const { UrlTabs } = await import('../src/parts/tabs.tsx');
  const moved: unknown[] = [];
  HTMLElement.prototype.scrollIntoView = (how) => void moved.push(how);
  const tabs = ['html', 'text'].map((name) => ({ name, label: name, content: () => name }));
  const page = await renderPage(h(UrlTabs, { tabs, label: 'Message' }), { search: '?tab=text' });
  assert.equal(document.querySelector('[aria-selected=true]')?.textContent, 'text');
  assert.deepEqual(moved, []);
  await page.end();
});
