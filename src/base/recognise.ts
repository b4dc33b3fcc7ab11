import { canonicalDomain } from '../protocol/address/domain-name.ts';
import { canonicalContact, type Contact } from './contacts.ts';
import type { Person } from './personal-data.ts';

/** Whether a contact, in any spelling, is one of those that are looked for. */
export type Recognises = (contact: Contact) => boolean;

export function recogniserOf({ emails, phones, codes }: Person): Recognises {
  const known = { email_address: new Set(emails), phone_number: new Set(phones), uniquecode: new Set(codes) };
  return (contact) => known[contact.contact_type].has(canonicalContact(contact));
}

/** Where an address stands in a text. */
export interface Place {
  start: number;
  end: number;
}

/** Octets of a local part (RFC 5321 §4.5.3.1.1), with two quotation marks. */
const maxLocal = 66;
const maxDomain = 253;

const domainCharacter = /[\p{L}\p{N}\p{M}.。．｡-]/u;
/** Of a dot-string (RFC 6531 §3.3), as `canonicalAddress` takes it. */
const localCharacter = /[\w!#$%&'*+/=?^`{|}~.\-\u0080-\u{10ffff}]/u;
/** An address begins after any other character: `user=ana@example.com` and `“ana@example.com”` name Ana, `o'ana@example.com` does not. */
const joining = /[\p{L}\p{N}.!#$%&'+^_~-]/u;

/**
 * The addresses in a text that are recognised: each `@` with the whole name after it and the whole local part before it, so that
 * `ana@example.com` is found neither in `susana@example.com` nor in `ana@example.com.ar`. Compared by position, never by a pattern
 * that is made of what is looked for.
 */
export function addressesIn(text: string, recognises: Recognises): Place[] {
  const found: Place[] = [];
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const end = endOfDomain(text, at);
    const domain = text.slice(at + 1, end);
    if (!domain.includes('.') || canonicalDomain(domain) === undefined) continue;
    const start = startsOfLocal(text, at).find((from) =>
      recognises({ contact_type: 'email_address', contact: text.slice(from, end) }),
    );
    if (start !== undefined) found.push({ start, end });
  }
  return found;
}

function endOfDomain(text: string, at: number): number {
  let end = at + 1;
  while (end < text.length && end - at <= maxDomain && domainCharacter.test(text.charAt(end))) end += 1;
  // The full stop of a sentence.
  while (end > at + 1 && /[.。．｡-]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}

/** Where the local part before an `@` may begin, the longest first. */
function startsOfLocal(text: string, at: number): number[] {
  if (text.charAt(at - 1) === '"') return [...quotationMarks(text, at)];
  let first = at;
  while (first > 0 && at - first < maxLocal && localCharacter.test(text.charAt(first - 1))) first -= 1;
  const starts: number[] = [];
  let isOpening = true;
  for (let start = first; start < at; start += 1) {
    // At the beginning, a quotation mark and a dot are not part of the address.
    isOpening &&= start === first || /['.]/.test(text.charAt(start - 1));
    if (isOpening || !joining.test(text.charAt(start - 1))) starts.push(start);
  }
  return starts;
}

function* quotationMarks(text: string, at: number): Generator<number> {
  for (let start = at - 2; start >= 0 && at - start <= maxLocal; start -= 1) {
    if (text.charAt(start) === '"' && text.charAt(start - 1) !== '\\') yield start;
  }
}

/** The text with a mark in each of these places. */
export function withMark(text: string, places: readonly Place[], mark: string): string {
  let rest = 0;
  let result = '';
  for (const { start, end } of places) {
    result += text.slice(rest, start) + mark;
    rest = end;
  }
  return result + text.slice(rest);
}
