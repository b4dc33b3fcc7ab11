import {
  readHeaderBlock,
  removeFields,
  type HeaderBlock,
  type HeaderField,
} from '../protocol/mime/header-block.ts';
import { sendingTime, type DueMail } from './load-batch.ts';
import { hidesOthers } from './named-recipients.ts';

const crByte = 13;
const lfByte = 10;

/**
 * A submitted message is sent unchanged, except that a missing Date or Message-ID is added, and that fields are taken out which
 * each recipient gets for themselves. One that was scheduled gets the
 * Date it was scheduled for: spam filters score a Date of weeks ago.
 */
export function splitRaw(
  given: Buffer,
  found: HeaderBlock | undefined,
  mail: Pick<DueMail, 'message' | 'received_at' | 'schedule_at' | 'recipient' | 'recipient_name'>,
): { header: Buffer; body: Buffer } {
  const { message } = mail;
  const isPersonal = hidesOthers(mail);
  // A broadcast carries our List-Unsubscribe only: clients ignore a field that appears twice.
  const isOurs = ({ name }: HeaderField): boolean =>
    (message.stream === 'broadcast' && unsubscribeFields.has(name)) ||
    (isPersonal && recipientFields.has(name)) ||
    (mail.schedule_at !== null && name === 'date');
  const raw = found?.fields.some(isOurs) ? removeFields(given, found, isOurs) : given;
  const block = raw === given ? found : readHeaderBlock(raw);
  const has = (name: string): boolean => block?.fields.some((field) => field.name === name) ?? false;
  const date = has('date') ? '' : `Date: ${sendingTime(mail).toUTCString().replace('GMT', '+0000')}\r\n`;
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
/** Fields that name recipients: those of RFC 5322 §3.6.3, and what mail programs and relays write of the envelope. */
const recipientFields: ReadonlySet<string> = new Set([
  'to',
  'cc',
  'apparently-to',
  'delivered-to',
  'envelope-to',
  'x-envelope-to',
  'x-original-to',
]);

function endsLine(bytes: Buffer, at: number): boolean {
  return at === 0 || (bytes[at - 2] === crByte && bytes[at - 1] === lfByte);
}
