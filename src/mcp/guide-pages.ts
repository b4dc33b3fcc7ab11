import type { FastifyInstance, FastifyReply } from 'fastify';
import { Problem } from '../base/errors/problem.ts';
import { escapeHtml, htmlPage, page_security_policy, wantsHtml } from '../base/http/html.ts';
import { renderMarkdown } from '../base/http/markdown.ts';
import { parseQuery } from '../base/http/query-input.ts';
import { searchGuides } from './guide-search.ts';
import { guides, guideText, guideTitle, isGuide, type GuideName } from './guides.ts';

/** `/llms.txt` (llmstxt.org) and the guides it leads to: as plain text for programs that read, as pages for people. */
export function guidePages(app: FastifyInstance, address: { readonly base_url: string }): void {
  app.get('/llms.txt', async (_request, reply) => await sendText(reply, await llmsText(address.base_url)));
  app.get('/docs/guides', async ({ url }, reply) => {
    const query = parseQuery(url).get('q') ?? '';
    return await sendPage(reply, await indexPage(query.slice(0, max_query)));
  });
  app.get<{ Params: { file: string } }>('/docs/guides/:file', async ({ params, headers }, reply) => {
    const name = params.file.replace(/\.md$/, '');
    if (!isGuide(name)) throw new Problem('not_found', { detail: 'There is no such guide.' });
    const isForPeople = params.file === name && wantsHtml(headers.accept);
    reply.header('vary', 'accept');
    return isForPeople
      ? await sendPage(reply, await guidePage(name))
      : await sendText(reply, await guideText(name));
  });
}

const max_query = 100;

function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', page_security_policy)
    .header('cache-control', 'public, max-age=300')
    .send(html);
}

const ways =
  '<p><a href="/docs/guides">All guides</a> · <a href="/docs/">API reference</a> · <a href="/docs/errors">Errors</a></p>';

function searchForm(query: string): string {
  return `<form role="search" action="/docs/guides"><label for="q">Search the guides</label>
<input type="search" id="q" name="q" maxlength="${max_query}" value="${escapeHtml(query)}"> <button>Search</button></form>`;
}

async function indexPage(query: string): Promise<string> {
  const found = await searchGuides(query);
  const results = found.map(
    ({ guide, title, heading, anchor, excerpt }) =>
      `<li><a href="/docs/guides/${guide}#${anchor}">${escapeHtml(heading === title ? title : `${title}: ${heading}`)}</a><br><span class="soft">${escapeHtml(excerpt)}</span></li>`,
  );
  const names = Object.entries(guides).map(
    async ([name, about]) =>
      `<tr><td><a href="/docs/guides/${name}">${escapeHtml(await guideTitle(name as GuideName))}</a></td><td>${escapeHtml(about)}</td></tr>`,
  );
  const list = `<table><thead><tr><th>Guide</th><th>About</th></tr></thead><tbody>${(await Promise.all(names)).join('\n')}</tbody></table>`;
  const none = `<p>Nothing is found for <strong>${escapeHtml(query)}</strong>.</p>`;
  const answer = results.length > 0 ? `<ul>${results.join('\n')}</ul>` : none;
  return htmlPage({
    title: query === '' ? 'Guides to Chasqui' : `${query}: guides to Chasqui`,
    body: `<h1>Guides</h1>\n${searchForm(query)}\n${query === '' ? list : `${answer}\n${ways}`}`,
  });
}

async function guidePage(name: GuideName): Promise<string> {
  const body = renderMarkdown(await guideText(name), { address: servedAddress });
  return htmlPage({ title: await guideTitle(name), body: `${ways}\n${body}\n${ways}` });
}

/** Links between guides lead to their pages. What is in the repository alone is not served. */
function servedAddress(target: string): string | undefined {
  if (/^(?:https?:|mailto:|#)/.test(target)) return target;
  const [, name = '', anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
  return isGuide(name) ? `/docs/guides/${name}${anchor}` : undefined;
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.type('text/plain; charset=utf-8').header('cache-control', 'public, max-age=300').send(text);
}

async function llmsText(base_url: string): Promise<string> {
  const links = await Promise.all(
    Object.entries(guides).map(
      async ([name, about]) =>
        `- [${await guideTitle(name as GuideName)}](${base_url}/docs/guides/${name}.md): ${about}`,
    ),
  );
  return `# Chasqui

> Accepts mail over HTTP and SMTP, delivers it, and records per recipient what became of it.

Every call needs \`Authorization: Bearer <API key>\` and \`X-Instance-Slug: <slug>\`. Errors are problem documents (RFC 9457) with a stable \`code\`. Addresses at or below sandbox.test take the whole way through the service and reach nobody: use them for trials.

## For programs

- [OpenAPI](${base_url}/openapi.json): every operation with its schemas, errors and scopes
- [MCP server](${base_url}/mcp): the same operations as tools, streamable HTTP, with the same two headers
- [Errors](${base_url}/docs/errors): what each problem type means

## Guides

${links.join('\n')}
`;
}
