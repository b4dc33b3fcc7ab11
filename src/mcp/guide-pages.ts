import type { FastifyInstance, FastifyReply } from 'fastify';
import { Problem } from '../base/errors/problem.ts';
import { guides, guideText, guideTitle, isGuide, type GuideName } from './guides.ts';

/** `/llms.txt` (llmstxt.org) and the guides it leads to, as plain text for programs that read. */
export function guidePages(app: FastifyInstance, address: { readonly base_url: string }): void {
  app.get('/llms.txt', async (_request, reply) => await sendText(reply, await llmsText(address.base_url)));
  app.get<{ Params: { file: string } }>('/docs/guides/:file', async ({ params }, reply) => {
    const name = params.file.replace(/\.md$/, '');
    if (!isGuide(name)) throw new Problem('not_found', { detail: 'There is no such guide.' });
    return await sendText(reply, await guideText(name));
  });
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
