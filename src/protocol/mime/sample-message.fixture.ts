import type { ComposedMessage } from './compose-message.ts';
import type { OutgoingMessage } from './outgoing-message.ts';

/** A message with everything that has to be there, and what a test is about. */
export function sampleMessage(about: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    from: { address: 'shop@example.com', name: 'The Shop' },
    to: [{ address: 'ana@example.net' }],
    cc: [],
    subject: 'Your order',
    message_id: '0190f3c2@example.com',
    date: new Date('2026-01-05T07:08:09Z'),
    headers: [],
    attachments: [],
    ...about,
  };
}

/** The message on the wire. */
export function wire(composed: ComposedMessage, values: (slot: number) => string = () => ''): Buffer {
  return Buffer.concat([composed.header, Buffer.from('\r\n'), ...composed.render(values)]);
}

/** What a reader gets of a text: whole characters, lines ending in CRLF. */
export function asReceived(text: string): string {
  return text.toWellFormed().replaceAll(/\r\n|\r|\n/g, '\r\n');
}

/** RFC 2045 §6.7 backwards; throws on what no encoder may write. */
export function decodeQuotedPrintable(encoded: Buffer): string {
  const text = encoded.toString('latin1');
  for (const line of text.split('\r\n')) {
    if (line.length > 76 || /[^\t\x20-\x7e]|[ \t]$|=(?![0-9A-F]{2}|$)/.test(line))
      throw new Error(`line ${line}`);
  }
  const octets = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(octets, 'latin1').toString();
}
