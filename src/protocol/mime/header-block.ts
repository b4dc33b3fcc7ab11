import { isAscii } from 'node:buffer';

export interface HeaderField {
  /** In lower case. */
  name: string;
  /** Unfolded (RFC 5322 §2.2.3) and trimmed, otherwise as sent. */
  value: string;
  /** Octets of the whole field in the message, its line ends included. */
  start: number;
  end: number;
}

export interface HeaderBlock {
  fields: HeaderField[];
  /** Where the body begins: after the blank line. */
  body_start: number;
}

const blankLine = Buffer.from('\r\n\r\n');
const fieldName = /([!-9;-~]+)[ \t]*:/y;

/**
 * The header of a message in CRLF lines, each field with its place, so that single fields can be taken out while
 * every other octet stays. Undefined when a line is neither a field nor the continuation of one.
 */
export function readHeaderBlock(message: Buffer, header_end = endOfHeader(message)): HeaderBlock | undefined {
  // A character for each octet, so that places in the text are places in the message.
  const octets = message.toString('latin1', 0, header_end);
  const hasOnlyAscii = isAscii(message.subarray(0, header_end));
  const fields: HeaderField[] = [];
  for (let start = 0, end = 0; start < header_end; start = end) {
    end = endOfField(octets, start);
    fieldName.lastIndex = start;
    const name = fieldName.exec(octets)?.[1];
    if (name === undefined) return undefined;
    const from = fieldName.lastIndex;
    const text = hasOnlyAscii ? octets.slice(from, end) : message.toString('utf8', from, end);
    fields.push({ name: name.toLowerCase(), value: unfold(text.trim()), start, end });
  }
  return { fields, body_start: Math.min(message.length, header_end + 2) };
}

/** Octets of the header, the blank line after it not counted. */
export function endOfHeader(message: Buffer): number {
  if (message[0] === 13 && message[1] === 10) return 0;
  const end = message.indexOf(blankLine);
  return end === -1 ? message.length : end + 2;
}

/** After the first line end that no continuation follows. */
function endOfField(octets: string, start: number): number {
  let end = octets.indexOf('\r\n', start);
  while (end !== -1 && (octets[end + 2] === ' ' || octets[end + 2] === '\t')) {
    end = octets.indexOf('\r\n', end + 2);
  }
  return end === -1 ? octets.length : end + 2;
}

function unfold(text: string): string {
  return text.includes('\r\n') ? text.replaceAll(/\r\n([ \t])/g, '$1') : text;
}

/** The message without the fields that `unwanted` picks. */
export function removeFields(
  message: Buffer,
  header: HeaderBlock,
  unwanted: (field: HeaderField) => boolean,
): Buffer {
  return rewriteFields(message, header, (field) => (unwanted(field) ? '' : undefined));
}

/** The message with other lines in place of some fields; undefined leaves a field as it is. */
export function rewriteFields(
  message: Buffer,
  { fields }: HeaderBlock,
  rewrite: (field: HeaderField) => string | undefined,
): Buffer {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const field of fields) {
    const lines = rewrite(field);
    if (lines === undefined) continue;
    const octets = Buffer.from(lines);
    // Unchanged fields are common, and without any the message need not be copied.
    if (octets.equals(message.subarray(field.start, field.end))) continue;
    pieces.push(message.subarray(from, field.start), octets);
    from = field.end;
  }
  return pieces.length === 0 ? message : Buffer.concat([...pieces, message.subarray(from)]);
}
