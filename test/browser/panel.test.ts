import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser } from '../support/browser.ts';
import { startDnsServer, type DnsServer } from '../support/dns-server.ts';
import type { Login } from '../support/panel-user.ts';
import { startTestService, type Tenant, type TestService } from '../support/test-service.ts';
import { waitFor } from '../support/wait-for.ts';
import {
  columnWidths,
  type ColumnWidths,
  findCutCells,
  findMoved,
  findUnevenColumns,
} from './cut-cells.fixture.ts';
import { createPanelDemo, type PanelDemo } from './panel-demo.fixture.ts';
import { addressesOf } from './panel-pages.fixture.ts';
import {
  assertAccessible,
  goInside,
  openPalette,
  painted,
  panelFor,
  settled,
  signInAs,
  type FoundBrowser,
} from './panel.fixture.ts';

let dns: DnsServer;
let service: TestService;
let tenant: Tenant;
let owner: Login;
let demo: PanelDemo;
let found: FoundBrowser;
before(async () => {
  found = await launchBrowser();
  dns = await startDnsServer({});
  service = await startTestService({
    roles: 'api,web,delivery',
    env: { CHASQUI_DNS_SERVERS: dns.address },
  });
  demo = await createPanelDemo(service, dns);
  ({ tenant, owner } = demo);
});
after(async () => {
  if ('browser' in found) await found.browser.close();
  await service.stop();
  await dns.stop();
});

const here = () => ({ found, base_url: service.base_url });
test('a visitor who is not signed in signs in first and comes back to the same address', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page, browserErrors } = panel;
  const wanted = `/panel/i/${tenant.instance.slug}/senders?email=test`;
  await signInAs(page, owner, wanted);
  await page.getByRole('heading', { name: 'Senders' }).waitFor();
  assert.equal(page.url(), `${service.base_url}${wanted}`);
  assert.deepEqual(browserErrors, []);
});

test('a reload keeps the session, and no storage has a token', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  await signInAs(page, owner);
  await page.goto(`/panel/i/${tenant.instance.slug}/senders`);
  await page.getByRole('link', { name: 'test@' }).waitFor();
  const stored = await page.evaluate<string>(
    'JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie])',
  );
  assert.doesNotMatch(stored, /eyJ|[A-Za-z0-9_-]{43}/);
});

test('signing out ends the session in every tab', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  await signInAs(page, owner);
  const other = await page.context().newPage();
  await other.goto(`/panel/i/${tenant.instance.slug}/senders`);
  await other.getByRole('heading', { name: 'Senders' }).waitFor();
  await page.locator('[data-user-menu]').click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await other.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('the other instance is not there for a member of one', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const other = await service.tenant();
  await signInAs(panel.page, owner, `/panel/i/${other.instance.slug}/senders`);
  await panel.page.getByText('You are not a member of').waitFor();
});

test('an outage is said in a bar, which goes by itself when it is over', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  await signInAs(page, owner);
  const link = page.getByRole('link', { name: 'Senders' });
  await link.waitFor();
  await page.context().setOffline(true);
  await link.click();
  await page.getByText('You are offline').waitFor();
  await page.context().setOffline(false);
  await page.getByText('You are offline').waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: /test@/ }).waitFor();
});

test('a page whose code does not come is not reloaded before the service answers', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  await signInAs(page, owner);
  const link = page.getByRole('link', { name: 'Senders' });
  await link.waitFor();
  await settled(page);
  await openPalette(page);
  await page.keyboard.press('Escape');
  const isCut = (url: URL): boolean => url.pathname.endsWith('.js') || url.pathname === '/readyz';
  await page.route(isCut, async (route) => await route.abort());
  const loads: string[] = [];
  page.on('request', (request) => void (request.isNavigationRequest() && loads.push(request.url())));
  await link.click();
  const bar = page.getByText('You are offline');
  await bar.waitFor();
  // The navigation names the new page already: the one before does not stand there as if it were that.
  await page.getByRole('heading', { name: 'This page has not loaded yet' }).waitFor();
  // What the palette lists says that the service answers.
  const answer = page.waitForResponse((response) => response.url().includes('/v1/') && response.ok());
  await (await openPalette(page)).fill('senders');
  await answer;
  await page.keyboard.press('Escape');
  await bar.waitFor({ state: 'detached' });
  await bar.waitFor();
  assert.deepEqual(loads, []);
  await page.unroute(isCut);
  await page.getByRole('cell', { name: /test@/ }).waitFor();
});

test('the language is the browser’s until another is chosen', async (t) => {
  const panel = await panelFor(t, here(), { locale: 'es-CL' });
  if (!panel) return;
  const { page } = panel;
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const isAsked = (language: string): boolean => asked.some((url) => url.includes(`-messages-${language}-`));
  await signInAs(page, owner, `/panel/i/${tenant.instance.slug}/senders`);
  await page.getByRole('heading', { name: 'Remitentes' }).waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'es');
  assert.deepEqual([isAsked('es'), isAsked('en')], [true, false], 'words of one language come');
  await page.locator('[data-user-menu]').click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.getByRole('heading', { name: 'Senders' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Senders' }).waitFor();
});

test('/ finds pages from anywhere, j walks the rows, Escape closes', async (t) => {
  const panel = await panelFor(t, here());
  if (!panel) return;
  const { page } = panel;
  await signInAs(page, owner);
  // The keys count once the frame of the pages is there.
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled(page);
  await (await openPalette(page)).fill('senders');
  const matches = page.getByRole('dialog').getByRole('button');
  await waitFor(async () => (await matches.allTextContents()).join().startsWith('Senders'), {
    what: 'the list to be filtered',
  });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: /test@/ }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Edit sender' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('every page is free of axe violations and of console errors, light and dark, and its lists can be read at every width', async (t) => {
  const panel = await panelFor(t, here(), { colorScheme: 'light' });
  if (!panel) return;
  const { page, browserErrors } = panel;
  await page.goto('/panel/sign-in');
  await settled(page);
  await assertAccessible(page);
  await signInAs(page, owner);
  const cut: string[] = [];
  let cells = 0;
  for (const path of addressesOf(demo)) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await goInside(page, path);
    await assertAccessible(page);
    // The structure is the same in both themes; the colours are not.
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('html[data-mantine-color-scheme=dark]').waitFor();
    await assertAccessible(page, ['color-contrast']);
    await page.emulateMedia({ colorScheme: 'light' });
    let first: ColumnWidths | undefined;
    for (const width of [1280, 390, 768, 1440, 1920, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      await painted(page);
      const columns = await columnWidths(page);
      first ??= columns;
      if (width === 1280) cut.push(...findMoved(first, columns).map((each) => `${path}: ${each}`));
      const seen = await findCutCells(page);
      cells += seen.cells;
      const uneven = width < 600 ? [] : await findUnevenColumns(page);
      cut.push(...[...seen.cut, ...uneven].map((each) => `${path} at ${width}: ${each}`));
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      assert.ok(wide <= width, `${path} is ${wide} wide at ${width}`);
    }
  }
  assert.deepEqual(cut, []);
  assert.ok(cells > 1_000, `${cells} cells`);
  assert.deepEqual(browserErrors, []);
});
