import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';
import type { Domain } from '../src/api/operations.ts';

const { Checks } = await import('../src/pages/operator/checks.tsx');
const { DomainState } = await import('../src/pages/domains/domain-state.tsx');
const { Time } = await import('../src/parts/time.tsx');
const { MailMarks } = await import('../src/parts/mail-marks.tsx');
const { loadMessages } = await import('../src/messages/use-messages.ts');
const { render, renderPage } = await import('./render.ts');
await loadMessages('domains', 'mail_marks', 'operator');

const verified = {
  is_sandbox: false,
  is_revoked_by_operator: false,
  is_verified: true,
  is_ownership_verified: false,
  mx_status: 'verified',
  spf_status: 'verified',
  dkim_status: 'verified',
  dmarc_status: 'verified',
  check_reasons: { ownership: 'no record found' },
} as unknown as Domain;

test('a domain whose four records are in place is verified, whatever its ownership record says', async () => {
  const page = await render(h(DomainState, { domain: verified }));
  assert.equal(page.text(), 'Verified');
  await page.end();
  const failed = await render(
    h(DomainState, { domain: { ...verified, is_verified: false, mx_status: 'failed' } }),
  );
  assert.equal(failed.text(), 'Needs attention');
  await failed.end();
});

test('mail in test mode and mail of the sandbox are marked', async () => {
  for (const [to, test_mode, expected] of [
    ['ana@example.com', false, []],
    ['ana@example.com', true, ['Sent in test mode']],
    ['delivered@sandbox.test', true, ['Sandbox', 'Sent in test mode']],
  ] as const) {
    const page = await render(h(MailMarks, { to, test_mode }));
    const marks = [...document.querySelectorAll('[role=img]')].map((each) => each.getAttribute('aria-label'));
    assert.deepEqual(marks, expected);
    await page.end();
  }
});

test('an exact time is in the zone of the instance, whatever that of the browser, and says which', async () => {
  const page = await renderPage(h(Time, { at: '2026-01-15T15:00:00.000Z', as: 'exact' }));
  assert.match(page.text(), /12:00:00.*GMT-3/);
  await page.end();
});

test('a check that was skipped is not said to be fine', async () => {
  const last = {
    ok: true,
    detail: 'Port 25 was not tried.',
    action: null,
    checked_at: '2026-01-15T15:00:00.000Z',
  };
  const listed = [
    { check: 'port_25', last: { check: 'port_25', ...last, is_skipped: true } },
    { check: 'clock', last: { check: 'clock', ...last, detail: 'The clock is right.', is_skipped: false } },
  ];
  const page = await renderPage(h(Checks), { answers: [['operator_list_checks', {}, { data: listed }]] });
  assert.match(page.text(), /Skipped Port 25 was not tried\./);
  assert.match(page.text(), /Fine The clock is right\./);
  await page.end();
});
