import type { FastifyInstance, FastifyReply } from 'fastify';
import { cachedFor } from '../base/cached-for.ts';
import { Problem } from '../base/errors/problem.ts';
import { escapeHtml, sendPage, wantsHtml } from '../base/http/html.ts';
import { anchorOf, renderMarkdown } from '../base/http/markdown.ts';
import { preferredLanguage } from '../base/http/preferred-language.ts';
import { parseQuery } from '../base/http/query-input.ts';
import { guideLayout, maxQuery } from './guide-layout.ts';
import { maxFound, plainHeading, searchGuides, type Found } from './guide-search.ts';
import {
  guideGroups,
  guides,
  guideText,
  guideTitle,
  isGuide,
  spanishGuides,
  spanishGuideText,
  type GuideName,
} from './guides.ts';

/** `/llms.txt` (llmstxt.org) and the guides it leads to: as plain text for programs that read, as pages for people. */
export function guidePages(app: FastifyInstance, address: { readonly base_url: string }): void {
  app.get('/llms.txt', async (_request, reply) => await sendText(reply, await llmsText(address.base_url)));
  app.get('/docs/guides', async ({ url }, reply) => {
    const query = (parseQuery(url).get('q') ?? '').trim().slice(0, maxQuery);
    return await sendPage(reply, query === '' ? await indexPage() : await searchPage(query));
  });
  for (const lang of ['es', 'en'] as const) {
    app.get<{ Params: { file: string } }>(
      `/docs/guides/${lang}/:file`,
      async ({ params, headers }, reply) => {
        const name = params.file.replace(/\.md$/, '');
        const text = !isGuide(name)
          ? undefined
          : lang === 'es'
            ? await spanishGuideText(name)
            : await guideText(name);
        if (text === undefined || !isGuide(name))
          throw new Problem('not_found', { detail: 'There is no such guide.' });
        reply.header('vary', 'accept');
        if (params.file !== name || !wantsHtml(headers.accept)) return await sendText(reply, text);
        const page = lang === 'es' ? await spanishPage(name) : undefined;
        return await sendPage(reply, page ?? (await pages[name]()));
      },
    );
  }
  app.get<{ Params: { file: string } }>('/docs/guides/:file', async ({ params, headers }, reply) => {
    const name = params.file.replace(/\.md$/, '');
    if (!isGuide(name)) throw new Problem('not_found', { detail: 'There is no such guide.' });
    const isForPeople = params.file === name && wantsHtml(headers.accept);
    reply.header('vary', 'accept, accept-language');
    const spanish = isForPeople && isSpanish(headers) ? await spanishPage(name) : undefined;
    return isForPeople
      ? await sendPage(reply, spanish ?? (await pages[name]()))
      : await sendText(reply, await guideText(name));
  });
}

/** By reader, as the index of the repository has them. */
async function indexPage(): Promise<string> {
  const groups = guideGroups.map(async ({ heading, names }) => {
    const items = names.map(async (name) => {
      const about = guides[name];
      return `<li><a href="/docs/guides/${name}">${escapeHtml(await guideTitle(name))}</a><p class="soft">${escapeHtml(`${about[0]?.toUpperCase()}${about.slice(1)}`)}</p></li>`;
    });
    return `<section><h2>${escapeHtml(heading)}</h2><ul class="list guides">${(await Promise.all(items)).join('\n')}</ul></section>`;
  });
  return guideLayout({
    title: 'Guides to Chasqui',
    body: `<h1>Guides</h1>\n<p class="lead">Send mail, know what became of it, and run the service.</p>\n${(await Promise.all(groups)).join('\n')}`,
  });
}

async function searchPage(query: string): Promise<string> {
  const found = await searchGuides(query);
  const results = found.map(
    ({ guide, title, heading, anchor, excerpt }) =>
      `<li><a href="/docs/guides/${guide}#${anchor}">${escapeHtml(heading)}</a>${heading === title ? '' : ` <span class="soft">in ${escapeHtml(title)}</span>`}<p class="soft">${marked(excerpt)}</p></li>`,
  );
  const many = `<p class="lead">${found.length}${found.length === maxFound ? ' or more' : ''} ${found.length === 1 ? 'section' : 'sections'} for <strong>${escapeHtml(query)}</strong></p>`;
  const none = `<p>Nothing is found for <strong>${escapeHtml(query)}</strong>. Try fewer words, or choose from <a href="/docs/guides">all guides</a>.</p>`;
  return guideLayout({
    title: `${query}: guides to Chasqui`,
    query,
    body: `<h1>Search</h1>\n${results.length > 0 ? `${many}<ul class="list found">${results.join('\n')}</ul>` : none}`,
  });
}

const marked = (pieces: Found['excerpt']): string =>
  pieces.map(({ text, isHit }) => (isHit ? `<mark>${escapeHtml(text)}</mark>` : escapeHtml(text))).join('');

/** Rendered once: they are part of the release. */
const pages = Object.fromEntries(
  (Object.keys(guides) as GuideName[]).map((name) => [
    name,
    cachedFor(Infinity, async () => await guidePage(name)),
  ]),
) as Record<GuideName, () => Promise<string>>;

const isSpanish = (headers: { 'accept-language'?: string | undefined }): boolean =>
  headers['accept-language'] !== undefined && preferredLanguage(headers['accept-language']) === 'es';

async function spanishPage(name: GuideName): Promise<string | undefined> {
  const text = await spanishGuideText(name);
  return text === undefined ? undefined : pageOf(text, { lang: 'es', other: `/docs/guides/en/${name}` });
}

async function guidePage(name: GuideName): Promise<string> {
  const other = spanishGuides.includes(name) ? `/docs/guides/es/${name}` : undefined;
  return pageOf(await guideText(name), { lang: 'en', other });
}

function pageOf(text: string, { lang, other }: { lang: 'en' | 'es'; other: string | undefined }): string {
  const headings = text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/^## (.+)$/gm);
  const [first = ''] = text.split('\n', 1);
  const label = lang === 'es' ? '<span lang="en">In English</span>' : '<span lang="es">En español</span>';
  const toOther = other === undefined ? '' : `<p class="soft"><a href="${other}">${label}</a></p>\n`;
  return guideLayout({
    lang,
    title: first.replace(/^# /, ''),
    body: toOther + renderMarkdown(text, { address: servedAddress }),
    contents: [...headings].map(([, section = '']) => ({
      anchor: anchorOf(section),
      heading: plainHeading(section),
    })),
  });
}

/** Links between guides lead to their pages. Files outside the guides are not served. */
function servedAddress(target: string): string | undefined {
  if (/^(?:mailto:|#)/.test(target)) return target;
  const [, name = '', anchor = ''] = /^(?:\.\.\/)?([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
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

> Accepts mail over HTTP and SMTP, delivers it, and records its status for each recipient.

Every call needs \`Authorization: Bearer <API key>\`; \`X-Instance-Slug: <slug>\` can be left out, and must be the key's instance if it is sent. Errors are problem documents (RFC 9457) with a stable \`code\`. Addresses at or below sandbox.test take the whole way through the service and reach nobody: use them for trials.

## For programs

- [OpenAPI](${base_url}/openapi.json): every operation with its schemas, errors and scopes
- [MCP server](${base_url}/mcp): the same operations as tools, streamable HTTP, with the same headers
- [Errors](${base_url}/docs/errors): what each problem type means

## Guides

${links.join('\n')}
`;
}
