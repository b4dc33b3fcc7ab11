import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';

const { ShortcutSheet } = await import('../src/shell/shortcut-sheet.tsx');
const { CommandPalette } = await import('../src/shell/command-palette.tsx');
const { renderPage } = await import('./render.ts');

test('the sheet of keys shows the pages that the person may see, and no other', async () => {
  const page = await renderPage(
    h(ShortcutSheet, { opened: true, onClose: () => undefined, pages: ['mails', 'domains'] }),
  );
  assert.match(page.text(), /g mMails/);
  assert.doesNotMatch(page.text(), /Webhooks/);
  await page.end();
});

test('the palette has a name', async () => {
  const page = await renderPage(h(CommandPalette, { asked_at: 1 }));
  const dialog = document.querySelector('[role=dialog]');
  assert.equal(dialog?.getAttribute('aria-label'), 'Find');
  await page.end();
});
