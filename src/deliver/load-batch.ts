import type { Queryable, Statement } from '../base/db/database.ts';
import type { Envelope } from '../mails/new-message.ts';
import type { ClaimedMail } from '../queue/claim.ts';

/** A message as it was accepted, with what has become of its sender since. */
export interface StoredMessage {
  msg_id: string;
  instance_id: number;
  source: 'http' | 'smtp' | 'form';
  stream: 'transactional' | 'broadcast';
  size_bytes: number;
  content_kind: 'parts' | 'liquid' | 'raw';
  envelope: Envelope;
  html: Buffer | null;
  text: Buffer | null;
  raw: Buffer | null;
  domain_id: number;
  domain: string;
  domain_is_sandbox: boolean;
  domain_is_verified: boolean;
  instance_is_enabled: boolean;
}

export interface DueMail extends ClaimedMail {
  recipient: string;
  recipient_name: string | null;
  received_at: Date;
  /** Restricted by now, whatever it was when the mail was accepted. */
  is_restricted: boolean;
  /** Unsubscribed by now, which counts for broadcast mail. */
  is_unsubscribed: boolean;
  message: StoredMessage;
}

const mails: Statement = {
  name: 'deliver.load_mails',
  text: `
    select m.mail_id, m.recipient, m.recipient_name, m.received_at,
      exists (select from restrictions r where r.instance_id = m.instance_id
        and r.recipient_key = lower(m.recipient collate "und-x-icu")) as is_restricted,
      exists (select from unsubscribes u where u.instance_id = m.instance_id
        and u.recipient_key = lower(m.recipient collate "und-x-icu") and u.resubscribed_at is null) as is_unsubscribed
    from mails m where m.mail_id = any ($1::uuid[]) and m.mail_id between $2 and $3`,
};

/** A sender that was deleted since still sends what it was accepted for; a domain that was revoked does not. */
const messages: Statement = {
  name: 'deliver.load_messages',
  text: `
    select m.msg_id, m.instance_id, m.source, m.stream, m.size_bytes, m.content_kind, m.envelope, m.html, m.text, m.raw,
      d.id as domain_id, d.domain, d.is_sandbox as domain_is_sandbox,
      'verified' = all (array[d.mx_status, d.spf_status, d.dkim_status, d.dmarc_status]) as domain_is_verified,
      i.is_enabled as instance_is_enabled
    from messages m
    join senders s on s.id = m.sender_id join domains d on d.id = s.domain_id join instances i on i.id = m.instance_id
    where m.msg_id = any ($1::uuid[]) and m.msg_id between $2 and $3`,
};

/** What is needed to deliver a claim: two queries for all of it. A mail whose message is gone is left out. */
export async function loadBatch(db: Queryable, claimed: ClaimedMail[]): Promise<DueMail[]> {
  const mailIds = claimed.map(({ mail_id }) => mail_id).toSorted();
  const messageIds = [...new Set(claimed.map(({ msg_id }) => msg_id))].toSorted();
  const range = (ids: string[]): unknown[] => [ids, ids[0], ids.at(-1)];
  const [mailRows, messageRows] = await Promise.all([
    db.query<Omit<DueMail, keyof ClaimedMail | 'message'> & { mail_id: string }>(mails, range(mailIds)),
    db.query<StoredMessage>(messages, range(messageIds)),
  ]);
  const byMail = new Map(mailRows.map((row) => [row.mail_id, row]));
  const byMessage = new Map(messageRows.map((row) => [row.msg_id, row]));
  return claimed.flatMap((claim) => {
    const mail = byMail.get(claim.mail_id);
    const message = byMessage.get(claim.msg_id);
    return mail && message ? [{ ...claim, ...mail, message }] : [];
  });
}

const attachments: Statement = {
  name: 'deliver.load_attachments',
  text: 'select type, filename, content from message_attachments where msg_id = $1 order by position',
};

export async function loadAttachments(
  db: Queryable,
  msgId: string,
): Promise<{ type: string; filename: string; content: Buffer }[]> {
  return await db.query(attachments, [msgId]);
}
