import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';
import type { Attention as Findings, StatsOverview } from '../src/api/operations.ts';

const { Attention } = await import('../src/pages/overview/attention.tsx');
const { Breakdown } = await import('../src/pages/overview/breakdown.tsx');
const { Figures } = await import('../src/pages/overview/figures.tsx');
const { Standing } = await import('../src/pages/overview/standing.tsx');
const { loadMessages } = await import('../src/messages/use-messages.ts');
const { renderPage } = await import('./render.ts');
await loadMessages('overview');

const findings: Findings = {
  problems: [
    {
      kind: 'deferred',
      reason: 'rate_limited',
      severity: 'low',
      domains: ['gmail.com', 'example.com'],
      domain_count: 2,
      mails: 38,
      text: 'gmail.com and example.com defer 38 mails: rate limited.',
      mail_id: null,
    },
  ],
  plan: { limit: 1000, used: 1000, period: '2026-01' },
  domains: [
    {
      id: 4,
      domain: 'shop.example',
      mx_status: 'verified',
      spf_status: 'failed',
      dkim_status: 'verified',
      dmarc_status: 'verified',
    },
  ],
  webhooks: [
    {
      id: 9,
      name: 'Orders',
      is_active: true,
      consecutive_failures: 3,
      last_status_code: 500,
      failing_since: null,
      auto_paused_at: null,
    },
  ],
  rights: { overdue: 2, due_soon: 0 },
  checklist: { has_sent: true, has_verified_domain: true, has_sender: true, has_api_key: true },
};
const quiet: Findings = {
  ...findings,
  problems: [],
  domains: [],
  webhooks: [],
  rights: { overdue: 0, due_soon: 0 },
  plan: { limit: null, used: 5, period: '2026-01' },
};
const attention = (answer: Findings) =>
  renderPage(h(Attention), { answers: [['panel_get_attention', {}, answer]] });
const items = (): string[] => [...document.querySelectorAll('li')].map((each) => each.textContent ?? '');
const leads = (label: string): string | null =>
  [...document.querySelectorAll('a')].find((each) => each.textContent === label)?.getAttribute('href') ??
  null;

test('what needs attention is listed by severity, each cause once with the way to it', async () => {
  const page = await attention(findings);
  assert.deepEqual(
    items().map((each) => /^(Urgent|Soon|Notice)/.exec(each)?.[0]),
    ['Urgent', 'Urgent', 'Urgent', 'Soon', 'Notice'],
  );
  assert.match(page.text(), /2 privacy requests are overdue/);
  assert.match(page.text(), /1,000 of 1,000 sends used/);
  assert.equal(leads('Show requests'), '/i/acme/rights?status=open');
  assert.equal(leads('Show records'), '/i/acme/domains/4');
  assert.equal(leads('Show deliveries'), '/i/acme/webhooks/9');
  assert.equal(leads('Show mails'), '/i/acme/mails?status=5&range=7d');
  await page.end();
  const well = await attention(quiet);
  assert.match(well.text(), /Nothing needs your attention\./);
  assert.deepEqual(items(), []);
  await well.end();
});

const totals = {
  received: 48_600,
  sent: 48_600,
  dropped: 0,
  deferred: 0,
  bounced: 10,
  onhold: 0,
  test: 0,
  opens: 0,
  unique_opens: 0,
  clicks: 0,
  unique_clicks: 0,
  unsubscribes: 0,
  complaints: 16,
};
const figures = (complaints: number, place: Record<string, string> = {}) => {
  const rates = {
    delivery: 1,
    bounce: 0.0002,
    open: 0,
    click: 0,
    complaint: complaints / totals.sent,
    unsubscribe: 0,
  };
  const now = { totals: { ...totals, complaints }, rates } as unknown as StatsOverview;
  return renderPage(h(Figures, { now, before: undefined, sandbox: 4, place: { range: '7d', ...place } }));
};

test('the share of complaints has two decimals, and says when it is above the limit', async () => {
  const page = await figures(16);
  assert.match(page.text(), /0\.03% of delivered/);
  assert.doesNotMatch(page.text(), /above the limit/);
  await page.end();
  const much = await figures(150);
  assert.match(much.text(), /0\.31% of delivered.*above the limit of 0\.30%/);
  await much.end();
});

test('the figures say what the sandbox would add, until it is included', async () => {
  const page = await figures(0);
  assert.match(page.text(), /Sent to the sandbox, not counted above: 4\./);
  assert.equal(leads('Bounced'), '/i/acme/mails?status=6&sandbox=false&range=7d');
  await page.end();
  const all = await figures(0, { sandbox: 'all' });
  assert.doesNotMatch(all.text(), /not counted above/);
  await all.end();
});

test('providers stand with their shares, and say of how many mails', async () => {
  const hours = Array.from({ length: 24 }, (_each, hour) => ({
    hour,
    received: 1,
    sent: 1,
    unique_opens: 0,
    unique_clicks: 0,
  }));
  const provider = { provider: 'Gmail', received: 40, sent: 30, deferred: 0, bounced: 10, unique_opens: 0 };
  const shown = async (providers: object[]) =>
    await renderPage(h(Breakdown, { query: {} }), {
      answers: [['panel_get_stats_breakdown', { query: {} }, { hours, providers, sampled: 40 }]],
    });
  const page = await shown([provider]);
  assert.match(page.text(), /Gmail4075%25%/);
  assert.match(page.text(), /From the newest 40 mails of the range\./);
  await page.end();
  const nothing = await shown([]);
  assert.equal(nothing.text(), '');
  await nothing.end();
});

test('a mail that is being sent has no next attempt', async () => {
  const standing = (is_under_way: boolean) =>
    renderPage(h(Standing, { latency: { p50_seconds: 1, p95_seconds: 2, mails: 3 } }), {
      answers: [
        [
          'panel_get_queue',
          {},
          { depth: 1, held: 0, oldest_due_at: new Date(Date.now() + 1_800_000).toISOString(), is_under_way },
        ],
        ['panel_get_attention', {}, quiet],
      ],
    });
  const page = await standing(true);
  assert.match(page.text(), /Sending now/);
  assert.doesNotMatch(page.text(), /in \d+ min/);
  await page.end();
  const waiting = await standing(false);
  assert.match(waiting.text(), /in (29|30) min/);
  await waiting.end();
});
