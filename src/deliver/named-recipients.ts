import type { Envelope } from '../mails/index.ts';
import { recipientFields } from '../protocol/mime/message-header.ts';
import { withoutRecipients } from '../protocol/mime/without-recipients.ts';
import type { DueMail } from './load-batch.ts';
import type { StoredMessage } from './stored-message.ts';

/** What To and Cc of a message depend on. */
type NamedMail = Pick<DueMail, 'recipient' | 'recipient_name'> & {
  message: Pick<StoredMessage, 'envelope' | 'stream' | 'rcpt_count' | 'dropped'>;
};

/**
 * Whether To names each recipient to themselves only (contract §6). A message that names its only recipient does so as it is.
 * Broadcast mail that was accepted by a version before does not say so.
 */
export function hidesOthers({ recipient, message }: NamedMail): boolean {
  const { envelope, stream, rcpt_count } = message;
  if (!isForSelf({ envelope, stream })) return false;
  const [first, another] = [...envelope.to, ...envelope.cc];
  const isNamedAlone =
    rcpt_count === 1 && !another && first?.address.toLowerCase() === recipient.toLowerCase();
  return !(isNamedAlone && envelope.to.length === 1);
}

export function isForSelf({ envelope, stream }: Pick<StoredMessage, 'envelope' | 'stream'>): boolean {
  return envelope.recipients_visible === 'self' || stream === 'broadcast';
}

/** To, for the one who gets the message. */
export function ownRecipientField({ recipient: address, recipient_name }: NamedMail): string {
  return recipientFields({ to: [{ address, name: recipient_name ?? undefined }], cc: [] });
}

/** To and Cc for all recipients of a message, without those who were dropped; undefined where each has a To of their own. */
export function sharedRecipients(mail: NamedMail): Pick<Envelope, 'to' | 'cc'> | undefined {
  if (hidesOthers(mail)) return undefined;
  const { to, cc } = mail.message.envelope;
  const dropped = othersDropped(mail);
  if (!dropped) return { to, cc };
  const isNamed = ({ address }: { address: string }): boolean => !dropped.has(address.toLowerCase());
  return { to: to.filter(isNamed), cc: cc.filter(isNamed) };
}

/** A submitted message without those who were dropped. */
export function withoutDropped(mail: NamedMail, raw: Buffer): Buffer {
  const dropped = othersDropped(mail);
  return dropped && !hidesOthers(mail) ? withoutRecipients(raw, dropped) : raw;
}

/** A dropped mail that is read in the panel names its own recipient. */
function othersDropped({ recipient, message }: NamedMail): ReadonlySet<string> | undefined {
  const { dropped } = message;
  const own = recipient.toLowerCase();
  if (!dropped?.has(own)) return dropped && dropped.size > 0 ? dropped : undefined;
  return new Set([...dropped].filter((address) => address !== own));
}
