import { readHeaderBlock, removeFields, type HeaderField } from '../protocol/mime/header-block.ts';
import type { StoredMessage } from './load-batch.ts';

/** A submitted message goes out as it came in; only what every message must have is added where it lacks. */
export function splitRaw(
  given: Buffer,
  message: StoredMessage,
  received_at: Date,
): { header: Buffer; body: Buffer } {
  const found = readHeaderBlock(given);
  // A broadcast has one way out, the one that is honoured: two fields of that name are read as none.
  const isOurs = ({ name }: HeaderField): boolean => message.stream === 'broadcast' && wayOut.has(name);
  const raw = found?.fields.some(isOurs) ? removeFields(given, found, isOurs) : given;
  const block = raw === given ? found : readHeaderBlock(raw);
  const names = new Set(block?.fields.map(({ name }) => name));
  const missing = [
    names.has('date') ? '' : `Date: ${received_at.toUTCString().replace('GMT', '+0000')}\r\n`,
    names.has('message-id') ? '' : `Message-ID: <${message.msg_id}@${message.domain}>\r\n`,
  ].join('');
  const bodyStart = block?.body_start ?? raw.length;
  // A message without a body may lack the blank line, and the last line its end.
  const headerEnd = Math.min(raw.length, block?.fields.at(-1)?.end ?? 0);
  const header = [raw.subarray(0, headerEnd), endsLine(raw, headerEnd) ? '' : '\r\n'];
  return {
    header: Buffer.concat([missing, ...header].map((part) => Buffer.from(part))),
    body: raw.subarray(bodyStart),
  };
}

const wayOut: ReadonlySet<string> = new Set(['list-unsubscribe', 'list-unsubscribe-post']);

function endsLine(bytes: Buffer, at: number): boolean {
  return at === 0 || bytes.toString('latin1', at - 2, at) === '\r\n';
}
