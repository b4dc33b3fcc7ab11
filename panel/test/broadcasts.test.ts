import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';
import type { Broadcast, Field } from '../src/api/operations.ts';
import { changesOf, operatorsOf, valuesOf } from '../src/pages/broadcast/draft-values.ts';

const { samplesOf } = await import('../src/pages/template/use-contact-samples.ts');
const { LeftOut } = await import('../src/pages/broadcast/left-out.tsx');
const { Funnel } = await import('../src/pages/broadcast/report/funnel.tsx');
const { ImportResult } = await import('../src/pages/contacts/import-result.tsx');
const { loadMessages } = await import('../src/messages/use-messages.ts');
const { render } = await import('./render.ts');
await loadMessages('broadcast', 'broadcast_report', 'contacts', 'reasons');

const fields = [
  { field_key: 'AGE', type: 'number' },
  { field_key: 'CITY', type: 'text' },
  { field_key: 'IS_MEMBER', type: 'boolean' },
] as Field[];

test('what is typed of an audience is sent with the types of its fields, and comes back as it was typed', () => {
  const broadcast = {
    name: 'Spring',
    sender_id: 1,
    template_id: 2,
    audience: {
      purpose_id: 3,
      conditions: [
        { field: 'AGE', operator: 'after', value: 17 },
        { field: 'CITY', operator: 'in', values: ['Arica', 'Iquique'] },
        { field: 'IS_MEMBER', operator: 'equals', value: true },
      ],
      exclude: ['ana@example.com', 'beto@example.com'],
      exclude_broadcast_ids: [7],
    },
    schedule_at: '2026-12-01T15:00:00.000Z',
    per_hour: 5_000,
  } as unknown as Broadcast;
  const timezone = 'America/Santiago';
  const values = valuesOf(broadcast, timezone);
  assert.equal(values.schedule_at, '2026-12-01T12:00');
  assert.equal(values.conditions[1]?.text, 'Arica, Iquique');
  assert.deepEqual(changesOf(values, { timezone, fields }), broadcast);
  assert.deepEqual(operatorsOf('number'), ['equals', 'before', 'after', 'in']);
});

test('who is left out is counted by reason, in words', async () => {
  const rows = [
    { reason: 'recipient_unsubscribed', count: 12_004 },
    { reason: 'conditions_not_met', count: 6 },
  ];
  const page = await render(h(LeftOut, { title: 'Left out', rows }));
  assert.match(page.text(), /Left out12,010.*The recipient unsubscribed12,004.*Conditions are not met6/);
  await page.end();
});

test('a report shows the way from recipients to clicks', async () => {
  const report = {
    funnel: { recipients: 200, accepted: 190, delivered: 180, opened: 60, clicked: 12 },
    not_delivered: { waiting: 0, dropped: 4, bounced: 6 },
    unsubscribes: 3,
    complaints: 0,
    rates: { delivery: 0.95, bounce: 0.03, open: 0.333, click: 0.0667, unsubscribe: 0.0167, complaint: 0 },
  };
  const page = await render(h(Funnel, { report: report as never }));
  assert.match(page.text(), /Recipients200.*Clicked12.*Withdrawals1.7% \(3\).*Dropped4/);
  await page.end();
});

test('an import that was tried out can be run, and one that is done cannot', async () => {
  const report = {
    id: null,
    lines: 3,
    lines_done: 3,
    added: 1,
    updated: 0,
    unchanged: 0,
    refused_count: 2,
    refused: [{ line: 4, reason: 'withdrew', column: null }],
    field_keys: [],
    ignored_columns: [],
    file_sha256: 'ab'.repeat(32),
  };
  const nothing = (): void => undefined;
  const shared = { problem: null, onBack: nothing, onImport: nothing, onClose: nothing };
  const tried = await render(h(ImportResult, { report: report as never, ...shared }));
  assert.match(tried.text(), /Nothing is stored yet.*Withdrew, unsubscribed or complained later/);
  tried.get('button', 'Import');
  await tried.end();
  const done = await render(h(ImportResult, { report: { ...report, id: 4 } as never, ...shared }));
  assert.throws(() => done.get('button', 'Import'));
  await done.end();
});

test('a contact gives its answers to a preview as a broadcast does', () => {
  const contact = {
    contact: 'ana@example.com',
    answers: [
      { field_key: 'FIRST_NAME', value: 'Ana' },
      { field_key: 'LIKES', value: ['A', 'B'] },
    ],
  };
  assert.deepEqual(samplesOf(contact as never), {
    'recipient.email': 'ana@example.com',
    'recipient.name': 'Ana',
    'contact.FIRST_NAME': 'Ana',
    'contact.LIKES': '["A","B"]',
  });
});
