import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { markSvg } from '../brand.ts';
import { errorCatalogue, errorCodes } from '../errors/catalogue.ts';
import { problemTypes, type ProblemSlug } from '../errors/problem-types.ts';
import { Problem } from '../errors/problem.ts';
import { apiReference } from './api-reference.ts';
import { escapeHtml, htmlPage, sendPage } from './html.ts';

/** The reference at /docs, from files of this server only, and a page for every problem type below it. */
export function registerDocsPages(app: FastifyInstance, address: { readonly base_url: string }): void {
  app.get('/docs', async (_request, reply) => await reply.redirect('/docs/', 301));
  app.get('/docs/', async (_request, reply) => {
    const { html } = await apiReference();
    return await reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', referencePolicy(address.base_url))
      .send(html);
  });
  app.get('/docs/js/scalar.js', async ({ headers }, reply) => {
    const { script } = await apiReference();
    reply.type('application/javascript; charset=utf-8').header('vary', 'accept-encoding');
    const takesGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:\s|,|$))/i.test(headers['accept-encoding'] ?? '');
    if (takesGzip) return await reply.header('content-encoding', 'gzip').send(script);
    return await reply.send(Readable.from([script]).pipe(createGunzip()));
  });
  for (const path of ['/favicon.ico', '/favicon.svg']) {
    app.get(path, async (_request, reply) => {
      reply.type('image/svg+xml').header('cache-control', 'public, max-age=86400');
      return await reply.send(markSvg);
    });
  }
  app.get('/docs/errors', async (_request, reply) => await sendPage(reply, indexPage()));
  app.get<{ Params: { slug: string } }>('/docs/errors/:slug', async (request, reply) => {
    const { slug } = request.params;
    if (!Object.hasOwn(problemTypes, slug))
      throw new Problem('not_found', { detail: 'There is no such page.' });
    return await sendPage(reply, problemPage(slug as ProblemSlug));
  });
}

/** Behind the settings of the reference: the browser lets the reference call only this service. */
function referencePolicy(base_url: string): string {
  return [
    "default-src 'self'",
    "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    `connect-src 'self' ${new URL(base_url).origin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function indexPage(): string {
  const rows = Object.entries(problemTypes).map(
    ([slug, { status, title }]) =>
      `<tr><td>${status}</td><td><a href="/docs/errors/${slug}">${escapeHtml(title)}</a></td></tr>`,
  );
  const codes = errorCodes.toSorted().map((code) => {
    const { type, detail } = errorCatalogue[code];
    return `<tr><td><a href="/docs/errors/${type}"><code>${code}</code></a></td><td>${problemTypes[type].status}</td><td>${escapeHtml(detail)}</td></tr>`;
  });
  return htmlPage({
    title: 'Errors of the Chasqui API',
    body: `<h1>Errors</h1>
<p>Every error is a problem document (RFC 9457). Its <code>type</code> leads to one of these pages; switch on its <code>code</code>.</p>
<table><thead><tr><th>Status</th><th>Problem</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>
<h2 id="codes">All codes</h2>
<table><thead><tr><th>Code</th><th>Status</th><th>Meaning</th></tr></thead><tbody>${codes.join('\n')}</tbody></table>
<p><a href="/docs/guides">Guides</a> · <a href="/docs/">API reference</a></p>`,
  });
}

function problemPage(slug: ProblemSlug): string {
  const { status, title, about } = problemTypes[slug];
  const rows = errorCodes
    .filter((code) => errorCatalogue[code].type === slug)
    .map(
      (code) => `<tr><td><code>${code}</code></td><td>${escapeHtml(errorCatalogue[code].detail)}</td></tr>`,
    );
  return htmlPage({
    title: `${status} ${title}`,
    body: `<p class="soft">Problem type, HTTP status ${status}</p>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(about)}</p>
<h2>Codes</h2>
<table><thead><tr><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>
<p><a href="/docs/errors">All problem types</a> · <a href="/docs">API reference</a></p>`,
  });
}
