import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { errorCatalogue, errorCodes } from '../../src/base/errors/catalogue.ts';
import { problemTypes } from '../../src/base/errors/problem-types.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { assertProblem } from './problems.fixture.ts';
import { send } from './raw-http.fixture.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(async () => await service.stop());

test('every problem type has a page that names its codes, and an unknown one has none', async () => {
  for (const slug of Object.keys(problemTypes)) {
    const answer = await fetch(`${service.base_url}/docs/errors/${slug}`);
    const html = await answer.text();
    assert.equal(answer.status, 200, slug);
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
    for (const code of errorCodes.filter((each) => errorCatalogue[each].type === slug)) {
      assert.ok(html.includes(`<code>${code}</code>`), `${slug} names ${code}`);
    }
  }
  const index = await (await fetch(`${service.base_url}/docs/errors`)).text();
  for (const slug of Object.keys(problemTypes))
    assert.ok(index.includes(`href="/docs/errors/${slug}"`), slug);
  for (const code of errorCodes) assert.ok(index.includes(`<code>${code}</code>`), code);
  for (const slug of ['nonsense', 'constructor', '__proto__', 'Forbidden']) {
    assertProblem(await send(service.base_url, { path: `/docs/errors/${slug}` }), 'not_found');
  }
});

test('the type of a problem leads to the page that explains it', async () => {
  const problem = (await (await fetch(`${service.base_url}/v1/fields`)).json()) as { type: string };
  const page = await fetch(problem.type);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /<code>unauthorized<\/code>/);
});

test('the reference loads nothing from anybody else, and could not if it tried', async () => {
  const page = await fetch(`${service.base_url}/docs`);
  const html = await page.text();
  const references = [...html.matchAll(/(?:src|href)\s*=\s*["']([^"']*)["']/g)].map(([, url = '']) => url);
  assert.deepEqual(references, ['js/scalar.js']);
  assert.doesNotMatch(html, /https?:|\/\/[a-z]/i);
  for (const setting of [
    '"withDefaultFonts": false',
    '"telemetry": false',
    '"showDeveloperTools": "never"',
    '"url": "/openapi.json"',
  ]) {
    assert.ok(html.includes(setting), setting);
  }
  assert.match(html, /"agent": \{\s*"disabled": true/);
  assert.match(html, /"mcp": \{\s*"disabled": true/);
  const policy = page.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'self'/);
  const hosts = [...policy.matchAll(/https?:\/\/[^\s;]+/g)].map(([url]) => url);
  assert.deepEqual(hosts, [service.base_url]);
});

test('the script of the reference comes whole, compressed to who takes it so', async () => {
  const load = async (encoding: string) => {
    const script = await fetch(`${service.base_url}/docs/js/scalar.js`, {
      headers: { 'accept-encoding': encoding },
    });
    assert.equal(script.status, 200);
    assert.match(script.headers.get('content-type') ?? '', /javascript/);
    return { encoding: script.headers.get('content-encoding'), text: await script.text() };
  };
  const packed = await load('br, gzip');
  assert.equal(packed.encoding, 'gzip');
  assert.match(packed.text, /createApiReference/);
  for (const encoding of ['identity', 'gzip;q=0, identity']) {
    assert.deepEqual(await load(encoding), { encoding: null, text: packed.text });
  }
});

test('pages of errors load nothing at all', async () => {
  const page = await fetch(`${service.base_url}/docs/errors/forbidden`);
  assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'/);
  assert.doesNotMatch(await page.text(), /<script|src=|url\(|https?:/);
});
