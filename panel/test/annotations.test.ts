import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';

const { Annotations, MarkMoment } = await import('../src/pages/overview/annotations.tsx');
const { marksOf } = await import('../src/pages/overview/marks-of.ts');
const { loadMessages } = await import('../src/messages/use-messages.ts');
const { renderPage } = await import('./render.ts');
await loadMessages('overview');

const days = ['2026-01-14', '2026-01-15', '2026-01-16'].map((day) => ({ at: `${day}T03:00:00.000Z` }));
const deploy = (id: number, at: string) => ({ id, text: `Deploy ${id}`, at, created_at: at });

test('a moment stands at the day in which it lies, and one before the range nowhere', () => {
  const marks = marksOf(days, [
    deploy(4, '2026-01-16T20:00:00.000Z'),
    deploy(3, '2026-01-15T03:00:00.000Z'),
    deploy(2, '2026-01-15T02:59:59.000Z'),
    deploy(1, '2026-01-13T00:00:00.000Z'),
  ]);
  assert.deepEqual(
    marks.map(({ id, index }) => [id, index]),
    [
      [2, 0],
      [3, 1],
      [4, 2],
    ],
  );
});

test('marked moments can be read as a list, and changed by those who may', async () => {
  const annotations = [deploy(1, '2026-01-15T15:00:00.000Z')];
  const both = () => h('div', null, h(Annotations, { annotations }), h(MarkMoment));
  const page = await renderPage(both(), { role: 'developer' });
  assert.match(page.text(), /1 marked moment/);
  assert.match(page.text(), /Deploy 1/);
  await page.click('button', 'Delete: Deploy 1');
  assert.match(page.text(), /The chart no longer shows it\./);
  await page.click('button', 'Mark a moment');
  assert.ok(page.get('textbox', 'What happened', { within: 'last dialog' }));
  await page.end();
  const viewer = await renderPage(both(), { role: 'viewer' });
  assert.match(viewer.text(), /Deploy 1/);
  assert.equal(document.querySelectorAll('button').length, 0);
  await viewer.end();
});
