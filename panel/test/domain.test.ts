import './setup.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createElement as h } from 'react';
import type { Role } from '../src/api/roles.ts';

const { ConnectOffer } = await import('../src/pages/domain/connect-offer.tsx');
const { loadMessages } = await import('../src/messages/use-messages.ts');
const { renderPage } = await import('./render.ts');
await loadMessages('domain');

const apply_url = 'https://dns.registrar.test/apply?domain=acme.test&sig=x';
const offered = { provider_name: 'Registrar', apply_url, records: ['mx', 'spf'] };
const shown = (answer: object, role: Role = 'developer') =>
  renderPage(h(ConnectOffer, { id: 3 }), {
    role,
    answers: [['panel_get_domain_connection', { params: { id: 3 } }, answer]],
  });

test('a provider that can publish the records is offered, with where the link leads and which records', async () => {
  const page = await shown(offered);
  assert.match(page.text(), /Publish with Registrar.*MX, SPF\. You sign in at dns\.registrar\.test/);
  assert.equal(page.get('link', 'Continue to Registrar').getAttribute('href'), apply_url);
  await page.end();
});

test('nothing is offered where the provider has nothing to publish or cannot, nor to viewers', async () => {
  for (const page of [
    await shown({ ...offered, apply_url: null, records: [] }),
    await shown({ provider_name: null, apply_url: null, records: [] }),
    await shown(offered, 'viewer'),
  ]) {
    assert.equal(page.text(), '');
    await page.end();
  }
});
