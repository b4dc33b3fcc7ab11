import { escapeHtml } from './http/html.ts';

/** What the platform writes. Its mail has the kind as its category. */
export type PlatformMailKind =
  | 'alert'
  | 'invitation'
  | 'password-reset'
  | 'rights-verification'
  | 'rights-archive'
  | 'rights-code'
  | 'rights-reminder'
  | 'dns-records'
  | 'forward-verification';

/** Mails whose link grants access: their content is kept only until the outcome of the mail. */
export const mailWithSecrets: readonly PlatformMailKind[] = [
  'invitation',
  'password-reset',
  'rights-verification',
  'rights-archive',
  'rights-code',
  'forward-verification',
];

/** A mail that the platform itself writes. */
export interface PlatformMail {
  kind: PlatformMailKind;
  /** The instance; null where it is about an account, which belongs to none. */
  written_for: number | null;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Resolves once it is queued. The caller has counted it (`limits/platform-mail-limits.ts`). */
export type SendPlatformMail = (mail: PlatformMail) => Promise<void>;

/** Paragraphs of plain text; one that is the link can be followed. */
export function linkMail({
  link,
  paragraphs,
  ...head
}: Omit<PlatformMail, 'text' | 'html'> & { link: string; paragraphs: string[] }): PlatformMail {
  const html = paragraphs.map((text) => {
    const escaped = escapeHtml(text);
    return text === link ? `<p><a href="${escaped}">${escaped}</a></p>` : `<p>${escaped}</p>`;
  });
  return { ...head, text: `${paragraphs.join('\n\n')}\n`, html: html.join('\n') };
}

const longestName = 48;

/**
 * The name of an instance for a mail of the platform, to be put in quotation marks. Its members choose the name, so that
 * it must not carry a message: it has no address or link that a mail program would make clickable, no characters that
 * reorder or end a line, no quotation marks to leave the quotation by, and few characters.
 */
export function nameInMail(instance: string): string {
  const plain = instance
    .normalize('NFKC')
    .replaceAll(/[\p{C}\p{Z}<>"`´«»‹›“”„‟‘‚‛/\\@:|]+/gu, ' ')
    // `evil.example` is a link to many mail programs, `S.A.` to none.
    .replaceAll(/[.。．｡](?=[\p{L}\p{N}\p{M}-]{2})/gu, ' ')
    .trim();
  const characters = Array.from(plain);
  if (characters.length === 0) return '…';
  return characters.length > longestName ? `${characters.slice(0, longestName).join('').trim()}…` : plain;
}
