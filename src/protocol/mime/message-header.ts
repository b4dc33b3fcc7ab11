import { foldMailboxes } from './address-header.ts';
import { foldCustomHeader, foldDisplayText } from './fold-header.ts';
import type { Mailbox, OutgoingMessage } from './outgoing-message.ts';

/** Fields that only this file writes: with a second one of them, readers would have to guess which applies. */
const writtenHere = new Set([
  'from',
  'to',
  'cc',
  'bcc',
  'subject',
  'date',
  'message-id',
  'reply-to',
  'mime-version',
  'content-type',
  'content-transfer-encoding',
  'content-disposition',
]);

/** The header of a message up to its structure: addresses, subject, date, identifier and the further headers. */
export function messageHeader(message: OutgoingMessage): string {
  const { from, to, cc = [], reply_to = [], headers } = message;
  return [
    foldMailboxes('From', [from]),
    to ? recipientFields({ to, cc }) : '',
    foldDisplayText('Subject', message.subject),
    `Date: ${messageDate(message.date)}\r\n`,
    `Message-ID: ${messageId(message.message_id)}\r\n`,
    reply_to.length > 0 ? foldMailboxes('Reply-To', reply_to) : '',
    ...headers.map(([name, value]) => furtherHeader(name, value)),
    'MIME-Version: 1.0\r\n',
  ].join('');
}

export function recipientFields({ to, cc }: { to: Mailbox[]; cc: Mailbox[] }): string {
  return [
    to.length > 0 ? foldMailboxes('To', to) : 'To: undisclosed-recipients:;\r\n',
    cc.length > 0 ? foldMailboxes('Cc', cc) : '',
  ].join('');
}

function furtherHeader(name: string, value: string): string {
  if (writtenHere.has(name.toLowerCase())) throw new TypeError(`header ${name} has a field of its own`);
  return foldCustomHeader(name, value);
}

/** RFC 5322 §3.3, in UTC and with a zone in digits: names of zones are obsolete. */
function messageDate(date: Date): string {
  if (Number.isNaN(date.getTime())) throw new RangeError('the date of the message is not valid');
  return date.toUTCString().replace('GMT', '+0000');
}

/** RFC 5322 §3.6.4, which cannot be folded or encoded. */
function messageId(text: string): string {
  const [, id] = /^<?([!-;=?-~]{1,900})>?$/.exec(text) ?? [];
  if (id === undefined) throw new TypeError('message id with a character that ids cannot have');
  return `<${id}>`;
}
