import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { launchBrowser } from '../support/browser.ts';
import type { Login } from '../support/panel-user.ts';

export type FoundBrowser = Awaited<ReturnType<typeof launchBrowser>>;

export interface OpenPanel {
  page: Page;
  /** Foreign requests, errors of scripts and whatever else the console says. */
  trouble: string[];
}

/** A window of the panel, 1280 wide and in English unless said. */
export async function openPanel(
  browser: Browser,
  base_url: string,
  options: BrowserContextOptions = {},
): Promise<OpenPanel & { close: () => Promise<void> }> {
  const context = await browser.newContext({
    baseURL: base_url,
    locale: 'en-US',
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const trouble: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${base_url}/`) && !/^(?:data|blob|about):/.test(url)) trouble.push(`loaded ${url}`);
  });
  page.on('console', (message) => trouble.push(message.text()));
  page.on('pageerror', (error) => trouble.push(error.message));
  return { page, trouble, close: async () => await context.close() };
}

/** The same for a test, which is skipped where there is no browser. */
export async function panelFor(
  t: TestContext,
  { found, base_url }: { found: FoundBrowser; base_url: string },
  options: BrowserContextOptions = {},
): Promise<OpenPanel | undefined> {
  if ('missing' in found) {
    t.skip(found.missing);
    return undefined;
  }
  const panel = await openPanel(found.browser, base_url, options);
  t.after(panel.close);
  return panel;
}

export async function signInAs(page: Page, { email, password }: Login, at = '/panel/'): Promise<void> {
  await page.goto(at);
  await page.getByRole('textbox', { name: /^(?:Email|Correo)$/ }).fill(email);
  await page.getByLabel(/^(?:Password|Contraseña)$/).fill(password);
  await page.getByRole('button', { name: /^(?:Sign in|Iniciar sesión)$/ }).click();
  await page.waitForURL(/\/panel\/(?!sign-in)/);
}

/** Until nothing is loading any more and fonts are there. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.locator('[aria-busy=true], .mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

export async function assertAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const told = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
  );
  assert.deepEqual(told, [], page.url());
}
