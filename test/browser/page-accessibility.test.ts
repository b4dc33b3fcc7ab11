import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test, type TestContext } from 'node:test';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { RootSecret } from '../../src/base/secrets.ts';
import { createFormAccount, type FormAccount } from '../../src/forms/form-account.fixture.ts';
import { SubmissionTokens } from '../../src/forms/submission-token.ts';
import { pageUrl } from '../../src/track/pages/mail-pages.fixture.ts';
import { TrackingTokens } from '../../src/track/tracking-token.ts';
import { launchBrowser } from '../support/browser.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';

let service: TestService;
let account: FormAccount;
let found: { browser: Browser } | { missing: string };
before(async () => {
  found = await launchBrowser();
  service = await startTestService({ roles: 'api,web' });
  account = await createFormAccount(service);
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
});

interface Screen {
  colorScheme?: 'light' | 'dark';
  width?: number;
  locale?: string;
}

async function open(t: TestContext, screen: Screen = {}): Promise<Page | undefined> {
  if ('missing' in found) {
    t.skip(found.missing);
    return undefined;
  }
  const { colorScheme = 'light', width = 1280, locale = 'es-CL' } = screen;
  const context = await found.browser.newContext({ locale, colorScheme, viewport: { width, height: 800 } });
  t.after(async () => await context.close());
  return await context.newPage();
}

async function assertAccessible(page: Page, what: string, rules: string[] = []): Promise<void> {
  await page.evaluate(axe.source);
  const options = rules.length > 0 ? { runOnly: rules } : {};
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  const findings = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
  assert.deepEqual(findings, [], what);
}

const isWide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

test('the reference has no nameless button and no low contrast, light and dark', async (t) => {
  const page = await open(t);
  if (!page) return;
  await page.goto(`${service.base_url}/docs/`);
  // The last that the first screen shows: code with its copy button.
  await page.waitForSelector('button[class*=copy-button]', { state: 'attached' });
  await assertAccessible(page, 'light');
  // A second load of the whole reference would cost ten seconds; its themes are two classes.
  await page.evaluate(`document.body.classList.replace('light-mode', 'dark-mode')`);
  await page.waitForSelector('body.dark-mode');
  await assertAccessible(page, 'dark', ['color-contrast']);
});

test('the page at the root, the guides, their search and the errors are accessible and fit a phone', async (t) => {
  for (const { rules, ...screen } of [
    { colorScheme: 'light', width: 1280, rules: [] },
    // The same document in other colours.
    {
      colorScheme: 'dark',
      width: 390,
      rules: ['color-contrast', 'target-size', 'scrollable-region-focusable'],
    },
  ] as const) {
    const page = await open(t, { ...screen, locale: 'en-US' });
    if (!page) return;
    for (const target of [
      '/',
      '/docs/guides',
      '/docs/guides?q=bounce',
      '/docs/guides?q=xyzzy',
      '/docs/guides/smtp',
      '/docs/errors',
    ]) {
      await page.goto(`${service.base_url}${target}`);
      const what = `${target} ${JSON.stringify(screen)}`;
      await assertAccessible(page, what, [...rules]);
      assert.equal(await page.evaluate(isWide), false, what);
    }
  }
});

test('forms, what they agree to, and confirmations are accessible in both languages', async (t) => {
  const items = [
    { kind: 'field', field_id: account.fields['EMAIL'], is_required: true },
    { kind: 'field', field_id: account.fields['FIRST_NAME'], width: 'half' },
    { kind: 'field', field_id: account.fields['LAST_NAME'], width: 'half', is_required: true },
    { kind: 'consent', term_id: account.term_id, is_required: true },
  ];
  const { json } = await account.panel.post('/v1/private/forms', {
    name: 'Boletín',
    kind: 'advanced',
    type: 'registration',
    requires_confirmation: true,
    auto_reply_sender_id: account.sender_id,
    settings: { footer_text: 'Pie', design: { primary_color: '#7a1f5c' } },
    items,
  });
  const url = `${service.base_url}/f/${json.public_token}`;
  const body = new URLSearchParams({
    EMAIL: 'ana@sandbox.test',
    LAST_NAME: 'Rojas',
    consent: String(account.term_id),
  });
  await fetch(url, { method: 'POST', redirect: 'manual', body });
  const [row] = await service.db.query<{ id: number }>('select id from form_submissions where form_id = $1', [
    json.id,
  ]);
  const tokens = new SubmissionTokens(new RootSecret('a root secret for tests, and for tests alone'));
  for (const screen of [
    { colorScheme: 'light', locale: 'es-CL' },
    { colorScheme: 'dark', locale: 'en-US', width: 390 },
  ] as const) {
    const page = await open(t, screen);
    if (!page) return;
    for (const target of [
      url,
      `${url}?embed&scheme=dark`,
      `${service.base_url}/confirm/${tokens.make(row?.id ?? 0)}`,
    ]) {
      await page.goto(target);
      await assertAccessible(page, `${target} ${JSON.stringify(screen)}`);
    }
    await page.goto(url);
    await page.evaluate(`document.querySelector('form').noValidate = true`);
    await page.locator('form button').click();
    await page.waitForSelector('.wrong');
    await assertAccessible(page, `what is wrong, ${JSON.stringify(screen)}`);
  }
});

test('evidence fits a phone, stays within its column on a desk, and prints', async (t) => {
  const contact = 'a.rather.long.address.of.one.person@example.com';
  await account.panel.post('/v1/private/consent-events', {
    term_id: account.term_id,
    method: 'single_opt_in',
    reason: 'On paper',
    rules: [{ contact_type: 'email_address', contact, purpose_id: account.purpose_id, action: 'allow' }],
  });
  const query = new URLSearchParams({ contact, format: 'html', language: 'es' });
  const { text } = await account.panel.get(`/v1/private/consent-evidence?${query.toString()}`);
  for (const width of [390, 1280]) {
    const page = await open(t, { width });
    if (!page) return;
    await page.setContent(text);
    assert.equal(await page.evaluate(isWide), false, String(width));
    const beyond = `[...document.querySelectorAll('main *')].filter((element) =>
      element.getBoundingClientRect().right > document.querySelector('main').getBoundingClientRect().right + 1).length`;
    assert.equal(await page.evaluate(beyond), 0, `nothing leaves the column at ${width}`);
    await assertAccessible(page, String(width));
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 657, height: 900 });
    assert.equal(await page.evaluate(isWide), false, 'a page of A4');
  }
});

test('a mail of tables of 600 pixels is shown whole on a phone', async (t) => {
  const html = `<table width="600" style="width:600px"><tr><td width="300">Left <img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" width="300" height="80" alt=""></td>
    <td width="300">Right</td></tr><tr><td colspan="2"><div style="width:600px">Below</div></td></tr></table>`;
  const sent = await account.api.post('/v1/mails/send', {
    sender_email: `test@${account.instance.slug}.sandbox.test`,
    to: [{ email: 'ana@sandbox.test' }],
    subject: 'Tables',
    html,
  });
  const [mail] = await service.db.query<{ mail_id: string }>('select mail_id from mails where msg_id = $1', [
    sent.json.message_id,
  ]);
  for (const [width, expected] of [
    [390, 390],
    [1000, 600],
  ] as const) {
    const page = await open(t, { width });
    if (!page) return;
    await page.goto(pageUrl(service, 'view', mail?.mail_id ?? ''));
    const element = await page.waitForSelector('iframe');
    const frame = await element.contentFrame();
    await frame?.waitForSelector('table');
    assert.equal(await frame?.evaluate(isWide), false, String(width));
    const table = await frame?.evaluate<number>(
      `document.querySelector('table').getBoundingClientRect().width`,
    );
    assert.ok(Math.abs((table ?? 0) - expected) < 30, String(table));
  }
});

test('the warnings in place of a link are accessible and fit a phone', async (t) => {
  const tokens = new TrackingTokens(new RootSecret('a root secret for tests, and for tests alone'));
  const { id: instance_id } = (await service.tenant()).instance;
  await service.db.query('update instances set is_enabled = false where id = $1', [instance_id]);
  await service.db.query("insert into link_takedowns (host) values ('phish.example')");
  const long = 'a-name-that-no-line-of-a-phone-can-hold-because-it-is-too-long';
  for (const url of [`https://${long}.shop.example/`, 'https://phish.example/']) {
    const target = tokens.target(url);
    assert.ok(target);
    const mail = { mail_id: randomUUID(), instance_id };
    const link = `${service.base_url}/c/${tokens.of(mail).click(target)}${target.tail}`;
    await waitFor(async () => (await fetch(link, { redirect: 'manual' })).status !== 302);
    for (const screen of [
      { colorScheme: 'light', locale: 'es-CL', width: 390 },
      { colorScheme: 'dark', locale: 'en-US' },
    ] as const) {
      const page = await open(t, screen);
      if (!page) return;
      await page.goto(link);
      const what = `${url} ${JSON.stringify(screen)}`;
      await assertAccessible(page, what);
      assert.equal(await page.evaluate(isWide), false, what);
    }
  }
});
