import { isIPv4, isIPv6 } from 'node:net';

export interface Mailbox {
  /** As the client wrote it, without brackets and source route. */
  address: string;
  local_part: string;
  /** Empty for the bare `postmaster` that RFC 5321 §4.1.1.3 lets a client name. */
  domain: string;
  /** Whether it may only be used in a transaction with SMTPUTF8 (RFC 6531 §3.4). */
  is_utf8: boolean;
}

export interface ParsedPath {
  /** Undefined is the null path `<>`. */
  mailbox: Mailbox | undefined;
  /** What follows the closing bracket. */
  rest: string;
}

// RFC 5321 §4.1.2, with RFC 6531 §3.3 for what is outside ASCII. A source route is read over, as §4.1.1.3 asks.
// No part can begin where another ends, so matching takes linear time.
const pathPattern = new RegExp(
  String.raw`^ *<(?:(?:@[\w.-]+,)*@[\w.-]+:)?` +
    '(' +
    String.raw`[\w!#$%&'*+/=?^\x60{|}~\u0080-\u{10ffff}.\-]+|` +
    String.raw`"(?:[\x20\x21\x23-\x5b\x5d-\x7e\u0080-\u{10ffff}]|\\[\x20-\x7e])*"` +
    ')' +
    String.raw`@(\[[\w:.]+\]|[\w\u0080-\u{10ffff}.\-]+)>`,
  'u',
);
const nullPath = /^ *<>/;
const postmasterPath = /^ *<(postmaster)>/i;
const misplacedDot = /^\.|\.\.|\.$/;
const misplacedHyphen = /(?:^|\.)-|-(?:\.|$)/;

// RFC 5321 §4.5.3.1; the 256 octets of a path include its brackets.
const maxLocalPart = 64;
const maxAddress = 254;

/** The path a MAIL or RCPT argument begins with; undefined when it is malformed. */
export function parsePath(text: string): ParsedPath | undefined {
  const found = pathPattern.exec(text);
  if (found === null) return parseSpecialPath(text);
  const [matched, local_part = '', domain = ''] = found;
  const address = `${local_part}@${domain}`;
  if (Buffer.byteLength(local_part) > maxLocalPart || Buffer.byteLength(address) > maxAddress) {
    return undefined;
  }
  if (!isLocalPart(local_part) || !isDomain(domain)) return undefined;
  return {
    mailbox: { address, local_part, domain, is_utf8: /[^\x20-\x7e]/.test(address) },
    rest: text.slice(matched.length),
  };
}

function parseSpecialPath(text: string): ParsedPath | undefined {
  const none = nullPath.exec(text);
  if (none !== null) return { mailbox: undefined, rest: text.slice(none[0].length) };
  const postmaster = postmasterPath.exec(text);
  if (postmaster === null) return undefined;
  const name = postmaster[1] ?? '';
  return {
    mailbox: { address: name, local_part: name, domain: '', is_utf8: false },
    rest: text.slice(postmaster[0].length),
  };
}

function isLocalPart(text: string): boolean {
  return text.startsWith('"') || !misplacedDot.test(text);
}

function isDomain(text: string): boolean {
  if (!text.startsWith('[')) return !misplacedDot.test(text) && !misplacedHyphen.test(text);
  const literal = text.slice(1, -1);
  return /^ipv6:/i.test(literal) ? isIPv6(literal.slice(5)) : isIPv4(literal);
}
