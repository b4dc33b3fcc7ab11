import { escapeHtml } from '../../base/http/html.ts';
import type { HostedPage } from '../../base/http/hosted-page.ts';
import type { Language } from '../../base/http/preferred-language.ts';
import type { ShownMail } from './shown-mail.ts';
import { texts } from './texts.ts';

/** The sender's name and address. */
export function fromBlock({ sender, sender_name, instance_name }: ShownMail): string {
  const name = sender_name ?? instance_name;
  const [initial = ''] = name.trim();
  const via = name === instance_name ? '' : `<br>${escapeHtml(instance_name)}`;
  return `<div class="from">
<span class="initial" aria-hidden="true">${escapeHtml(initial.toUpperCase())}</span>
<p><strong>${escapeHtml(name)}</strong><span class="soft">${escapeHtml(sender)}${via}</span></p>
</div>`;
}

/** A page about a mail, with its sender at the top. */
export function mailPage(lang: Language, mail: ShownMail, page: { title: string; body: string }): HostedPage {
  return {
    lang,
    title: `${page.title} · ${mail.sender_name ?? mail.instance_name}`,
    main: `${fromBlock(mail)}\n<h1>${escapeHtml(page.title)}</h1>\n${page.body}`,
    footer: escapeHtml(texts[lang].delivered_for(mail.instance_name)),
  };
}

/** A page with a message only. */
export function messagePage(
  lang: Language,
  { title, text }: { title: string; text: string },
  { retry = false } = {},
): HostedPage {
  // An empty reference is the page itself.
  const again = retry ? `\n<a class="button" href="">${escapeHtml(texts[lang].try_again)}</a>` : '';
  return { lang, title, main: `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>${again}` };
}

export function paragraph(text: string): string {
  return `<p>${escapeHtml(text)}</p>`;
}

/** The page with a link to privacy requests below it, beside what stands there. */
export function withRightsLink(page: HostedPage, url: string | undefined): HostedPage {
  if (url === undefined) return page;
  const link = `<a href="${escapeHtml(url)}" target="_blank" rel="noopener nofollow">${escapeHtml(texts[page.lang].your_data)}</a>`;
  return { ...page, footer: page.footer ? `${page.footer}<br>${link}` : link };
}
