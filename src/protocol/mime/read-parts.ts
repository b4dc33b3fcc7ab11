import { fieldOf, readFields, type Field } from './read-fields.ts';
import { readParameters } from './read-parameters.ts';

/** A part that holds no further parts; a message inside the message is one too. */
export interface Part {
  /** Media type in lower case, without parameters. */
  type: string;
  parameters: Record<string, string>;
  fields: Field[];
  /** Whether it is inside a `multipart/related`, where other parts refer to it. */
  is_related: boolean;
  /** Whether it is inside a `multipart/signed` or `multipart/encrypted` (RFC 1847), where no octet may change. */
  is_sealed: boolean;
  /** As it came, in its transfer encoding. */
  body: Buffer;
}

export interface ReadMessage extends Pick<Part, 'type' | 'parameters' | 'fields'> {
  /** In their order; the message itself when it has no parts. */
  parts: Part[];
}

const deepest = 8;
const maxParts = 100;
/** How often each octet is searched: mail programs do not write containers that hold only another container. */
const maxSearches = 4;
const maxHeaderLength = 128 * 1024;
const maxBoundaryLength = 200;
/** Counts the boundary also inside a line; genuine delimiters are among these. */
const maxCandidates = 10_000;

/**
 * The parts of a message that others wrote, broken ones included. It never throws and takes time in proportion to the
 * message. The parser of postal-mime keeps every line as an object: 10 MB of line ends took it beyond 4 GB of memory.
 */
export function readParts(raw: Buffer): ReadMessage {
  const root = readPart(raw, { is_related: false, is_sealed: false });
  const found: Found = { parts: [], left: maxSearches * raw.length };
  collect(root, found, 0);
  return { type: root.type, parameters: root.parameters, fields: root.fields, parts: found.parts };
}

interface Found {
  parts: Part[];
  /** Octets that may still be searched for boundaries. */
  left: number;
}

function collect(part: Part, found: Found, depth: number): void {
  if (found.parts.length >= maxParts) return;
  const boundary = part.parameters['boundary'] ?? '';
  const isContainer = part.type.startsWith('multipart/') && boundary !== '' && depth < deepest;
  if (!isContainer || boundary.length > maxBoundaryLength || part.body.length > found.left) {
    found.parts.push(part);
    return;
  }
  found.left -= part.body.length;
  const inside = {
    is_related: part.is_related || part.type === 'multipart/related',
    is_sealed: part.is_sealed || part.type === 'multipart/signed' || part.type === 'multipart/encrypted',
  };
  for (const piece of split(part.body, boundary)) collect(readPart(piece, inside), found, depth + 1);
}

function readPart(raw: Buffer, inside: Pick<Part, 'is_related' | 'is_sealed'>): Part {
  const { header_end, body_start } = findBody(raw);
  const fields = readFields(raw.toString('utf8', 0, header_end));
  const value = fieldOf(fields, 'content-type') ?? '';
  const type = /^[\w!#$%&'*+.^`{|}~-]{1,127}\/[\w!#$%&'*+.^`{|}~-]{1,127}/.exec(value)?.[0].toLowerCase();
  return {
    type: type ?? 'text/plain',
    parameters: readParameters(value),
    fields,
    ...inside,
    body: raw.subarray(body_start),
  };
}

/** After the first blank line, whichever way lines end; a message inside a message may have been rewritten. */
function findBody(part: Buffer): { header_end: number; body_start: number } {
  const raw = part.subarray(0, maxHeaderLength);
  if (raw[0] === 0x0a) return { header_end: 0, body_start: 1 };
  if (raw[0] === 0x0d && raw[1] === 0x0a) return { header_end: 0, body_start: 2 };
  const crlf = raw.indexOf('\n\r\n');
  const lf = raw.subarray(0, crlf === -1 ? raw.length : crlf).indexOf('\n\n');
  if (lf !== -1) return { header_end: lf + 1, body_start: lf + 2 };
  return crlf === -1
    ? { header_end: raw.length, body_start: raw.length }
    : { header_end: crlf + 1, body_start: crlf + 3 };
}

/** What stands between the lines of the boundary (RFC 2046 §5.1.1); the last piece may lack its end. */
function split(body: Buffer, boundary: string): Buffer[] {
  const mark = Buffer.from(`--${boundary}`);
  const pieces: Buffer[] = [];
  let start = -1;
  let candidates = 0;
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) {
    candidates += 1;
    if (candidates > maxCandidates) break;
    const line = at === 0 || body[at - 1] === 0x0a ? readBoundaryLine(body, at + mark.length) : undefined;
    if (line === undefined) continue;
    if (start !== -1) pieces.push(body.subarray(start, endBefore(body, at)));
    start = line.is_last ? -1 : line.end;
    if (line.is_last || pieces.length > maxParts) break;
  }
  if (start !== -1) pieces.push(body.subarray(start));
  return pieces;
}

/** The end of a line of the boundary, after which blanks may follow; undefined where text does: that is another one. */
function readBoundaryLine(body: Buffer, after: number): { end: number; is_last: boolean } | undefined {
  const is_last = body[after] === 0x2d && body[after + 1] === 0x2d;
  const most = Math.min(body.length, after + 80);
  let end = is_last ? after + 2 : after;
  while (end < most && (body[end] === 0x20 || body[end] === 0x09 || body[end] === 0x0d)) end += 1;
  if (end === body.length) return { end, is_last };
  return body[end] === 0x0a ? { end: end + 1, is_last } : undefined;
}

/** The line end before a boundary belongs to it. */
function endBefore(body: Buffer, at: number): number {
  if (body[at - 1] !== 0x0a) return at;
  return body[at - 2] === 0x0d ? at - 2 : at - 1;
}
