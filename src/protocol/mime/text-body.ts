import { encodeBase64Lines, measureBase64Lines } from './base64-lines.ts';
import type { SlottedText } from './outgoing-message.ts';
import { encodeQuotedPrintable, measureQuotedPrintable } from './quoted-printable.ts';
import { maxSlotLength, type BodySlot } from './slot-values.ts';

type TransferEncoding = '7bit' | 'quoted-printable' | 'base64';

/** A text with the encoding chosen for it. */
export interface TextBody {
  encoding: TransferEncoding;
  /** No two strings side by side. */
  pieces: SlottedText;
}

/** Longest line without its CRLF (RFC 5322 §2.1.1). */
const longestLine = 998;

/**
 * As it is where SMTP allows that; else quoted-printable, in which slots can be filled, unless there are none and so
 * much is outside ASCII that base64 is shorter.
 */
export function planTextBody(text: SlottedText): TextBody {
  const pieces = joinNeighbours(text);
  const strings = pieces.filter((piece) => typeof piece === 'string');
  const characters = strings.reduce((sum, piece) => sum + piece.length, 0);
  const octets = strings.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0);
  const isSevenBit = octets === characters && !strings.some((piece) => piece.includes('\0'));
  if (isSevenBit && hasShortLines(pieces)) return { encoding: '7bit', pieces };
  if (strings.length < pieces.length) return { encoding: 'quoted-printable', pieces };
  // Escaping triples an octet where base64 adds 37 % to all: they meet near 16 % of octets outside ASCII, which is
  // 8 to 11 % more octets than UTF-16 units, depending on the script. Both counts are native and take microseconds.
  const isForeign = (octets - characters) * 11 > octets;
  return { encoding: isForeign ? 'base64' : 'quoted-printable', pieces };
}

/** The octets of encodeTextBody, slots not counted. */
export function measureTextBody({ encoding, pieces }: TextBody): number {
  if (encoding === 'quoted-printable') return measureQuotedPrintable(pieces);
  let octets = 0;
  for (const piece of pieces) if (typeof piece === 'string') octets += measureWithLineEnds(piece);
  return encoding === 'base64' ? measureBase64Lines(octets) : octets;
}

/** The text encoded, every kind of line end as CRLF. */
export function encodeTextBody({ encoding, pieces }: TextBody): (Buffer | BodySlot)[] {
  if (encoding === 'base64') {
    const text = pieces.filter((piece) => typeof piece === 'string').join('');
    return [encodeBase64Lines(Buffer.from(withLineEnds(text)))];
  }
  const encoded = encoding === 'quoted-printable' ? encodeQuotedPrintable(pieces) : pieces;
  return encoded.map((piece) => {
    if (typeof piece === 'string') return Buffer.from(withLineEnds(piece), 'latin1');
    return Buffer.isBuffer(piece) ? piece : { slot: piece.slot, encoding };
  });
}

function joinNeighbours(text: SlottedText): SlottedText {
  const pieces: SlottedText = [];
  for (const piece of text) {
    const before = pieces.at(-1);
    if (typeof piece === 'string' && typeof before === 'string') pieces[pieces.length - 1] = before + piece;
    else pieces.push(piece);
  }
  return pieces;
}

/** Whether every line is within the limit even when its slots hold the longest values. */
function hasShortLines(pieces: SlottedText): boolean {
  let used = 0;
  for (const piece of pieces) {
    used = typeof piece === 'string' ? lastColumn(piece, used) : used + maxSlotLength;
    if (used > longestLine) return false;
  }
  return true;
}

/** Columns used after this text when `used` were before it; Infinity when a line of it is too long. */
function lastColumn(text: string, used: number): number {
  let start = 0;
  let room = longestLine - used;
  // Jumps from one line end to the last one within reach: 20 calls for 20 KB, whatever the number of lines.
  while (text.length - start > room) {
    const reach = start + room + (text.startsWith('\r\n', start + room) ? 1 : 0);
    const end = text.lastIndexOf('\n', reach);
    if (end < start) return Infinity;
    start = end + 1;
    room = longestLine;
  }
  const end = text.lastIndexOf('\n');
  return end < start ? longestLine - room + text.length - start : text.length - end - 1;
}

const loneLineEnd = /\r(?!\n)|(?<!\r)\n/g;

function withLineEnds(text: string): string {
  return text.includes('\r') ? text.replaceAll(loneLineEnd, '\r\n') : text.replaceAll('\n', '\r\n');
}

function measureWithLineEnds(text: string): number {
  const octets = Buffer.byteLength(text);
  if (text.includes('\r')) return octets + (text.match(loneLineEnd)?.length ?? 0);
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines += 1;
  return octets + lines;
}
