import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { customProperties, dark, light, systemFont } from '../brand.ts';
import { frameScript } from './frame-script.ts';
import { escapeHtml } from './html.ts';
import type { Language } from './preferred-language.ts';

/**
 * The one style sheet of the pages that recipients see. Nothing is loaded: fonts are the reader's own, and light or dark
 * follows the reader's choice. Colours keep a contrast of 4.5 to 1 at least, for text and for the edges of controls 3 to 1.
 */
const style = `
:root { color-scheme: light dark; ${customProperties(light)} }
@media (prefers-color-scheme: dark) { :root:where(:not(.light)) { ${customProperties(dark)} } }
:root:where(.light) { color-scheme: light; } :root:where(.dark) { color-scheme: dark; ${customProperties(dark)} }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column; background: var(--paper);
  color: var(--ink); font: 1rem/1.55 ${systemFont}; overflow-wrap: anywhere; }
main, footer { width: 100%; max-width: 34rem; margin: 0 auto; padding: 0 1rem; }
main { flex: 1; padding-top: clamp(1rem, 6vh, 4.5rem); padding-bottom: 2rem; } main:has(+ footer) { padding-bottom: 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: clamp(1.25rem, 5vw, 2.25rem);
  box-shadow: 0 1px 2px rgb(0 0 0 / .05), 0 12px 32px rgb(0 0 0 / .06); }
.card > :last-child { margin-bottom: 0; }
.from { display: flex; gap: .875rem; align-items: center; padding-bottom: 1.25rem; margin-bottom: 1.5rem;
  border-bottom: 1px solid var(--line); }
.initial { flex: none; width: 2.75rem; height: 2.75rem; border-radius: 50%; display: grid; place-items: center;
  background: var(--tint); color: var(--accent); font-weight: 650; font-size: 1.15rem; }
.from p { margin: 0; line-height: 1.4; } .from strong { display: block; }
.soft { color: var(--soft); font-size: .9375rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; letter-spacing: -.01em; text-wrap: balance; }
p { margin: 0 0 1rem; } form { margin: 1.5rem 0 0; }
label, legend { font-weight: 600; } legend { padding: 0; margin-bottom: .5rem; } fieldset { border: 0; padding: 0; margin: 0; }
.hint { display: block; font-weight: 400; color: var(--soft); font-size: .9375rem; }
textarea { display: block; width: 100%; min-height: 5.5rem; margin: .5rem 0 0; padding: .75rem; resize: vertical; font: inherit;
  color: inherit; background: var(--card); border: 1px solid var(--edge); border-radius: .625rem; }
.choice { display: flex; gap: .75rem; align-items: flex-start; padding: .7rem .875rem; margin-bottom: .5rem; font-weight: 400;
  border: 1px solid var(--line); border-radius: .625rem; cursor: pointer; }
.choice:hover { border-color: var(--edge); } .choice:has(:checked) { border-color: var(--accent); background: var(--tint); }
.choice input { flex: none; width: 1.15rem; height: 1.15rem; margin: .2rem 0 0; accent-color: var(--accent); }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 3rem; width: 100%;
  padding: .6rem 1.5rem; margin-top: 1.25rem; border: 1px solid transparent; border-radius: .625rem; font: inherit; font-weight: 600;
  background: var(--accent); color: var(--on-accent); cursor: pointer; text-decoration: none; }
button:hover, .button:hover { filter: brightness(1.08); }
.quiet { background: transparent; color: var(--accent); border-color: var(--edge); }
@media (min-width: 30rem) { button, .button { width: auto; } }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.notice, .alarm { padding: .75rem 1rem; border-radius: .625rem; margin: 0 0 1.25rem; }
.notice { background: var(--tint); } .alarm { background: var(--alarm-tint); color: var(--alarm); }
footer { padding-top: 1.5rem; padding-bottom: 2rem; text-align: center; } a { color: var(--accent); }
footer a { color: inherit; }
.viewer-page main { max-width: none; padding: 0; display: flex; flex-direction: column; }
.viewer-page .bar { background: var(--card); border-bottom: 1px solid var(--line); padding: .875rem clamp(1rem, 4vw, 2rem); }
.viewer-page .from { border: 0; margin: 0; padding: 0; } .viewer-page h1 { font-size: 1.15rem; margin: .75rem 0 0; }
.viewer-page iframe { flex: 1; width: 100%; min-height: 70vh; border: 0; background: #fff; color-scheme: light; }
.framed { min-height: 0; background: none; } .framed main { max-width: none; padding: 0; }
.framed .card { box-shadow: none; }
.framed footer { width: fit-content; margin: .75rem auto 0; padding: .25rem .75rem; border-radius: .5rem; background: var(--card); }
@media (prefers-reduced-motion: no-preference) { button, .choice { transition: filter .15s, border-color .15s; } }`;

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const styleHash = hashOf(style);
const scriptHash = hashOf(frameScript);

/**
 * No script but the one that tells a frame's owner its height, no frame, nothing from anywhere: style sheets that are known by their hashes, one picture where the page has
 * one, and forms that lead back here.
 */
function strictPolicy({ extra_style, picture, is_framed }: HostedPage): string {
  const styles = extra_style === undefined ? styleHash : `${styleHash} ${hashOf(extra_style)}`;
  const pictures = picture === undefined ? '' : ` img-src ${sourceOf(picture)};`;
  const frames = is_framed ? 'http: https:' : "'none'";
  const scripts = is_framed ? ` script-src ${scriptHash};` : '';
  return `default-src 'none'; style-src ${styles};${scripts}${pictures} form-action 'self'; base-uri 'none'; frame-ancestors ${frames}`;
}

/** A source has no query, and its separators are written as escapes (CSP 3 §2.3.1). */
function sourceOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replaceAll(/[;,]/g, encodeURIComponent);
}

export interface HostedPage {
  lang: Language;
  title: string;
  /** HTML whose values are already escaped. */
  main: string;
  /** Likewise; what stands below the page. */
  footer?: string;
  layout?: 'card' | 'viewer';
  /** Rules of CSS after those of every page; they end no element. */
  extra_style?: string;
  /** The URL of the one picture that the page shows. */
  picture?: string;
  /** It may be a part of other sites' pages. */
  is_framed?: boolean;
  /** In place of what the reader prefers. */
  scheme?: 'light' | 'dark' | undefined;
}

/**
 * As a document for a sandboxed frame, which has no headers: the policy is inside. Styles are not known by their hashes,
 * since what shows the frame decides what `prefers-color-scheme` means in them.
 */
export function renderPreview(page: HostedPage): string {
  const policy = strictPolicy(page)
    .replace(/; frame-ancestors .*$/, '')
    .replace(/style-src [^;]*/, "style-src 'unsafe-inline'");
  return renderHostedPage(
    page,
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">\n`,
  );
}

function renderHostedPage(page: HostedPage, meta = ''): string {
  const { lang, title, main, footer = '', layout = 'card', extra_style, is_framed, scheme } = page;
  const content = layout === 'card' ? `<div class="card">\n${main}\n</div>` : main;
  return `<!doctype html>
<html lang="${lang}"${scheme ? ` class="${scheme}"` : ''}>
<head>
<meta charset="utf-8">
${meta}<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${escapeHtml(title)}</title>
<style>${style}</style>${extra_style === undefined ? '' : `\n<style>${extra_style}</style>`}
</head>
<body class="${layout}-page${is_framed ? ' framed' : ''}">
<main>
${content}
</main>
${footer && `<footer class="soft">${footer}</footer>`}${is_framed ? `<script>${frameScript}</script>` : ''}
</body>
</html>
`;
}

export interface PageAnswer {
  page: HostedPage;
  status?: number;
  /** In place of the strict policy; what the page shows must be as safe under it. */
  policy?: string;
}

/**
 * Sets the status and the headers, and gives the payload. These pages are about one person: they must not be cached,
 * indexed or framed, and their links must not send a referrer.
 */
export function answerWithPage(reply: FastifyReply, { page, status = 200, policy }: PageAnswer): string {
  reply
    .code(status)
    .type('text/html; charset=utf-8')
    .headers({
      'content-security-policy': policy ?? strictPolicy(page),
      'content-language': page.lang,
      vary: 'Accept-Language',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      ...(page.is_framed ? {} : { 'x-frame-options': 'DENY' }),
      'x-robots-tag': 'noindex, nofollow',
    });
  return renderHostedPage(page);
}

/** What a visit ends with: a page, or the address of one. */
export type VisitAnswer = PageAnswer | { location: string };

/** After a form was taken it leads to a page, so that reloading repeats nothing. */
export function answerVisit(reply: FastifyReply, answer: VisitAnswer): string {
  if (!('location' in answer)) return answerWithPage(reply, answer);
  const { location } = answer;
  reply.code(303).headers({ location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  return '';
}

/** Options of a route that takes a form, without files. */
export function formRoute(
  operation_id: string,
  max_body_bytes: number,
): { bodyLimit: number; config: { operation_id: string; max_file_bytes: number } } {
  return { bodyLimit: max_body_bytes, config: { operation_id, max_file_bytes: 0 } };
}
