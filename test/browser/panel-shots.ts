import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { launchBrowser } from '../support/browser.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { startTestServer } from '../support/test-database.ts';
import { startTestService } from '../support/test-service.ts';
import { createPanelDemo } from './panel-demo.fixture.ts';
import { addressesOf } from './panel-pages.fixture.ts';
import { openPanel, settled, signInAs } from './panel.fixture.ts';

/**
 * `npm run panel:shots -- mails --width 390,1440 --theme dark --language es`: pictures of the pages whose name has that
 * part, in panel/shots. Without words: of all pages, in every width, theme and language.
 */
const folder = path.resolve(import.meta.dirname, '../../panel/shots');
const { values: chosen, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    width: { type: 'string', default: '390,768,1280,1440,1920' },
    theme: { type: 'string', default: 'light,dark' },
    language: { type: 'string', default: 'en,es' },
  },
});
const locales: Record<string, string> = { en: 'en-US', es: 'es-CL' };
const isWanted = (name: string): boolean =>
  positionals.length === 0 ||
  positionals.some((part) => part === name || (part.endsWith('*') && name.startsWith(part.slice(0, -1))));
const windows = chosen.width
  .split(',')
  .map((width) => ({ width: Number(width), height: Number(width) < 600 ? 844 : 900 }));

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const server = await startTestServer();
process.env['CHASQUI_TEST_SERVER'] = JSON.stringify(server.connection);
const dns = await startDnsServer({});
const service = await startTestService({
  roles: 'api,web,delivery,jobs',
  env: { CHASQUI_DNS_SERVERS: dns.address },
});
const found = await launchBrowser();
try {
  if ('missing' in found) throw new Error(found.missing);
  const demo = await createPanelDemo(service, dns);
  const pages = addressesOf(demo)
    .map((address, at, all) => ({ name: nameOf(address, all.slice(0, at)), address }))
    .filter(({ name }) => isWanted(name));
  for (const language of chosen.language.split(',')) {
    for (const colorScheme of chosen.theme.split(',') as ('light' | 'dark')[]) {
      const [viewport] = windows;
      const locale = locales[language] ?? language;
      const panel = await openPanel(found.browser, service.base_url, {
        colorScheme,
        locale,
        ...(viewport ? { viewport } : {}),
      });
      const take = async (name: string, width: number): Promise<void> => {
        const file = `${name}.${language}.${colorScheme}.${width}.png`;
        await panel.page.screenshot({ path: path.join(folder, file), fullPage: true });
      };
      await panel.page.goto('/panel/sign-in');
      await settled(panel.page);
      if (isWanted('sign-in')) await take('sign-in', viewport?.width ?? 0);
      await signInAs(panel.page, demo.owner);
      for (const { name, address } of pages) {
        await panel.page.goto(address);
        for (const size of windows) {
          await panel.page.setViewportSize(size);
          await settled(panel.page);
          // Frames below the window are not painted: the window grows to the page.
          const height = await panel.page.evaluate<number>('document.documentElement.scrollHeight');
          if (height > size.height && panel.page.frames().length > 1) {
            await panel.page.setViewportSize({ ...size, height });
            await settled(panel.page);
          }
          await take(name, size.width);
        }
      }
      for (const line of panel.browserErrors) process.stdout.write(`${colorScheme} ${language}: ${line}\n`);
      await panel.close();
    }
  }
  process.stdout.write(`wrote ${folder}\n`);
} finally {
  if ('browser' in found) await found.browser.close();
  await service.stop();
  await dns.stop();
  await server.stop();
}

/** `mails`, `domains-id`, `domains-id-2`: an address as the name of a file. */
function nameOf(address: string, before: string[]): string {
  const same = before.filter((each) => plainName(each) === plainName(address)).length;
  return same === 0 ? plainName(address) : `${plainName(address)}-${same + 1}`;
}

function plainName(address: string): string {
  const [, page = ''] = /^\/panel(?:\/i\/[^/]+)?\/?(.*)$/.exec(address) ?? [];
  const plain = page.replaceAll(/[0-9a-f-]{36}|\b\d+\b/g, 'id').replaceAll(/\W+/g, '-');
  return plain === '' ? 'overview' : plain;
}
