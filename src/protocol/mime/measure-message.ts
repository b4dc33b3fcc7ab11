import { measureBase64Lines } from './base64-lines.ts';
import { layOutMessage } from './lay-out-message.ts';
import type { OutgoingMessage } from './outgoing-message.ts';
import { measureTextBody, type TextBody } from './text-body.ts';

/** What composeMessage(message).measure(slot_bytes) gives, without encoding any content. */
export function measureMessage(message: OutgoingMessage, slotBytes: number): number {
  const { header, body } = layOutMessage(message);
  let octets = Buffer.byteLength(header) + 2;
  for (const piece of body) {
    if (typeof piece === 'string') octets += piece.length;
    else if (Buffer.isBuffer(piece)) octets += measureBase64Lines(piece.length);
    else octets += measureTextBody(piece) + slotsIn(piece) * slotBytes;
  }
  return octets;
}

function slotsIn({ pieces }: TextBody): number {
  return pieces.filter((piece) => typeof piece !== 'string').length;
}
