import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { RootSecret } from '../../src/base/secrets.ts';
import { createFormAccount, type FormAccount } from '../../src/forms/form-account.fixture.ts';
import { SubmissionTokens } from '../../src/forms/submission-token.ts';
import { launchBrowser } from '../support/browser.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { findLowContrast } from './contrast.fixture.ts';

let service: TestService;
let account: FormAccount;
let url: string;
let found: { browser: Browser } | { missing: string };
before(async () => {
  found = await launchBrowser();
  service = await startTestService({ roles: 'api,web' });
  account = await createFormAccount(service);
  const options = { options: ['RED', 'BLUE'].map((value) => ({ value, label: value.toLowerCase() })) };
  const field = { name: 'Colores', field_key: 'COLOURS', type: 'multiselect', config: options };
  const colours = (await account.api.post('/v1/fields', field)).json.id;
  const form = {
    name: 'Boletín',
    kind: 'advanced',
    type: 'registration',
    requires_confirmation: true,
    auto_reply_sender_id: account.sender_id,
    settings: {
      title: 'Nuestro boletín',
      header_text: 'Una vez al mes.',
      design: { primary_color: '#7a1f5c', custom_css: 'h1 {\r\n letter-spacing: 0; }' },
    },
    items: [
      { kind: 'field', field_id: account.fields['EMAIL'], is_required: true },
      { kind: 'field', field_id: account.fields['FIRST_NAME'], width: 'half', is_required: true },
      { kind: 'field', field_id: account.fields['LAST_NAME'], width: 'half' },
      { kind: 'field', field_id: colours },
      { kind: 'divider' },
      { kind: 'consent', term_id: account.term_id, is_required: true },
    ],
  };
  const created = await account.panel.post('/v1/private/forms', form);
  url = `${service.base_url}/f/${created.json.public_token}`;
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
});

/** A page of a person without scripts; what it loads from elsewhere or complains about ends up in `browserErrors`. */
async function open(
  t: TestContext,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; browserErrors: string[] } | undefined> {
  if ('missing' in found) {
    t.skip(found.missing);
    return undefined;
  }
  const context = await found.browser.newContext({ locale: 'es-CL', ...options });
  t.after(async () => await context.close());
  const page = await context.newPage();
  const browserErrors: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${service.base_url}/`)) browserErrors.push(`loaded ${request.url()}`);
  });
  page.on('console', (message) => browserErrors.push(message.text()));
  return { page, browserErrors };
}

test('a person without scripts fills in a form, is told what is wrong, and confirms', async (t) => {
  const opened = await open(t, { javaScriptEnabled: false });
  if (!opened) return;
  const { page, browserErrors } = opened;
  await page.goto(url);
  await page.getByLabel('Correo electrónico').fill('ana@sandbox');
  await page.getByLabel('Nombre').fill('Ana');
  await page.getByLabel('red').check();
  await page.getByRole('checkbox', { name: /Term/ }).check();
  await page.getByRole('button', { name: 'Enviar' }).click();
  await page.getByText('No es una dirección de correo').waitFor();
  assert.equal(await page.getByLabel('Nombre').inputValue(), 'Ana');
  assert.equal(await page.getByLabel('red').isChecked(), true);
  await page.getByLabel('Correo electrónico').fill('ana@sandbox.test');
  await page.getByRole('button', { name: 'Enviar' }).click();
  await page.getByRole('heading', { name: 'Falta un paso' }).waitFor();
  const [row] = await service.db.query<{ id: number; answers: unknown }>(
    'select id, answers from form_submissions where instance_id = $1',
    [account.instance.id],
  );
  assert.deepEqual(row?.answers, { EMAIL: 'ana@sandbox.test', FIRST_NAME: 'Ana', COLOURS: ['RED'] });
  const tokens = new SubmissionTokens(new RootSecret('a root secret for tests, and for tests alone'));
  await page.goto(`${service.base_url}/confirm/${tokens.make(row.id)}`);
  await page.getByRole('button', { name: 'Sí, confirmar' }).click();
  await page.getByRole('heading', { name: 'Confirmado' }).waitFor();
  // The browser logs the one answer that was not a success.
  assert.deepEqual(
    browserErrors.filter((line) => !line.includes('422')),
    [],
  );
});

test('a form can be read in light and dark, on a phone and on a desk', async (t) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const viewport of [
      { width: 320, height: 640 },
      { width: 1280, height: 800 },
    ]) {
      const opened = await open(t, { colorScheme, viewport });
      if (!opened) return;
      const { page, browserErrors } = opened;
      await page.goto(url);
      const wide = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      );
      assert.equal(wide, false, 'nothing sticks out');
      const [first, last] = await Promise.all(
        ['Nombre', 'Apellido'].map(async (label) => await page.getByLabel(label).boundingBox()),
      );
      if (viewport.width > 1000) assert.equal(first?.y, last?.y, 'required beside optional');
      assert.deepEqual(await findLowContrast(page), [], `${colorScheme} ${viewport.width}`);
      assert.deepEqual(browserErrors, []);
    }
  }
});
