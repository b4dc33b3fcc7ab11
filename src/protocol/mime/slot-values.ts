import type { Slot } from './outgoing-message.ts';

/** Longest value of a slot, in characters: lines left as they are (7bit) keep this much room for it. */
export const maxSlotLength = 100;

/** A slot in an encoded body: its value is written in the encoding of the part it stands in. */
export interface BodySlot extends Slot {
  encoding: '7bit' | 'quoted-printable';
}

/**
 * Renders a body with slots: in pieces, of which what stands before the first slot and after the last, attachments above
 * all, is the same for all recipients and in memory once.
 */
export function slottedBody(body: (Buffer | BodySlot)[]): (values: (slot: number) => string) => Buffer[] {
  const first = body.findIndex((piece) => !Buffer.isBuffer(piece));
  const start = first === -1 ? body.length : first;
  const end = body.findLastIndex((piece) => !Buffer.isBuffer(piece)) + 1 || body.length;
  const join = (pieces: (Buffer | BodySlot)[]): Buffer =>
    Buffer.concat(pieces.filter((piece) => Buffer.isBuffer(piece)));
  const [head, slotted, tail] = [join(body.slice(0, start)), body.slice(start, end), join(body.slice(end))];
  return (values) => [head, renderSlots(slotted, values), tail].filter((piece) => piece.length > 0);
}

/** Fixed pieces are copied, only the values are encoded. */
function renderSlots(slotted: (Buffer | BodySlot)[], values: (slot: number) => string): Buffer {
  let size = 0;
  const pieces = slotted.map((piece) => {
    const rendered = Buffer.isBuffer(piece) ? piece : encodeSlotValue(values(piece.slot), piece.encoding);
    size += rendered.length;
    return rendered;
  });
  const out = Buffer.allocUnsafe(size);
  let offset = 0;
  for (const piece of pieces) {
    if (typeof piece === 'string') out.write(piece, offset, 'latin1');
    else out.set(piece, offset);
    offset += piece.length;
  }
  return out;
}

/** Throws on a value that could break its line: longer than maxSlotLength, or with anything but printable ASCII. */
export function encodeSlotValue(value: string, encoding: BodySlot['encoding']): string {
  if (value.length > maxSlotLength) throw new RangeError(`slot value of ${value.length} characters`);
  if (!/^[ -~]*$/.test(value)) throw new RangeError('slot value with a character outside printable ASCII');
  if (encoding === '7bit') return value;
  return breakRows(/[ =]/.test(value) ? value.replaceAll('=', '=3D').replaceAll(' ', '=20') : value);
}

/** Soft breaks after at most 75 columns, never within an escape (RFC 2045 §6.7 rule 5). */
function breakRows(encoded: string): string {
  let rows = '';
  let start = 0;
  while (encoded.length - start > 75) {
    let end = start + 75;
    if (encoded[end - 1] === '=') end -= 1;
    else if (encoded[end - 2] === '=') end -= 2;
    rows += `${encoded.slice(start, end)}=\r\n`;
    start = end;
  }
  return rows + encoded.slice(start);
}
