import { fieldOf, readFields, type Field } from './read-fields.ts';

/** A part that holds no further parts; a message inside the message is one too. */
export interface Part {
  /** Media type in lower case, without parameters. */
  type: string;
  parameters: Record<string, string>;
  fields: Field[];
  /** Whether it is inside a `multipart/related`, where other parts refer to it. */
  is_related: boolean;
  /** As it came, in its transfer encoding. */
  body: Buffer;
}

export interface ReadMessage extends Pick<Part, 'type' | 'parameters' | 'fields'> {
  /** In their order; the message itself when it has no parts. */
  parts: Part[];
}

const deepest = 8;
const most_parts = 100;
const longest_header = 128 * 1024;
const longest_boundary = 200;

/**
 * The parts of a message that others wrote, broken ones included. It never throws and takes time in proportion to the
 * message. The parser of postal-mime keeps every line as an object: 10 MB of line ends took it beyond 4 GB of memory.
 */
export function readParts(raw: Buffer): ReadMessage {
  const root = readPart(raw, false);
  const parts: Part[] = [];
  collect(root, parts, 0);
  return { type: root.type, parameters: root.parameters, fields: root.fields, parts };
}

function collect(part: Part, into: Part[], depth: number): void {
  if (into.length >= most_parts) return;
  const boundary = part.parameters['boundary'] ?? '';
  const isContainer = part.type.startsWith('multipart/') && boundary !== '' && depth < deepest;
  if (!isContainer || boundary.length > longest_boundary) {
    into.push(part);
    return;
  }
  const isRelated = part.is_related || part.type === 'multipart/related';
  for (const piece of split(part.body, boundary)) collect(readPart(piece, isRelated), into, depth + 1);
}

function readPart(raw: Buffer, is_related: boolean): Part {
  const { header_end, body_start } = findBody(raw);
  const fields = readFields(raw.toString('utf8', 0, Math.min(header_end, longest_header)));
  const value = fieldOf(fields, 'content-type') ?? '';
  const type = /^[\w!#$%&'*+.^`{|}~-]{1,127}\/[\w!#$%&'*+.^`{|}~-]{1,127}/.exec(value)?.[0].toLowerCase();
  return {
    type: type ?? 'text/plain',
    parameters: readParameters(value),
    fields,
    is_related,
    body: raw.subarray(body_start),
  };
}

/** After the first blank line, whichever way lines end; a message inside a message may have been rewritten. */
function findBody(raw: Buffer): { header_end: number; body_start: number } {
  if (raw[0] === 0x0a) return { header_end: 0, body_start: 1 };
  if (raw[0] === 0x0d && raw[1] === 0x0a) return { header_end: 0, body_start: 2 };
  const crlf = raw.indexOf('\n\r\n');
  const lf = raw.subarray(0, crlf === -1 ? raw.length : crlf).indexOf('\n\n');
  if (lf !== -1) return { header_end: lf + 1, body_start: lf + 2 };
  return crlf === -1
    ? { header_end: raw.length, body_start: raw.length }
    : { header_end: crlf + 1, body_start: crlf + 3 };
}

function readParameters(value: string): Record<string, string> {
  const parameters: Record<string, string> = Object.create(null) as Record<string, string>;
  const pairs = /;\s*([\w*-]{1,50})\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/g;
  for (const [, name = '', quoted, bare = ''] of value.matchAll(pairs)) {
    parameters[name.toLowerCase()] ??= quoted === undefined ? bare : quoted.replaceAll(/\\(.)/g, '$1');
  }
  return parameters;
}

/** What stands between the lines of the boundary (RFC 2046 §5.1.1); the last piece may lack its end. */
function split(body: Buffer, boundary: string): Buffer[] {
  const mark = Buffer.from(`--${boundary}`);
  const pieces: Buffer[] = [];
  let start = -1;
  for (let at = body.indexOf(mark); at !== -1; at = body.indexOf(mark, at + mark.length)) {
    const line = readBoundaryLine(body, at, at + mark.length);
    if (line === undefined) continue;
    if (start !== -1) pieces.push(body.subarray(start, endBefore(body, at)));
    start = line.is_last ? -1 : line.end;
    if (line.is_last || pieces.length > most_parts) break;
  }
  if (start !== -1) pieces.push(body.subarray(start));
  return pieces;
}

function readBoundaryLine(
  body: Buffer,
  at: number,
  after: number,
): { end: number; is_last: boolean } | undefined {
  if (at > 0 && body[at - 1] !== 0x0a) return undefined;
  const found = body.indexOf(0x0a, after);
  const end = found === -1 ? body.length : found + 1;
  // A longer boundary that begins like this one has text here.
  if (end - after > 80) return undefined;
  const rest = body.toString('latin1', after, end).trim();
  return rest === '' || rest === '--' ? { end, is_last: rest === '--' } : undefined;
}

/** The line end before a boundary belongs to it. */
function endBefore(body: Buffer, at: number): number {
  if (body[at - 1] !== 0x0a) return at;
  return body[at - 2] === 0x0d ? at - 2 : at - 1;
}
