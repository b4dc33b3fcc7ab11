import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { launchBrowser } from '../support/browser.ts';
import { startTestServer } from '../support/test-database.ts';
import { startTestService } from '../support/test-service.ts';
import { createPanelDemo } from './panel-demo.fixture.ts';
import { addressesOf } from './panel-pages.fixture.ts';
import { openPanel, settled, signInAs } from './panel.fixture.ts';

/** `npm run panel:shots -- mails`: pictures of the pages whose name has that part, of all without one, in panel/shots. */
const folder = path.resolve(import.meta.dirname, '../../panel/shots');
const [wanted = ''] = process.argv.slice(2);
const windows = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
};

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const server = await startTestServer();
process.env['CHASQUI_TEST_SERVER'] = JSON.stringify(server.connection);
const service = await startTestService({ roles: 'api,web,delivery,jobs' });
const found = await launchBrowser();
try {
  if ('missing' in found) throw new Error(found.missing);
  const demo = await createPanelDemo(service);
  const pages = addressesOf(demo)
    .map((address) => ({ name: nameOf(address), address }))
    .filter(({ name }) => name.includes(wanted));
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const [size, viewport] of Object.entries(windows)) {
      const panel = await openPanel(found.browser, service.base_url, { colorScheme, viewport });
      await panel.page.goto('/panel/sign-in');
      await settled(panel.page);
      await panel.page.screenshot({ path: path.join(folder, `sign-in.${colorScheme}.${size}.png`) });
      await signInAs(panel.page, demo.owner);
      for (const { name, address } of pages) {
        await panel.page.setViewportSize(viewport);
        await panel.page.goto(address);
        await settled(panel.page);
        // Frames below the window are not painted: the window grows to the page.
        const height = await panel.page.evaluate<number>('document.documentElement.scrollHeight');
        await panel.page.setViewportSize({ ...viewport, height: Math.max(height, viewport.height) });
        await settled(panel.page);
        await panel.page.screenshot({
          path: path.join(folder, `${name}.${colorScheme}.${size}.png`),
          fullPage: true,
        });
      }
      for (const line of panel.trouble) process.stdout.write(`${colorScheme} ${size}: ${line}\n`);
      await panel.close();
    }
  }
  process.stdout.write(`wrote ${folder}\n`);
} finally {
  if ('browser' in found) await found.browser.close();
  await service.stop();
  await server.stop();
}

/** `mails`, `domains-id`: an address as the name of a file. */
function nameOf(address: string): string {
  const [, page = ''] = /^\/panel(?:\/i\/[^/]+)?\/?(.*)$/.exec(address) ?? [];
  const plain = page.replaceAll(/[0-9a-f-]{36}|\b\d+\b/g, 'id').replaceAll(/\W+/g, '-');
  return plain === '' ? 'overview' : plain;
}
