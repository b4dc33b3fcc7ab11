import { AddressTokens, type AddressToken } from './address-tokens.ts';
import { decodeWords } from './decode-words.ts';

export interface HeaderAddress {
  /** As written, without blanks and comments. */
  address: string;
  /** What the header calls it, encoded words decoded; may be empty. */
  name: string;
}

/** A header read by RFC 5322 §3.4, with the dots of obsolete phrases, which are common and mean nothing else. */
export interface AddressList {
  mailboxes: HeaderAddress[];
  /** Whether it consists only of mailboxes, without groups and invalid addresses. */
  is_plain: boolean;
}

/**
 * The mailboxes of a From, To or Cc header, those of groups among the others, and at most so many. What is not an address is
 * passed over up to the next comma. It takes time in proportion to the header, whatever that is.
 */
export function readAddresses(value: string, most = Number.POSITIVE_INFINITY): AddressList {
  const tokens = new AddressTokens(value);
  const list: AddressList = { mailboxes: [], is_plain: true };
  let isInGroup = false;
  while (tokens.peek().kind !== 'end' && tokens.peek().kind !== 'fault' && list.mailboxes.length < most) {
    const found = readMailbox(tokens);
    if (found === 'group' && !isInGroup) {
      isInGroup = true;
      list.is_plain = false;
      continue;
    }
    if (typeof found === 'object') list.mailboxes.push(found);
    else list.is_plain = false;
    if (isInGroup && tokens.peek().kind === ';') {
      tokens.take();
      isInGroup = false;
    }
    if (!endsAddress(tokens.peek().kind)) list.is_plain = false;
    while (!endsAddress(tokens.peek().kind)) tokens.take();
    if (tokens.peek().kind === ',') {
      tokens.take();
      // A list ends with an address.
      if (tokens.peek().kind === 'end') list.is_plain = false;
    }
  }
  if (tokens.peek().kind !== 'end' || isInGroup) list.is_plain = false;
  return list;
}

function endsAddress(kind: AddressToken['kind']): boolean {
  return kind === ',' || kind === 'end' || kind === 'fault';
}

/** The mailbox that comes next, the beginning of a group, or undefined for what is neither. */
function readMailbox(tokens: AddressTokens): HeaderAddress | 'group' | undefined {
  const words: AddressToken[] = [];
  while (tokens.peek().kind === 'atom' || tokens.peek().kind === 'quoted') words.push(tokens.take());
  const [first, second] = words;
  const { kind } = tokens.peek();
  if (kind === ':' && first) {
    tokens.take();
    return 'group';
  }
  if (kind === '@' && first && !second) {
    const address = readAfterLocalPart(tokens, first);
    // RFC 822 had names in comments.
    return address === undefined ? undefined : { address, name: nameOf([], tokens.peek().comment) };
  }
  if (kind !== '<') return undefined;
  tokens.take();
  if (tokens.peek().kind !== 'atom' && tokens.peek().kind !== 'quoted') return undefined;
  const address = readAfterLocalPart(tokens, tokens.take());
  if (tokens.peek().kind !== '>' || address === undefined) return undefined;
  tokens.take();
  return { address, name: nameOf(words, tokens.peek().comment) };
}

function readAfterLocalPart(tokens: AddressTokens, local: AddressToken): string | undefined {
  if (tokens.peek().kind !== '@') return undefined;
  tokens.take();
  const { kind, text } = tokens.peek();
  if (kind !== 'atom' && kind !== 'literal') return undefined;
  tokens.take();
  const domain = kind === 'literal' ? `[${text}]` : text;
  return `${local.kind === 'quoted' ? quote(local.text) : local.text}@${domain}`;
}

function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** Encoded words belong outside of quotes, but programs put them there as well, and readers decode them. */
function nameOf(words: AddressToken[], comment: string): string {
  const text = words.length > 0 ? words.map((word) => word.text).join(' ') : comment;
  return decodeWords(text).trim();
}
