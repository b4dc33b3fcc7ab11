import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import type { launchBrowser } from '../support/browser.ts';
import type { Login } from '../support/panel-user.ts';
import { waitFor } from '../support/wait-for.ts';

export type FoundBrowser = Awaited<ReturnType<typeof launchBrowser>>;

export interface OpenPanel {
  page: Page;
  /** Foreign requests, errors of scripts and whatever else the console says. */
  browserErrors: string[];
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
  page.setDefaultTimeout(45_000);
  const browserErrors: string[] = [];
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${base_url}/`) && !/^(?:data|blob|about):/.test(url))
      browserErrors.push(`loaded ${url}`);
  });
  page.on('console', (message) => browserErrors.push(message.text()));
  page.on('pageerror', (error) => browserErrors.push(error.message));
  return { page, browserErrors, close: async () => await context.close() };
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

/** As a link of the panel does it: what is loaded stays, and axe with it. */
export async function goInside(page: Page, path: string): Promise<void> {
  await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
  await painted(page);
  await settled(page);
}

/** Until what was changed has been laid out. */
export async function painted(page: Page): Promise<void> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

/** Until the page is there, nothing is loading any more and fonts have come. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  const busy = page.locator('[data-loading=true], [aria-busy=true], .mantine-Skeleton-root');
  await waitFor(async () => (await busy.count()) === 0, { what: 'the end of loading', timeout_ms: 45_000 });
  // A message is two frames deep.
  const previews = page.frames().filter((each) => each.url().includes('/panel/preview'));
  for (const preview of previews) {
    const shown = async (): Promise<boolean> => {
      const [message] = preview.childFrames();
      // While it navigates there is nothing to read yet.
      const text = await message?.content().catch(() => '');
      return (text?.length ?? 0) > 50;
    };
    await waitFor(shown, { what: 'the message', timeout_ms: 45_000 });
  }
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

/** The search for pages, by its key. Pressed until it is there: keys count once the frame of the pages is. */
export async function openPalette(page: Page): Promise<Locator> {
  const input = page.getByPlaceholder('Pages, a mail id');
  const isOpen = async (): Promise<boolean> => {
    if (await input.isVisible()) return true;
    await page.keyboard.press('/');
    return false;
  };
  await waitFor(isOpen, { what: 'the search for pages', interval_ms: 500 });
  return input;
}

/** What the message inside of a frame is like is its sender's matter. */
export async function assertAccessible(page: Page, rules?: string[]): Promise<void> {
  const options: axe.RunOptions = {
    iframes: false,
    resultTypes: ['violations'],
    elementRef: false,
    ...(rules ? { runOnly: rules } : {}),
  };
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe.source);
  // Colours on their way to another theme are those of neither.
  await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
  const { violations } = await page.evaluate<axe.AxeResults>(`axe.run(document, ${JSON.stringify(options)})`);
  const findings = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`,
  );
  assert.deepEqual(findings, [], page.url());
}
