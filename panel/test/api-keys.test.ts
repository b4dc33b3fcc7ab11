import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';
import { linesFor, uses } from '../src/pages/api-keys/key-lines.ts';

const { KeyUses } = await import('../src/pages/api-keys/key-uses.tsx');
const { loadMessages } = await import('../src/messages/use-messages.ts');
const { render } = await import('./render.ts');
await loadMessages('api_keys');

const here = { origin: 'https://mail.example.com', slug: 'acme' };

test('every client gets lines that lead here, and none has the key in it', () => {
  for (const use of uses) {
    const lines = linesFor(use, here);
    assert.equal(lines.length > 0, use !== 'smtp', use);
    for (const [language, code] of lines) {
      assert.match(code, /mail\.example\.com/, `${use}, ${language}`);
      assert.match(code, /CHASQUI_API_KEY/, `${use}, ${language}`);
      assert.doesNotMatch(code, /chq\./);
    }
  }
});

test('a client of Resend for Ruby gets a slash at the end, one for Node.js none', () => {
  const lines = new Map(linesFor('resend', here));
  assert.match(lines.get('Node.js, PHP, Rust') ?? '', /RESEND_BASE_URL=https:\/\/mail\.example\.com$/);
  assert.match(lines.get('Go, Ruby') ?? '', /RESEND_BASE_URL=https:\/\/mail\.example\.com\/$/);
});

test('a new key is shown with a mail to send', async () => {
  const page = await render(h(KeyUses, here));
  assert.match(page.text(), /curl https:\/\/mail\.example\.com\/v1\/mails\/send/);
  await page.end();
});
