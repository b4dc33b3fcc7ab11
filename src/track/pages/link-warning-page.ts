import { escapeHtml } from '../../base/http/html.ts';
import type { PageAnswer } from '../../base/http/hosted-page.ts';
import type { Language } from '../../base/http/preferred-language.ts';
import { linkHostOf } from '../../domains/index.ts';
import { paragraph } from './page-parts.ts';
import { texts } from './texts.ts';

interface Warning {
  url: string;
  why: 'instance_disabled' | 'host_taken_down';
}

/** Asks no database: it is there for a link whatever is down. Only the link of a disabled instance has a way on. */
export function linkWarning(lang: Language, { url, why }: Warning): PageAnswer {
  const words = texts[lang].link;
  // As the browser will ask for it: A-labels, so that no letter stands for another.
  const host = linkHostOf(url);
  const isTakenDown = why === 'host_taken_down';
  const title = isTakenDown ? words.taken_down_title : words.disabled_title;
  const on = `<a class="button quiet" href="${escapeHtml(url)}" rel="noreferrer nofollow">${escapeHtml(words.go_on(host))}</a>`;
  const main = [
    `<h1>${escapeHtml(title)}</h1>`,
    paragraph(isTakenDown ? words.taken_down : words.disabled),
    `<p class="notice">${escapeHtml(words.leads_to)} <strong>${escapeHtml(host)}</strong></p>`,
    ...(isTakenDown ? [] : [on]),
  ].join('\n');
  return { page: { lang, title, main }, status: isTakenDown ? 410 : 200 };
}
