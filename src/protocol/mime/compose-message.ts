import { encodeBase64Lines } from './base64-lines.ts';
import { layOutMessage } from './lay-out-message.ts';
import type { OutgoingMessage } from './outgoing-message.ts';
import { slottedBody, type BodySlot } from './slot-values.ts';
import { encodeTextBody } from './text-body.ts';

/** A message encoded once for all of its recipients. */
export interface ComposedMessage {
  /** Header lines, each with its CRLF; the blank line after them is not included. */
  header: Buffer;
  /** Exact octets of header, blank line and body, with each slot's value as `slot_bytes` octets. */
  measure(slotBytes: number): number;
  /** The body for one recipient, in pieces; those that all recipients share are the same each time. */
  render: (values: (slot: number) => string) => Buffer[];
  has_slots: boolean;
}

/** Throws TypeError on anything that could end a header line early; the message was validated on input. */
export function composeMessage(message: OutgoingMessage): ComposedMessage {
  const { header: lines, body: pieces } = layOutMessage(message);
  const header = Buffer.from(lines);
  const body = pieces.flatMap((piece): (Buffer | BodySlot)[] => {
    if (typeof piece === 'string') return [Buffer.from(piece, 'latin1')];
    return Buffer.isBuffer(piece) ? [encodeBase64Lines(piece)] : encodeTextBody(piece);
  });
  const fixed = body.filter((piece) => Buffer.isBuffer(piece));
  const octets = fixed.reduce((sum, piece) => sum + piece.length, header.length + 2);
  const slots = body.length - fixed.length;
  return {
    header,
    measure: (slotBytes) => octets + slots * slotBytes,
    render: slottedBody(body),
    has_slots: slots > 0,
  };
}
