import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import { startTestServer } from '../support/test-database.ts';
import { startTestService } from '../support/test-service.ts';
import { takeBroadcastPictures } from './guide-broadcasts.fixture.ts';
import { takeContactPictures } from './guide-contacts.fixture.ts';
import { takeConsentPictures } from './guide-consent.fixture.ts';
import { takeFormPictures } from './guide-forms.fixture.ts';
import { takeTemplatePictures } from './guide-templates.fixture.ts';
import { createPanelDemo } from './panel-demo.fixture.ts';
import { openPanel, settled, signInAs } from './panel.fixture.ts';

/** `npm run docs:images -- templates`: the pictures of the guides with that name, of all without one, in docs/images. */
const guides = {
  broadcasts: takeBroadcastPictures,
  consent: takeConsentPictures,
  contacts: takeContactPictures,
  forms: takeFormPictures,
  templates: takeTemplatePictures,
};
const folder = path.resolve(import.meta.dirname, '../../docs/images');
const [wanted] = process.argv.slice(2);
const max_bytes = 100_000;

await mkdir(folder, { recursive: true });
const server = await startTestServer();
process.env['CHASQUI_TEST_SERVER'] = JSON.stringify(server.connection);
const service = await startTestService({ roles: 'api,web,delivery,jobs' });
const found = await launchBrowser();
try {
  if ('missing' in found) throw new Error(found.missing);
  const demo = await createPanelDemo(service);
  // People have names in guides.
  const email = 'paula@altiplano.example';
  await service.db.query('update users set email = $1 where email <> $2', [
    'diego@altiplano.example',
    demo.owner.email,
  ]);
  await service.db.query('update users set email = $1 where email = $2', [email, demo.owner.email]);
  const panel = await openPanel(found.browser, service.base_url, {
    colorScheme: 'light',
    viewport: { width: 1200, height: 800 },
  });
  await signInAs(panel.page, { ...demo.owner, email });
  for (const [name, take] of Object.entries(guides)) {
    if (wanted !== undefined && wanted !== name) continue;
    await take({
      page: panel.page,
      demo,
      take: async (picture, part) => await picturePart(panel.page, `${name}-${picture}.webp`, part),
    });
  }
} finally {
  if ('browser' in found) await found.browser.close();
  await service.stop();
  await server.stop();
}

/** As WebP, which the library does not write: of the window, or of one part of the page. */
async function picturePart(page: Page, name: string, part?: Locator): Promise<void> {
  await settled(page);
  await part?.scrollIntoViewIfNeeded();
  // Frames are painted some time after they have their content, and nothing tells when.
  await page.waitForTimeout(1_000);
  const box = await part?.boundingBox();
  const scrolled = await page.evaluate<number>('scrollY');
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 82,
    ...(box ? { clip: { ...box, y: box.y + scrolled, scale: 1 } } : {}),
    // Frames are not painted again for it: a part with one has to fit into the window.
    captureBeyondViewport:
      box !== null && box !== undefined && box.height > (page.viewportSize()?.height ?? 0),
  });
  await session.detach();
  const picture = Buffer.from(data, 'base64');
  if (picture.length > max_bytes) throw new Error(`${name} has ${picture.length} bytes.`);
  await writeFile(path.join(folder, name), picture);
  process.stdout.write(`wrote docs/images/${name}, ${Math.round(picture.length / 1000)} KB\n`);
}
