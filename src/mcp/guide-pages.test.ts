import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { runWithFewFiles } from '../../test/support/few-files.ts';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { guideGroups, guides } from './guides.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(async () => await service.stop());

const folder = path.resolve(import.meta.dirname, '../../docs');

test('every guide is served', () => {
  const files = readdirSync(folder).filter((file) => file.endsWith('.md') && file !== 'README.md');
  assert.deepEqual(
    files.toSorted(),
    Object.keys(guides)
      .map((name) => `${name}.md`)
      .toSorted(),
  );
});

test('/llms.txt leads to all of them, as plain text', async () => {
  const response = await fetch(`${service.base_url}/llms.txt`);
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
  const text = await response.text();
  assert.match(text, /^# Chasqui\n\n> /);
  const links = [...text.matchAll(/\]\((\S+)\)/g)].map(([, link = '']) => link);
  assert.ok(links.length > Object.keys(guides).length);
  for (const link of links.filter((each) => !each.endsWith('/mcp'))) {
    assert.ok(link.startsWith(service.base_url), link);
    const page = await fetch(link);
    assert.equal(page.status, 200, link);
    const content = await page.text();
    if (link.endsWith('.md')) assert.match(content, /^# .+\n\n/);
  }
});

const asBrowser = { headers: { accept: 'text/html,application/xhtml+xml;q=0.9' } };

test('a person reads a guide as a page whose links lead somewhere', async () => {
  const targets = new Set<string>();
  for (const name of Object.keys(guides)) {
    const page = await fetch(`${service.base_url}/docs/guides/${name}`, asBrowser);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8', name);
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
    const html = await page.text();
    assert.match(html, /<h1 id="[^"]+">/, name);
    assert.doesNotMatch(
      html.replaceAll(/<pre[^]*?<\/pre>|<code>.*?<\/code>/g, ''),
      /```|\]\(|\*\*|<script|src=/,
      name,
    );
    for (const [, target = ''] of html.matchAll(/<a href="(\/[^"]*)"/g)) targets.add(target);
    for (const [, anchor = ''] of html.matchAll(/<a href="#([^"]*)"/g))
      assert.ok(html.includes(`id="${anchor}"`), anchor);
  }
  assert.ok(targets.size > 20);
  const pages = Map.groupBy(targets, (target) => target.split('#')[0] ?? '');
  for (const [page, inside] of pages) {
    const answer = await fetch(`${service.base_url}${page}`, asBrowser);
    assert.equal(answer.status, 200, page);
    const html = await answer.text();
    for (const target of inside) {
      const [, anchor] = target.split('#');
      if (anchor !== undefined) assert.ok(html.includes(`id="${anchor}"`), target);
    }
  }
});

test('the guides are listed and searched', async () => {
  const read = async (address: string) => await (await fetch(`${service.base_url}${address}`)).text();
  const index = await read('/docs/guides');
  for (const name of Object.keys(guides)) assert.ok(index.includes(`href="/docs/guides/${name}"`), name);
  assert.deepEqual(
    guideGroups.flatMap(({ names }) => names).toSorted(),
    Object.keys(guides).toSorted(),
    'each in one group',
  );
  assert.match(await read('/docs/guides?q=BOUNCE'), /\d+ (?:or more )?sections for [^]*<mark>bounce<\/mark>/);
  assert.match(await read('/docs/guides?q=one-click+unsubscribe'), /href="\/docs\/guides\/suppressions#/);
  assert.match(await read('/docs/guides?q=Retry-After+endpoint'), /href="\/docs\/guides\/webhooks#/);
  assert.match(
    await read('/docs/guides?q=%3Cscript%3Exyzzy'),
    /Nothing is found for <strong>&lt;script&gt;xyzzy</,
  );
  assert.equal((await fetch(`${service.base_url}/docs/guides?q=a&q=b`)).status, 200);
});

test('only guides are served', async () => {
  for (const file of [
    'none.md',
    '..%2fREADME.md',
    '..%2f..%2fpackage.json',
    'decisions%2fmcp.md',
    'toString',
    '%00.md',
  ]) {
    const response = await fetch(`${service.base_url}/docs/guides/${file}`);
    const { code } = (await response.json()) as { code: string };
    assert.deepEqual([response.status, code], [404, 'not_found'], file);
  }
});

test('a browser gets a page at the root and an icon, a program gets JSON', async () => {
  const page = await fetch(`${service.base_url}/`, asBrowser);
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  assert.match(await page.text(), /<h1>Chasqui<\/h1>[^]*href="\/docs\/guides"/);
  for (const accept of ['*/*', 'application/json']) {
    const answer = await fetch(`${service.base_url}/`, { headers: { accept } });
    assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  }
  const icon = await fetch(`${service.base_url}/favicon.ico`);
  assert.equal(icon.headers.get('content-type'), 'image/svg+xml');
  assert.match(await icon.text(), /^<svg /);
});

test('the service tells where its MCP server and its guides are', async () => {
  const links = (await (await fetch(`${service.base_url}/`)).json()) as Record<string, string>;
  assert.deepEqual(
    [links['mcp'], links['llms']],
    [`${service.base_url}/mcp`, `${service.base_url}/llms.txt`],
  );
});

test('a guide that could not be read for want of files is read the next time', async () => {
  const moduleAt = (file: string): string => JSON.stringify(new URL(file, import.meta.url).href);
  const output = await runWithFewFiles(`
    import { takeAllFiles } from ${moduleAt('../../test/support/few-files.ts')};
    import { guideText } from ${moduleAt('guides.ts')};
    import { searchGuides } from ${moduleAt('guide-search.ts')};
    const ask = async () => await Promise.allSettled([guideText('smtp'), searchGuides('smtp')]);
    const release = takeAllFiles();
    const during = await ask();
    release();
    // Reads that were under way may end the first of these.
    const after = await ask().then(ask);
    console.log(JSON.stringify([...during, ...after].map(({ status }) => status)));
  `);
  assert.deepEqual(JSON.parse(output), ['rejected', 'rejected', 'fulfilled', 'fulfilled']);
});

test('a guide that there is in Spanish is shown by the language of the reader, or by its path', async () => {
  const show = async (guide: string, language: string): Promise<[number, string]> => {
    const headers = { accept: 'text/html', 'accept-language': language };
    const page = await fetch(`${service.base_url}/docs/guides/${guide}`, { headers });
    const [, lang = '', title = ''] =
      /<html lang="(..)">[^]*?<h1[^>]*>(.*?)<\/h1>/.exec(await page.text()) ?? [];
    return [page.status, `${lang} ${title}`];
  };
  const [english, spanish] = ['en Privacy requests', 'es Solicitudes de derechos'];
  assert.deepEqual(await show('rights', 'es-CL'), [200, spanish]);
  assert.deepEqual(await show('rights', 'en'), [200, english]);
  assert.deepEqual(await show('es/rights', 'en'), [200, spanish]);
  assert.deepEqual(await show('en/rights', 'es'), [200, english]);
  assert.match((await show('sending', 'es'))[1], /^en /);
  assert.equal((await show('es/sending', 'es'))[0], 404);
  const plain = await fetch(`${service.base_url}/docs/guides/es/rights.md`);
  assert.match(await plain.text(), /^# Solicitudes de derechos/);
});
