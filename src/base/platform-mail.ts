import { escapeHtml } from './http/html.ts';

/** A mail that the platform itself writes. */
export interface PlatformMail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Resolves once it is queued. Whoever calls has counted it (`limits/platform-mail-limits.ts`). */
export type SendPlatformMail = (mail: PlatformMail) => Promise<void>;

/** Paragraphs of plain text; one that is the link can be followed. */
export function linkMail({
  link,
  paragraphs,
  ...head
}: {
  to: string;
  subject: string;
  link: string;
  paragraphs: string[];
}): PlatformMail {
  const html = paragraphs.map((text) => {
    const escaped = escapeHtml(text);
    return text === link ? `<p><a href="${escaped}">${escaped}</a></p>` : `<p>${escaped}</p>`;
  });
  return { ...head, text: `${paragraphs.join('\n\n')}\n`, html: html.join('\n') };
}

/** The name of an instance as mail says it: one that looks like a message could be used to send spam. */
export function nameInMail(instance: string): string {
  return instance
    .replaceAll(/[\p{Cc}<>]|https?:|www\./giu, ' ')
    .slice(0, 80)
    .trim();
}
