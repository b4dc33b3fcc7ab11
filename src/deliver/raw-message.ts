import {
  readHeaderBlock,
  removeFields,
  type HeaderBlock,
  type HeaderField,
} from '../protocol/mime/header-block.ts';
import type { DueMail } from './load-batch.ts';

const CR = 13;
const LF = 10;

/** A submitted message is sent unchanged, except that a missing Date or Message-ID is added. */
export function splitRaw(
  given: Buffer,
  found: HeaderBlock | undefined,
  { message, received_at }: Pick<DueMail, 'message' | 'received_at'>,
): { header: Buffer; body: Buffer } {
  // A broadcast carries our List-Unsubscribe only: clients ignore a field that appears twice.
  const isOurs = ({ name }: HeaderField): boolean =>
    message.stream === 'broadcast' && unsubscribeFields.has(name);
  const raw = found?.fields.some(isOurs) ? removeFields(given, found, isOurs) : given;
  const block = raw === given ? found : readHeaderBlock(raw);
  const has = (name: string): boolean => block?.fields.some((field) => field.name === name) ?? false;
  const date = has('date') ? '' : `Date: ${received_at.toUTCString().replace('GMT', '+0000')}\r\n`;
  const id = has('message-id') ? '' : `Message-ID: <${message.msg_id}@${message.domain}>\r\n`;
  const bodyStart = block?.body_start ?? raw.length;
  // A message without a body may lack the blank line, and even the final CRLF.
  const headerEnd = Math.min(raw.length, block?.fields.at(-1)?.end ?? 0);
  const end = endsLine(raw, headerEnd) ? '' : '\r\n';
  return {
    header: Buffer.concat([Buffer.from(date + id), raw.subarray(0, headerEnd), Buffer.from(end)]),
    body: raw.subarray(bodyStart),
  };
}

const unsubscribeFields: ReadonlySet<string> = new Set(['list-unsubscribe', 'list-unsubscribe-post']);

function endsLine(bytes: Buffer, at: number): boolean {
  return at === 0 || (bytes[at - 2] === CR && bytes[at - 1] === LF);
}
