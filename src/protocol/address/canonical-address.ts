import { canonicalDomain } from './domain-name.ts';

export interface Address {
  /** As given: only the server of the domain knows what its letters mean (RFC 5321 §2.4). */
  local_part: string;
  domain: string;
  /** `local_part@domain`, at most 254 octets (RFC 5321 §4.5.3.1.3). */
  address: string;
  /** Whether the local part needs SMTPUTF8 (RFC 6531). */
  is_utf8: boolean;
}

// RFC 5321 §4.1.2 dot-string and quoted-string, with the characters of RFC 6531 §3.3 where atoms allow them.
const dotString =
  /^[\w!#$%&'*+/=?^`{|}~\-\u0080-\u{10ffff}]+(\.[\w!#$%&'*+/=?^`{|}~\-\u0080-\u{10ffff}]+)*$/u;
const quotedString = /^"(?:[\x20\x21\x23-\x5b\x5d-\x7e\u0080-\u{10ffff}]|\\[\x20-\x7e])*"$/u;
const invisible = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u0080-\u00a0\u2000-\u200b\u202f\u205f\u3000\ufeff]/u;

/**
 * The canonical form of a mail address: trimmed, its domain in A-labels and lower case, its local part untouched.
 * Undefined when it is malformed or an address literal (`user@[192.0.2.1]`).
 */
export function canonicalAddress(text: string): Address | undefined {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  const local_part = trimmed.slice(0, Math.max(at, 0));
  const domain = canonicalDomain(trimmed.slice(at + 1));
  if (domain === undefined || !domain.includes('.')) return undefined;
  const is_utf8 = /[^\x20-\x7e]/.test(local_part);
  // The domain is ASCII by now.
  const octets = is_utf8 ? Buffer.byteLength(local_part) : local_part.length;
  if (octets > 64 || octets + 1 + domain.length > 254 || !isLocalPart(local_part, is_utf8)) return undefined;
  return { local_part, domain, address: `${local_part}@${domain}`, is_utf8 };
}

function isLocalPart(text: string, is_utf8: boolean): boolean {
  if (is_utf8 && invisible.test(text)) return false;
  return dotString.test(text) || quotedString.test(text);
}
