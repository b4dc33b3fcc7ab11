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

const field = /^([!-9;-~]+)[ \t]*:([\s\S]*)$/;

/**
 * The header of a message in CRLF lines, each field with its place, so that single fields can be taken out while
 * every other octet stays. Undefined when a line is neither a field nor the continuation of one.
 */
export function readHeaderBlock(message: Buffer): HeaderBlock | undefined {
  const end = message.indexOf('\r\n\r\n');
  const header_end =
    message.subarray(0, 2).toString('latin1') === '\r\n' ? 0 : end === -1 ? message.length : end + 2;
  const text = message.toString('utf8', 0, header_end);
  // Octets and characters differ only where there is 8-bit text; latin1 keeps them aligned for the offsets.
  const octets = message.toString('latin1', 0, header_end);
  const lines = text.split(/\r\n(?![ \t])/);
  const places = octets.split(/\r\n(?![ \t])/);
  const fields: HeaderField[] = [];
  let start = 0;
  for (const [index, line] of lines.entries()) {
    const length = (places[index] ?? '').length + 2;
    if (line !== '') {
      const match = field.exec(line);
      if (!match) return undefined;
      const value = (match[2] ?? '').replaceAll(/\r\n([ \t])/g, '$1').trim();
      fields.push({ name: (match[1] ?? '').toLowerCase(), value, start, end: start + length });
    }
    start += length;
  }
  return { fields, body_start: Math.min(message.length, header_end + 2) };
}

/** The message without the fields that `unwanted` picks. */
export function removeFields(
  message: Buffer,
  { fields }: HeaderBlock,
  unwanted: (field: HeaderField) => boolean,
): Buffer {
  const removed = fields.filter(unwanted);
  if (removed.length === 0) return message;
  const kept: Buffer[] = [];
  let from = 0;
  for (const { start, end } of removed) {
    kept.push(message.subarray(from, start));
    from = end;
  }
  return Buffer.concat([...kept, message.subarray(from)]);
}
