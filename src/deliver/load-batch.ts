import type { QueryResultRow } from 'pg';
import { addressKey } from '../base/db/address-key.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import { type ConsentDrop, findConsentDropsOfAll } from '../consent/index.ts';
import type { StoredContent } from '../mails/index.ts';
import type { Attachment } from '../protocol/mime/outgoing-message.ts';
import type { ClaimedMail } from '../queue/index.ts';
import { isStanding } from '../restrictions/index.ts';
import { findDropped } from './find-dropped.ts';
import { isForSelf } from './named-recipients.ts';
import { storedMessage, type SenderState, type StoredMessage } from './stored-message.ts';

/** When a mail was to be sent: its Date (RFC 5322 §3.6.1), and the beginning of the five days that it is tried. */
export function sendingTime({
  schedule_at,
  received_at,
}: Pick<DueMail, 'schedule_at' | 'received_at'>): Date {
  return schedule_at ?? received_at;
}

export interface DueMail extends ClaimedMail {
  recipient: string;
  recipient_name: string | null;
  received_at: Date;
  schedule_at: Date | null;
  /** Now, not when the mail was accepted. */
  is_restricted: boolean;
  /** Now; matters for broadcast mail only. */
  is_unsubscribed: boolean;
  /** Now; at their own request. */
  is_blocked: boolean;
  /** Now; only looked up where the sender requires consent. */
  consent_drop: ConsentDrop;
  message: StoredMessage;
}

/** Of the message, else of its sender. Looked up only for those who have unsubscribed from something. */
const purposeOf = (mail: string): string => `coalesce(
  (select g.consent_purpose_id from messages g where g.msg_id = ${mail}.msg_id),
  (select s.consent_purpose_id from senders s where s.id = ${mail}.sender_id))`;

/** Blocked contacts are read once per instance. */
const mails: Statement = {
  name: 'deliver.load_mails',
  text: `
    with found as materialized (
      select mail_id, msg_id, instance_id, sender_id, recipient, recipient_name, received_at, schedule_at
      from mails where mail_id = any ($1::uuid[]) and mail_id between $2 and $3
    ), blocked as materialized (
      select id, blocked_contacts(id, 'email_address') as contacts from (select distinct instance_id as id from found) as instances
    )
    select m.mail_id, m.recipient, m.recipient_name, m.received_at, m.schedule_at,
      exists (select from restrictions r where r.instance_id = m.instance_id
        and r.recipient_key = ${addressKey('m.recipient')}) as is_restricted,
      exists (select from unsubscribes u where u.instance_id = m.instance_id
        and u.recipient_key = ${addressKey('m.recipient')} and ${isStanding(purposeOf('m'))}) as is_unsubscribed,
      coalesce(${addressKey('m.recipient')} = any (b.contacts), false) as is_blocked
    from found m join blocked b on b.id = m.instance_id`,
};

/** The content of larger messages is loaded one message at a time. */
export const largeBytes = 256 * 1024;

function unlessLarge(column: string): string {
  return `case when m.size_bytes <= ${largeBytes} then m.${column} end as ${column}`;
}

/** Mail of a deleted sender is still sent; mail of a revoked domain is not. */
const messages: Statement = {
  name: 'deliver.load_messages',
  text: `
    select m.msg_id, m.instance_id, m.source, m.stream, m.rcpt_count, m.size_bytes, m.content_kind, m.envelope,
      m.size_bytes > ${largeBytes} as is_content_left_out, ${unlessLarge('html')}, ${unlessLarge('text')}, ${unlessLarge('raw')}, ${unlessLarge('variables')},
      m.test_mode, d.id as domain_id, d.domain, d.is_sandbox,
      'verified' = all (array[d.mx_status, d.spf_status, d.dkim_status, d.dmarc_status]) as is_verified,
      i.is_enabled as instance_is_enabled, s.track_opens, s.track_clicks,
      s.requires_consent or m.consent_purpose_id is not null as requires_consent,
      coalesce(m.consent_purpose_id, s.consent_purpose_id) as consent_purpose_id
    from messages m
    join senders s on s.id = m.sender_id join domains d on d.id = s.domain_id join instances i on i.id = m.instance_id
    where m.msg_id = any ($1::uuid[]) and m.msg_id between $2 and $3`,
};

type MessageRow = Parameters<typeof storedMessage>[0] & SenderState & { instance_is_enabled: boolean };
type MailRow = Omit<DueMail, keyof ClaimedMail | 'message' | 'consent_drop'> & { mail_id: string };

/**
 * Loads what the attempts of a claim need: two queries, and more where recipients see each other or consent is required.
 * Mails whose message is past its retention are left out.
 */
export async function loadBatch(db: Queryable, claimed: ClaimedMail[]): Promise<DueMail[]> {
  const mailIds = claimed.map(({ mail_id }) => mail_id).toSorted();
  const messageIds = [...new Set(claimed.map(({ msg_id }) => msg_id))].toSorted();
  const range = (ids: string[]): unknown[] => [ids, ids[0], ids.at(-1)];
  const [mailRows, messageRows] = await Promise.all([
    db.query<MailRow>(mails, range(mailIds)),
    db.query<MessageRow>(messages, range(messageIds)),
  ]);
  const loaded = messageRows.map((row) =>
    storedMessage(row, { sender: row, instance_is_enabled: row.instance_is_enabled }),
  );
  const byMail = new Map(mailRows.map((row) => [row.mail_id, row]));
  const byMessage = new Map(loaded.map((message) => [message.msg_id, message]));
  const due = claimed.flatMap((claim): DueMail[] => {
    const mail = byMail.get(claim.mail_id);
    const message = byMessage.get(claim.msg_id);
    return mail && message ? [{ ...claim, ...mail, consent_drop: undefined, message }] : [];
  });
  const [checked] = await Promise.all([withConsent(db, due), addDropped(db, loaded)]);
  return checked;
}

/** One more query where recipients of a message see each other. */
async function addDropped(db: Queryable, loaded: StoredMessage[]): Promise<void> {
  const shared = loaded.filter((message) => message.rcpt_count > 1 && !isForSelf(message));
  const dropped = await findDropped(db, shared);
  for (const message of shared) message.dropped = dropped.get(message.msg_id);
}

/** Consent may have been withdrawn since the mail was accepted, or since its last attempt. */
async function withConsent(db: Queryable, due: DueMail[]): Promise<DueMail[]> {
  const asked = due.flatMap(({ mail_id, instance_id, recipient, message }) => {
    const purpose_id = message.consent_purpose_id;
    return purpose_id === null ? [] : [{ mail_id, instance_id, purpose_id, addresses: [recipient] }];
  });
  if (asked.length === 0) return due;
  const drops = await findConsentDropsOfAll(db, asked);
  const byMail = new Map(asked.map(({ mail_id }, index) => [mail_id, drops[index]?.[0]]));
  return due.map((mail) => ({ ...mail, consent_drop: byMail.get(mail.mail_id) }));
}

type LargeContent = Omit<StoredContent, 'content_kind' | 'envelope'>;

const content: Statement = {
  name: 'deliver.load_content',
  text: 'select html, text, raw, variables from messages where msg_id = $1',
};

/** The content of a large message. */
export async function loadContent(db: Queryable, msgId: string): Promise<LargeContent | undefined> {
  const [row] = await db.query<LargeContent>(content, [msgId]);
  return row;
}

const attachments: Statement = {
  name: 'deliver.load_attachments',
  text: `
    select type, filename, content, content_id, disposition from message_attachments where msg_id = $1 order by position`,
};

export async function loadAttachments(db: Queryable, msgId: string): Promise<Attachment[]> {
  return await db.query<Attachment & QueryResultRow>(attachments, [msgId]);
}
