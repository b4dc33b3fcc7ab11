import {
  needsConsent,
  storedMessage,
  type DeliverySlot,
  type HandOver,
  type StoredMessage,
} from '../deliver/index.ts';
import type { KnownSender } from '../domains/index.ts';
import type { SendingTerms } from '../instances/index.ts';
import type { NewKeptAnswer, NewMail, NewMessage } from '../mails/index.ts';

/** A message to be committed, with its sender and instance as known now. */
export interface Accepted {
  message: NewMessage;
  sender: KnownSender;
  instance: SendingTerms;
}

/** What one call commits, all of it or nothing. */
export interface AcceptedCall {
  accepted: Accepted[];
  /** For the caller who repeats the call. */
  answer: NewKeptAnswer | undefined;
}

/** A mail that is delivered right after its commit, without the queue. */
export interface Reserved {
  slot: DeliverySlot;
  start: () => void;
}

/** Reserves delivery slots for the mails of a message, by `mail_id`. Mails without a slot are queued. */
export function reserveSlots(
  handOver: HandOver,
  { message, sender, instance }: Accepted,
): Map<string, Reserved> {
  const reserved = new Map<string, Reserved>();
  // Consent is evaluated again before each attempt of queued mail; a handed-over mail would skip that.
  if (needsConsent(message, sender) || message.schedule_at !== null) return reserved;
  let stored: StoredMessage | undefined;
  for (const mail of message.mails) {
    if (mail.drop_reason !== null) continue;
    const slot = handOver.reserve({
      instance_id: message.instance_id,
      destination: mail.destination,
      received_at: message.received_at,
      urgent: message.stream === 'transactional',
      bytes: message.size_bytes,
    });
    if (!slot) continue;
    // Shared by all recipients: delivery builds the common part once.
    const content = (stored ??= asStored({ message, sender, instance }));
    reserved.set(mail.mail_id, { slot, start: () => slot.start(dueMail(message, mail, content)) });
  }
  return reserved;
}

/** As delivery would load it from the database. */
function asStored({ message, sender, instance }: Accepted): StoredMessage {
  const dropped = message.mails.filter(({ drop_reason }) => drop_reason !== null);
  return storedMessage(
    {
      ...message,
      rcpt_count: message.mails.length,
      dropped:
        dropped.length > 0 ? new Set(dropped.map(({ recipient }) => recipient.toLowerCase())) : undefined,
    },
    { sender, instance_is_enabled: instance.is_enabled },
  );
}

/** Restricted, unsubscribed and blocked recipients were dropped just before. */
function dueMail(
  message: NewMessage,
  mail: NewMail,
  stored: StoredMessage,
): Parameters<DeliverySlot['start']>[0] {
  return {
    mail_id: mail.mail_id,
    msg_id: message.msg_id,
    instance_id: message.instance_id,
    destination: mail.destination,
    recipient: mail.recipient,
    recipient_name: mail.recipient_name,
    received_at: message.received_at,
    schedule_at: message.schedule_at,
    is_restricted: false,
    is_unsubscribed: false,
    is_blocked: false,
    consent_drop: undefined,
    message: stored,
  };
}
