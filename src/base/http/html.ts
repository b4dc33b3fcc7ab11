import type { FastifyReply } from 'fastify';
import { dark, light, systemFont } from '../brand.ts';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] as string);
}

/** Nothing is loaded from anywhere and no script runs; the one style sheet is inline. */
export const pageSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

const style = `
:root { color-scheme: light dark; --ink: light-dark(${light.ink}, ${dark.ink}); --soft: light-dark(${light.soft}, ${dark.soft});
  --line: light-dark(${light.line}, ${dark.line}); --paper: light-dark(${light.card}, ${dark.paper});
  --accent: light-dark(${light.accent}, ${dark.accent}); }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 ${systemFont}; }
main { max-width: 44rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 .5rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
a { color: var(--accent); } .soft { color: var(--soft); } code { font: .9em ui-monospace, monospace; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0;
  border-bottom: 1px solid var(--line); overflow-wrap: anywhere; } th { font-weight: 600; }
pre { overflow: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .375rem; font-size: .875rem; }
input, button { font: inherit; padding: .3rem .6rem; }`;

/** Whether a browser asks, and not a program. */
export function wantsHtml(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes('text/html') ?? false;
}

export function sendPage(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', pageSecurityPolicy)
    .header('cache-control', 'public, max-age=300')
    .send(html);
}

/** A page for people. `body` is HTML whose values are already escaped. */
export function htmlPage({
  title,
  body,
  lang = 'en',
}: {
  title: string;
  body: string;
  lang?: string;
}): string {
  return `<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}
