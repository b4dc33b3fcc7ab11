import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../test/support/test-service.ts';
import { guides } from './guides.ts';

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

test('nothing but the guides is served', async () => {
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

test('the service tells where its MCP server and its guides are', async () => {
  const links = (await (await fetch(`${service.base_url}/`)).json()) as Record<string, string>;
  assert.deepEqual(
    [links['mcp'], links['llms']],
    [`${service.base_url}/mcp`, `${service.base_url}/llms.txt`],
  );
});
