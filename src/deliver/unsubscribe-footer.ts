import { escapeHtml } from '../base/http/html.ts';
import { scanLinks } from '../protocol/html/scan-links.ts';
import type { TemplateContent } from '../templates/index.ts';

const spanish = 'Darse de baja';
const english = 'Unsubscribe';
/** Where the template does not say its language. */
const both = `${spanish} · ${english}`;

/** `lang` of the first element that has one, which is the root where the template is a document. */
const language = /<[a-z][^<>]*?\slang\s*=\s*["']?(?<code>[a-z]{2,3})\b/i;

function wordsFor(html: string | null): string {
  const code = language.exec(html?.slice(0, 10_000) ?? '')?.groups?.['code']?.toLowerCase();
  if (code === undefined) return both;
  return code === 'es' ? spanish : english;
}

/**
 * The rendered template of a broadcast with a link to unsubscribe, where it has none: the header of RFC 8058 is not shown by
 * every mail program, and the law asks for a way out in the message itself.
 */
export function withUnsubscribeLink(content: TemplateContent, url: string): TemplateContent {
  const { html, text } = content;
  if (html?.includes(url) || text?.includes(url)) return content;
  const link = wordsFor(html);
  return {
    ...content,
    html: html === null ? null : htmlWithLink(html, escapeHtml(url), link),
    // Without a text, it is made from the HTML.
    text: text === null ? null : `${text.trimEnd()}\n\n${link}: ${url}\n`,
  };
}

function htmlWithLink(html: string, href: string, link: string): string {
  const { body_end } = scanLinks(html, { opt_out: '' });
  const style = 'margin:24px 0 0;text-align:center;font:12px/1.5 sans-serif;color:#595959';
  const footer = `<p style="${style}"><a href="${href}" style="color:#595959">${link}</a></p>`;
  return html.slice(0, body_end) + footer + html.slice(body_end);
}
