import { escapeHtml } from '../../base/http/html.ts';
import type { HostedPage } from '../../base/http/hosted-page.ts';
import type { Language } from '../../base/http/preferred-language.ts';
import { fromBlock } from './page-parts.ts';
import { maskAddress, type ShownMail } from './shown-mail.ts';
import type { ShownMessage } from './shown-message.ts';
import { texts } from './texts.ts';

/**
 * A framed document is under the policy of its page too: styles and images from anywhere, no scripts, forms or
 * frames.
 */
export const viewPolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline' https: http:",
  'img-src https: http: data:',
  'font-src https: http: data:',
  'media-src https: http: data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Links open in a new tab outside the sandbox, since most sites refuse to be framed. */
const linkTarget = '<base target="_blank">';
/**
 * Most mail is laid out in tables of 600 pixels, which a phone would cut. Cells are bounded too, since a table is never
 * narrower than what its cells ask for.
 */
const narrowStyle = `<style>@media (max-width: 640px) {
table, div, img { max-width: 100% !important; min-width: 0 !important; } img { height: auto !important; }
td, th { max-width: calc(100vw - 16px) !important; min-width: 0 !important; overflow-wrap: break-word; }
td[width]:not([width$="%"]), th[width]:not([width$="%"]), td[style*="px"], th[style*="px"] { width: auto !important; } }</style>`;
const sandbox = 'allow-popups allow-popups-to-escape-sandbox';

export function viewPage(lang: Language, mail: ShownMail, { subject, html }: ShownMessage): HostedPage {
  const words = texts[lang].view;
  const title = subject || words.no_subject;
  const document = `${linkTarget}${narrowStyle}${html}`.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  return {
    lang,
    title: `${title} · ${mail.sender_name ?? mail.instance_name}`,
    layout: 'viewer',
    main: `<div class="bar">
${fromBlock(mail)}
<h1>${escapeHtml(title)}</h1>
<span class="soft">${escapeHtml(words.to(maskAddress(mail.recipient)))}</span>
</div>
<iframe title="${escapeHtml(words.frame)}" sandbox="${sandbox}" referrerpolicy="no-referrer" srcdoc="${document}"></iframe>`,
  };
}
