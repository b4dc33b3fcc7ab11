import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test, type TestContext } from 'node:test';
import type { Browser, Frame, Page } from 'playwright-core';
import { createFormAccount, type FormAccount } from '../../src/forms/form-account.fixture.ts';
import { launchBrowser } from '../support/browser.ts';
import { createLogin } from '../support/panel-user.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { findLowContrast } from './contrast.fixture.ts';
import { panelFor, signInAs } from './panel.fixture.ts';

let service: TestService;
let account: FormAccount;
let site: Server;
let found: { browser: Browser } | { missing: string };
const forms: string[] = [];
before(async () => {
  found = await launchBrowser();
  service = await startTestService({ roles: 'api,web' });
  account = await createFormAccount(service);
  const field = { kind: 'field', field_id: account.fields['EMAIL'] };
  const texts = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ kind: 'text', content: `Párrafo ${index}` }));
  for (const items of [[field], [field, ...texts(10)], [field, ...texts(60)]]) {
    const form = { name: 'Contacto', kind: 'advanced', type: 'registration', items };
    forms.push((await account.panel.post('/v1/private/forms', form)).json.public_token);
  }
  site = createServer((request, response) => {
    const query = new URL(request.url ?? '', 'http://site').searchParams;
    const written = `<script src="${service.base_url}/f/${query.get('form')}/embed.js" ${query.get('attributes') ?? ''}></script>`;
    const element = query.get('code') ?? written;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><body style="${query.get('style') ?? ''}"><p>antes</p>${element}<p id="after">después</p></body>`,
    );
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  site.close();
  await service.stop();
});

interface Visit {
  form?: number;
  style?: string;
  attributes?: string;
  /** What the panel gives to copy, in place of an element of the test. */
  code?: string;
  colorScheme?: 'light' | 'dark';
  width?: number;
}

async function visit(
  t: TestContext,
  { form = 0, style = '', attributes = '', code, colorScheme = 'light', width = 800 }: Visit,
): Promise<{ page: Page; frame: Frame } | undefined> {
  if ('missing' in found) {
    t.skip(found.missing);
    return undefined;
  }
  const context = await found.browser.newContext({
    locale: 'es',
    colorScheme,
    viewport: { width, height: 700 },
  });
  t.after(async () => await context.close());
  const page = await context.newPage();
  const query = new URLSearchParams({
    form: forms[form] ?? '',
    style,
    attributes,
    ...(code ? { code } : {}),
  });
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/?${query.toString()}`);
  const element = await page.waitForSelector('iframe');
  const frame = await element.contentFrame();
  assert.ok(frame);
  await frame.waitForSelector('h1');
  return { page, frame };
}

/** The frame is as high as its content: nothing is cut, and no void is left. */
async function assertFits(page: Page, frame: Frame): Promise<number> {
  const content = async () => await frame.evaluate<number>('document.body.getBoundingClientRect().height');
  const frameHeight = async () =>
    await page.evaluate<number>(`document.querySelector('iframe').getBoundingClientRect().height`);
  await page.waitForFunction(
    `Math.abs(document.querySelector('iframe').getBoundingClientRect().height - ${await content()}) <= 1`,
  );
  return await frameHeight();
}

const darkPage = 'background:#101418;color:#eee';
const colourOf = 'getComputedStyle(document.querySelector(".card")).backgroundColor';
const white = 'rgb(255, 255, 255)';

test('the frame of a form is as high as the form, on wide and narrow pages and after it was sent', async (t) => {
  for (const style of ['background:#fff', darkPage]) {
    const heights: number[] = [];
    for (const form of [0, 1, 2]) {
      const opened = await visit(t, { form, style });
      if (!opened) return;
      heights.push(await assertFits(opened.page, opened.frame));
      const isLight = (await opened.frame.evaluate<string>(colourOf)) === white;
      assert.equal(isLight, style !== darkPage, `${style} ${form}`);
      // What follows in the page stands right below.
      const gap = await opened.page.evaluate<number>(
        `document.querySelector('#after').getBoundingClientRect().top - document.querySelector('iframe').getBoundingClientRect().bottom`,
      );
      assert.ok(gap >= 0 && gap < 40, String(gap));
    }
    const [low = 0, middle = 0, high = 0] = heights;
    assert.ok(low < 400 && middle > 500 && high > 2_000, String(heights));
  }
  const opened = await visit(t, { form: 1, width: 390 });
  if (!opened) return;
  const { page, frame } = opened;
  const before_ = await assertFits(page, frame);
  await frame.getByLabel('Correo electrónico').fill('ana@sandbox.test');
  await frame.getByRole('button', { name: 'Enviar' }).click();
  await frame.getByRole('heading', { name: 'Gracias' }).waitFor();
  assert.ok((await assertFits(page, frame)) < before_);
});

test('a form takes the colours of the page around it, whatever the visitor prefers', async (t) => {
  for (const [wanted, expected] of [
    [{ colorScheme: 'dark' }, 'light'],
    [{ colorScheme: 'light', style: darkPage }, 'dark'],
    [{ colorScheme: 'dark', attributes: 'data-color-scheme="light"', style: 'background:#101418' }, 'light'],
  ] as const) {
    const opened = await visit(t, wanted);
    if (!opened) return;
    const { page, frame } = opened;
    assert.equal(
      (await frame.evaluate<string>(colourOf)) === white,
      expected === 'light',
      JSON.stringify(wanted),
    );
    const scheme = await page.evaluate<string>(
      `getComputedStyle(document.querySelector('iframe')).colorScheme`,
    );
    assert.equal(scheme, expected);
    await frame.getByRole('button', { name: 'Enviar' }).click();
    await frame.getByRole('heading', { name: 'Gracias' }).waitFor();
    await frame.waitForLoadState('load');
    assert.equal((await frame.evaluate<string>(colourOf)) === white, expected === 'light', 'and keeps them');
  }
  const opened = await visit(t, { style: 'background:#101418' });
  // The frame itself is transparent, so that contrast is measured on the form's own page.
  if (opened) {
    await opened.page.goto(opened.frame.url());
    assert.deepEqual(await findLowContrast(opened.page), []);
  }
});

test('messages from elsewhere, and heights beyond reason, change nothing', async (t) => {
  const opened = await visit(t, {});
  if (!opened) return;
  const { page, frame } = opened;
  const height = await assertFits(page, frame);
  await page.evaluate(`window.postMessage({ type: 'chasqui:height', height: 3000 }, '*')`);
  for (const value of ['99999', '-5', '"9e9"', 'null', '{}']) {
    await frame.evaluate(`window.parent.postMessage({ type: 'chasqui:height', height: ${value} }, '*')`);
  }
  // Messages are delivered in order: once this one counts, those before were judged.
  await frame.evaluate(`window.parent.postMessage({ type: 'chasqui:height', height: 777 }, '*')`);
  const heights = await page.waitForFunction(
    `(() => { const h = document.querySelector('iframe').getBoundingClientRect().height; return h === 777 ? h : ${height} === h ? false : 'other ' + h; })()`,
  );
  assert.equal(await heights.jsonValue(), 777);
});

test('the code that the panel gives to copy shows the form in the colours that were chosen', async (t) => {
  const panel = await panelFor(t, { found, base_url: service.base_url });
  if (!panel) return;
  const { page } = panel;
  await signInAs(
    page,
    await createLogin(service, account, 'developer'),
    `/panel/i/${account.instance.slug}/forms`,
  );
  await page.getByRole('link', { name: 'Contacto' }).first().click();
  await page.getByRole('tab', { name: 'Share and embed' }).click();
  await page.getByRole('combobox', { name: 'Colours' }).click();
  await page.getByRole('option', { name: 'Always dark' }).click();
  const code = (await page.getByLabel('Copy code').first().textContent()) ?? '';
  assert.match(code, /^<script src="[^"]+\/embed\.js" data-color-scheme="dark" async><\/script>$/);
  const opened = await visit(t, { code, colorScheme: 'light' });
  if (!opened) return;
  await assertFits(opened.page, opened.frame);
  assert.notEqual(await opened.frame.evaluate<string>(colourOf), white);
});
