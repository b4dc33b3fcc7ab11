import { escapeHtml } from '../../base/http/html.ts';
import type { Language } from '../../base/http/preferred-language.ts';
import type { PlatformMail } from '../../base/platform-mail.ts';
import type { RequestKind } from '../request-schemas.ts';
import { rightsTexts } from './rights-texts.ts';

interface Verification {
  to: string;
  kind: RequestKind;
  instance: string;
  link: string;
}

/** Has nothing of what the asker wrote: a stranger could use it to send words of their own. */
export function verificationMail(lang: Language, { to, kind, instance, link }: Verification): PlatformMail {
  const words = rightsTexts[lang];
  // A name that looks like a message could be used to send spam.
  const name = instance
    .replaceAll(/[\p{Cc}<>]|https?:|www\./giu, ' ')
    .slice(0, 80)
    .trim();
  const paragraphs = [words.mail.text(words.kinds[kind], name), link, words.mail.ignore];
  const html = paragraphs.map((text) =>
    text === link
      ? `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`
      : `<p>${escapeHtml(text)}</p>`,
  );
  return {
    to,
    subject: words.mail.subject(name),
    text: `${paragraphs.join('\n\n')}\n`,
    html: html.join('\n'),
  };
}
