import assert from 'node:assert/strict';
import { after, before, test, type TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import { pageUrl } from '../../src/track/pages/mail-pages.fixture.ts';
import { findLowContrast } from './contrast.fixture.ts';

let service: TestService;
let tenant: Tenant;
let found: { browser: Browser } | { missing: string };
before(async () => {
  found = await launchBrowser();
  service = await startTestService({ roles: 'api,web,delivery' });
  tenant = await service.tenant({ instance: { name: 'Librería Altiplano' } });
  await service.db.query(
    `update senders set stream = 'broadcast', name = 'Novedades' where instance_id = $1`,
    [tenant.instance.id],
  );
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
});

/** A page of a person; whatever it loads from elsewhere or complains about ends up in `browserErrors`. */
async function open(
  t: TestContext,
  options: BrowserContextOptions,
): Promise<{ page: Page; browserErrors: string[] } | undefined> {
  if ('missing' in found) {
    t.skip(found.missing);
    return undefined;
  }
  const context = await found.browser.newContext({ locale: 'en-US', ...options });
  t.after(async () => await context.close());
  const page = await context.newPage();
  const browserErrors: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(`${service.base_url}/`)) browserErrors.push(`loaded ${request.url()}`);
  });
  page.on('console', (message) => browserErrors.push(message.text()));
  page.on('pageerror', (error) => browserErrors.push(error.message));
  return { page, browserErrors };
}

interface Links {
  mail_id: string;
  unsubscribe: string;
  report: string;
}

/** Sends a mail and takes its links from the message as it was delivered. */
async function deliver(to: string): Promise<Links> {
  const { json } = await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: to }],
    subject: 'Novedades de noviembre',
    html: '<p>Hola</p>',
  });
  const message = await waitFor(
    async () => {
      const [row] = await service.db.query<{ mail_id: string; raw: Buffer }>(
        'select s.mail_id, s.raw from sandbox_messages s join mails m using (mail_id) where m.msg_id = $1',
        [json.message_id],
      );
      return row;
    },
    { what: 'the message in the sandbox', timeout_ms: 10_000 },
  );
  const header = message.raw.toString().replaceAll(/\r\n[ \t]+/g, ' ');
  const linkIn = (name: string): string =>
    new RegExp(`^${name}:.*?<(http[^>]+)>`, 'm').exec(header)?.[1] ?? '';
  return {
    mail_id: message.mail_id,
    unsubscribe: linkIn('List-Unsubscribe'),
    report: linkIn('X-Report-Abuse'),
  };
}

async function unsubscribeOf(mail_id: string): Promise<unknown> {
  const { status, json } = await tenant.api.get(`/v1/mail-unsubscribes/${mail_id}`);
  return status === 200 ? [json.method, json.reason, json.resubscribed_at !== null] : undefined;
}

test('a person unsubscribes and comes back, without JavaScript', async (t) => {
  const { mail_id, unsubscribe } = await deliver('ana@sandbox.test');
  const opened = await open(t, { javaScriptEnabled: false });
  if (!opened) return;
  const { page, browserErrors } = opened;
  await page.goto(unsubscribe);
  assert.equal(await page.title(), 'Unsubscribe · Novedades');
  assert.match((await page.getByRole('main').textContent()) ?? '', /Librería Altiplano.*a•••@sandbox\.test/s);
  assert.equal(await unsubscribeOf(mail_id), undefined);

  await page.getByLabel('Why are you leaving?').fill('Too many mails');
  await page.getByRole('button', { name: 'Unsubscribe' }).click();
  await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
  assert.deepEqual(await unsubscribeOf(mail_id), ['page', 'Too many mails', false]);

  await page.reload();
  await page.getByRole('button', { name: 'Subscribe again' }).click();
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();
  assert.deepEqual(await unsubscribeOf(mail_id), ['page', 'Too many mails', true]);
  assert.deepEqual(browserErrors, []);
});

test('a person reports abuse with only the keyboard, in Spanish', async (t) => {
  const { mail_id, report } = await deliver('bea@sandbox.test');
  const opened = await open(t, { locale: 'es-CL' });
  if (!opened) return;
  const { page, browserErrors } = opened;
  await page.goto(report);
  assert.equal(await page.locator('html').getAttribute('lang'), 'es');
  await page.keyboard.press('Tab');
  // The first choice has the focus, the next one is an arrow away.
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.getByRole('radio', { checked: true }).getAttribute('value'), 'fraud');
  await page.keyboard.press('Tab');
  await page.keyboard.type('No es mi banco');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Gracias por tu denuncia' }).waitFor();
  const { json } = await tenant.api.get(`/v1/mail-complaints/${mail_id}`);
  assert.deepEqual([json.type, json.comment], ['fraud', 'No es mi banco']);
  assert.deepEqual(browserErrors, []);
});

test('a report needs a reason', async (t) => {
  const { mail_id, report } = await deliver('cid@sandbox.test');
  const opened = await open(t, {});
  if (!opened) return;
  await opened.page.goto(report);
  await opened.page.getByRole('button', { name: 'Send report' }).click();
  assert.equal(await opened.page.locator('input:invalid').count(), 7, 'the browser itself asks for a choice');
  assert.equal((await tenant.api.get(`/v1/mail-complaints/${mail_id}`)).status, 404);
});

for (const colorScheme of ['light', 'dark'] as const) {
  test(`pages fit a small telephone and can be read, when it is ${colorScheme}`, async (t) => {
    const { unsubscribe, report } = await deliver(`${colorScheme}.${'long-'.repeat(8)}@sandbox.test`);
    const opened = await open(t, { colorScheme, viewport: { width: 320, height: 600 } });
    if (!opened) return;
    const { page, browserErrors } = opened;
    for (const url of [unsubscribe, report]) {
      await page.goto(url);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      assert.equal(width, 320, 'nothing is beside the screen');
      assert.deepEqual(await findLowContrast(page), []);
    }
    assert.deepEqual(browserErrors, []);
  });
}

test('a message in the browser runs no script, sends no form and opens its links beside it', async (t) => {
  const { json } = await tenant.api.post('/v1/mails/send', {
    sender_email: `test@${tenant.instance.slug}.sandbox.test`,
    to: [{ email: 'eva@sandbox.test' }],
    subject: 'Oferta',
    html: `<p id="x">Hola</p><script>document.getElementById('x').textContent = 'run'</script>
      <img src="x:" onerror="document.getElementById('x').textContent = 'run'">
      <form action="${service.base_url}/docs/errors"><button>Go</button></form><a href="${service.base_url}/docs/errors">Errors</a>`,
  });
  const [mail] = await service.db.query<{ mail_id: string }>('select mail_id from mails where msg_id = $1', [
    json.message_id,
  ]);
  const opened = await open(t, {});
  if (!opened) return;
  const { page } = opened;
  await page.goto(pageUrl(service, 'view', mail?.mail_id ?? ''));
  const message = page.frameLocator('iframe');
  await message.getByRole('button', { name: 'Go' }).click();
  assert.equal(await message.locator('#x').textContent(), 'Hola');
  const [popup] = await Promise.all([
    page.waitForEvent('popup'),
    message.getByRole('link', { name: 'Errors' }).click(),
  ]);
  await popup.waitForURL('**/docs/errors');
  assert.equal(await message.locator('#x').textContent(), 'Hola', 'the form led nowhere');
});
