import { isAscii, isUtf8 } from 'node:buffer';
import { maxAuthLine } from './authentication.ts';
import type { Reply } from './reply.ts';

export interface CommandLine {
  /** In upper case. */
  verb: string;
  argument: string;
}

/** Enough for every command; `parseCommandLine` checks the limit of each. */
export const maxLine = maxAuthLine - 2;

// RFC 5321 §4.5.3.1.4, less the line end. MAIL may be longer by what RFC 1870 (26), RFC 6152 (17), RFC 6531 (10) and
// RFC 4954 (500) add to it.
const lineLimits = new Map([
  ['AUTH', maxLine],
  ['MAIL', 510 + 26 + 17 + 10 + 500],
]);
const usualLimit = 510;

const notText: Reply = {
  code: 500,
  enhanced: '5.5.2',
  text: 'Lines must be printable text and end with <CR><LF>',
};

/** Parses a line without its CRLF, or returns the reply that refuses it. */
export function parseCommandLine(line: Buffer | string): CommandLine | Reply {
  const text = readText(line);
  if (text === undefined) return notText;
  const space = text.indexOf(' ');
  const verb = (space === -1 ? text : text.slice(0, space)).toUpperCase();
  if (line.length > (lineLimits.get(verb) ?? usualLimit)) {
    return { code: 500, enhanced: verb === 'AUTH' ? '5.5.6' : '5.5.2', text: 'Line too long' };
  }
  return { verb, argument: space === -1 ? '' : text.slice(space + 1).trimEnd() };
}

/** Undefined when it has control characters, bare CR or LF included, or is not UTF-8. */
function readText(line: Buffer | string): string | undefined {
  if (typeof line !== 'string' && !isAscii(line) && !isUtf8(line)) return undefined;
  const text = line.toString();
  return /\p{Cc}/u.test(text) ? undefined : text;
}
