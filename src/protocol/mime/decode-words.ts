import { decodeCharset } from './decode-charset.ts';
import { decodeQuotedPrintable } from './decode-quoted-printable.ts';

// No part can begin where another ends, so that a text is searched in linear time.
const encodedWord = /=\?([^?\s]{1,60})\?([QqBb])\?([^?]*)\?=/g;

/** Words of one charset that stand side by side: a character may be split between them. */
interface Run {
  charset: string;
  octets: Buffer[];
}

/** A header value with its encoded words (RFC 2047) as what they say. It takes time in proportion to its input. */
export function decodeWords(text: string): string {
  if (!text.includes('=?')) return text;
  let decoded = '';
  let at = 0;
  let run: Run | undefined;
  for (const match of text.matchAll(encodedWord)) {
    const [whole, label = '', encoding = '', encoded = ''] = match;
    const between = text.slice(at, match.index);
    // A language may follow the charset (RFC 2231 §5).
    const charset = label.replace(/\*.*$/, '').toLowerCase();
    // Blanks between two words are not part of the text (§6.2).
    const isNext = run !== undefined && /^[ \t\r\n]*$/.test(between);
    if (!isNext || run?.charset !== charset) {
      decoded += (run ? textOf(run) : '') + (isNext ? '' : between);
      run = { charset, octets: [] };
    }
    run.octets.push(octetsOf(encoding, encoded));
    at = match.index + whole.length;
  }
  return decoded + (run ? textOf(run) : '') + text.slice(at);
}

function octetsOf(encoding: string, encoded: string): Buffer {
  if (encoding === 'B' || encoding === 'b') return Buffer.from(encoded, 'base64');
  return decodeQuotedPrintable(Buffer.from(encoded.replaceAll('_', ' ')));
}

function textOf({ charset, octets }: Run): string {
  const all = Buffer.concat(octets);
  return decodeCharset(all, charset) ?? decodeCharset(all, 'utf-8') ?? all.toString('latin1');
}
