import { canonicalAddress } from './canonical-address.ts';

/** Dots in a local part mean nothing to these, whose addresses are one mailbox under each other's name. */
const dotless = new Map([
  ['gmail.com', 'gmail.com'],
  ['googlemail.com', 'gmail.com'],
]);

/**
 * The same text for all spellings of one mailbox, as far as they can be known: for limits, never to write to. The domain
 * is canonical, the local part without quotes (RFC 5321 §4.1.2), without a sub-address (RFC 5233) and in lower case.
 */
export function mailboxKey(text: string): string | undefined {
  const address = canonicalAddress(text);
  if (!address) return undefined;
  const folded = unquoted(address.local_part).normalize('NFKC').toLowerCase().trim();
  const plus = folded.indexOf('+');
  const local_part = plus > 0 ? folded.slice(0, plus) : folded;
  const provider = dotless.get(address.domain);
  if (provider === undefined) return `${local_part}@${address.domain}`;
  return `${local_part.replaceAll('.', '')}@${provider}`;
}

function unquoted(local_part: string): string {
  if (!local_part.startsWith('"')) return local_part;
  return local_part.slice(1, -1).replaceAll(/\\(.)/gsu, '$1');
}
