import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { errorCatalogue, errorCodes } from '../errors/catalogue.ts';
import { problemTypes, type ProblemSlug } from '../errors/problem-types.ts';
import { Problem } from '../errors/problem.ts';
import { escapeHtml, htmlPage, page_security_policy } from './html.ts';

/** The reference at /docs, from files of this server alone, and a page for every problem type below it. */
export function registerDocsPages(app: FastifyInstance, address: { readonly base_url: string }): void {
  // Loaded where it is served: reading its files took every command of the command line a fifth of a second.
  app.register(import('@scalar/fastify-api-reference') as never, {
    routePrefix: '/docs',
    hooks: {
      onRequest: async (request: FastifyRequest, reply: FastifyReply) => {
        requireHostName(request);
        reply.header('content-security-policy', referencePolicy(address.base_url));
      },
    },
    configuration: {
      url: '/openapi.json',
      pageTitle: 'Chasqui API',
      // Each of these would otherwise call a server of somebody else.
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
    },
  });
  app.get('/docs/errors', async (_request, reply) => await sendPage(reply, indexPage()));
  app.get<{ Params: { slug: string } }>('/docs/errors/:slug', async (request, reply) => {
    const { slug } = request.params;
    if (!Object.hasOwn(problemTypes, slug))
      throw new Problem('not_found', { detail: 'There is no such page.' });
    return await sendPage(reply, problemPage(slug as ProblemSlug));
  });
}

/** The reference makes a URL of the Host header, which HTTP/1.0 need not have. */
function requireHostName({ headers }: FastifyRequest): void {
  if (!headers.host) throw new Problem('bad_request', { detail: 'This page needs a Host header.' });
}

/** Behind the settings above: the browser itself lets the reference talk to this service and to nobody else. */
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

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', page_security_policy)
    .header('cache-control', 'public, max-age=300')
    .send(html);
}

function indexPage(): string {
  const rows = Object.entries(problemTypes).map(
    ([slug, { status, title }]) =>
      `<tr><td>${status}</td><td><a href="/docs/errors/${slug}">${escapeHtml(title)}</a></td></tr>`,
  );
  return htmlPage({
    title: 'Errors of the Chasqui API',
    body: `<h1>Errors</h1>
<p>Every error is a problem document (RFC 9457). Its <code>type</code> leads to one of these pages; switch on its <code>code</code>.</p>
<table><thead><tr><th>Status</th><th>Problem</th></tr></thead><tbody>${rows.join('\n')}</tbody></table>`,
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
