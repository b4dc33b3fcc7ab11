import type { Meaning } from './meanings.ts';

/**
 * Status codes that say all by themselves (RFC 3463, the IANA registry of RFC 5248, and Microsoft's three-digit
 * details), as `subject.detail`. Codes that senders of replies use for different things are left out on purpose:
 * x.1.0, x.2.0, x.3.0, x.4.1, x.5.0, x.7.0 and x.7.1 wait for the text.
 */
const exact: readonly (readonly [codes: RegExp, meaning: Meaning])[] = [
  [/^1\.1$/, 'no_such_user'],
  [/^1\.2$/, 'bad_domain'],
  [/^1\.3$/, 'bad_address'],
  [/^1\.6$/, 'mailbox_moved'],
  [/^1\.[78]$/, 'sender_rejected'],
  [/^1\.10$/, 'rejects_mail'], // RFC 7505 §4.2
  [/^2\.1$/, 'mailbox_disabled'],
  [/^2\.2$/, 'mailbox_full'],
  [/^2\.3$|^3\.4$/, 'message_too_big'],
  [/^2\.4$|^3\.[125]$/, 'system'],
  [/^3\.3$/, 'protocol_error'],
  [/^4\.5$|^5\.3$/, 'rate_limited'],
  [/^7\.(?:2|124|133|134|136)$/, 'recipient_is_choosy'],
  [/^7\.1[78]$/, 'mailbox_moved'], // RFC 7293: the mailbox or its domain has a new owner
  [/^7\.(?:2\d|30|509|515)$/, 'not_authenticated'], // RFC 7372, and Gmail's own use of the twenties
  [/^7\.(?:511|60[6-9]|6[1-4]\d)$/, 'blocklisted'],
  [/^7\.(?:650|705)$/, 'rate_limited'],
];

/** What is left to say of a code when neither the code nor the text was clear (RFC 3463 §2). */
const bySubject: Record<string, Meaning> = {
  '1': 'no_such_user',
  '3': 'system',
  '4': 'routing',
  '5': 'protocol_error',
  '6': 'bad_content',
  '7': 'policy',
};

export function meaningOfCode(detail: string): Meaning | undefined {
  return exact.find(([codes]) => codes.test(detail))?.[1];
}

export function meaningOfSubject(detail: string): Meaning | undefined {
  // x.1.0 and x.1.4 and the like are of an address; nothing says whether of an existing one.
  return bySubject[detail.slice(0, detail.indexOf('.'))];
}

export interface StatusCode {
  class: number;
  /** `subject.detail` */
  detail: string;
}

/** The status of a reply; qmail and Cisco write it inside the text, as `(#5.1.1)` or `#5.7.1`. */
export function readStatus(enhanced: string | null, text: string): StatusCode | undefined {
  const match =
    /^([245])\.(\d{1,3}\.\d{1,3})$/.exec(enhanced ?? '') ??
    /#([245])\.(\d{1,3}\.\d{1,3})(?!\d|\.\d)/.exec(text);
  if (!match?.[1] || !match[2]) return undefined;
  return { class: Number(match[1]), detail: match[2] };
}
