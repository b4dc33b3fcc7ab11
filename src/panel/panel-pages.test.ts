import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { panelPages } from './panel-pages.ts';

const script = 'export const answer = 42;';

function built(t: TestContext): FastifyInstance {
  const folder = mkdtempSync(path.join(tmpdir(), 'chq-panel-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, 'assets'));
  writeFileSync(path.join(folder, 'index.html'), '<meta property="csp-nonce" nonce="panel-nonce">');
  writeFileSync(path.join(folder, 'preview.html'), '<title>Message</title>');
  writeFileSync(path.join(folder, 'assets/panel-1.js'), script);
  writeFileSync(path.join(folder, 'assets/panel-1.js.gz'), gzipSync(script));
  writeFileSync(path.join(folder, 'assets/panel-1.js.br'), 'as brotli');
  return app(folder);
}

function app(folder: string): FastifyInstance {
  const server = Fastify();
  panelPages(folder)(server);
  return server;
}

test('every address of the panel is its page, never cached, with a nonce of its own', async (t) => {
  const server = built(t);
  const answers = await Promise.all(
    ['/panel/', '/panel/i/acme/mails'].map(async (url) => await server.inject(url)),
  );
  const nonces = answers.map(({ statusCode, headers, body }) => {
    assert.equal(statusCode, 200);
    assert.equal(headers['cache-control'], 'no-store');
    const [, nonce = ''] = /nonce="([^"]+)"/.exec(body) ?? [];
    const policy = String(headers['content-security-policy']);
    assert.ok(policy.includes(`style-src 'self' 'nonce-${nonce}'`), policy);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.match(policy, /default-src 'self'.*frame-ancestors 'none'/);
    return nonce;
  });
  assert.equal(new Set(nonces).size, 2);
});

test('a file is served for a year in the smallest encoding that the client takes', async (t) => {
  const server = built(t);
  const ask = async (accepted: string) =>
    await server.inject({ url: '/panel/assets/panel-1.js', headers: { 'accept-encoding': accepted } });
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip, br;q=0', 'gzip'],
    ['gzip;q=0.0, br;q=0', undefined],
    ['', undefined],
  ] as const) {
    const { headers } = await ask(accepted);
    assert.equal(headers['content-encoding'], encoding, accepted);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
    assert.equal(headers['vary'], 'Accept-Encoding');
  }
  assert.equal((await ask('')).body, script);
});

test('missing files and files outside of the folder are not found', async (t) => {
  const server = built(t);
  for (const url of [
    '/panel/assets/panel-2.js',
    '/panel/assets/panel-1.js.br',
    '/panel/%2e%2e/package.json',
  ]) {
    assert.notEqual((await server.inject(url)).statusCode, 200, url);
  }
});

test('a message is shown by a page without rights, which loads pictures only when asked to', async (t) => {
  const server = built(t);
  const policyOf = async (name: string) =>
    String((await server.inject(`/panel/${name}`)).headers['content-security-policy']);
  const plain = await policyOf('preview.html');
  assert.match(plain, /default-src 'none'/);
  assert.match(plain, /sandbox allow-scripts$/);
  assert.match(plain, /img-src data:;/);
  assert.match(await policyOf('preview-with-images.html'), /img-src data: https: http:;/);
});

test('the page says how to build the panel when it is not built', async () => {
  const { statusCode, body } = await app('/nowhere').inject('/panel/');
  assert.equal(statusCode, 503);
  assert.match(body, /npm run panel:build/);
});
