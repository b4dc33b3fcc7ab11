import type { Database, Queryable } from '../base/db/database.ts';
import { boundedText } from '../base/db/storable-text.ts';
import { newId } from '../base/ids.ts';
import { most_reason_characters, type UnsubscribeMethod } from '../restrictions/suppression.ts';

interface Unsubscribe {
  mail_id: string;
  method: UnsubscribeMethod;
  /** In the recipient's own words. */
  reason: string | null;
  at: Date;
}

export interface Recorded {
  /** False when it had been recorded before and nothing was written. */
  is_new: boolean;
}

/** The mail itself or, once that has left retention, what was kept of it when it was unsubscribed from. */
const mail = `
  select mail_id, msg_id, instance_id, sender_id, sender_email as sender, recipient, sent_at
  from mails where mail_id = $1
  union all
  select mail_id, msg_id, instance_id, sender_id, sender, recipient, sent_at from unsubscribes where mail_id = $1
  limit 1`;

/** A mail is unsubscribed from again only after its recipient had come back. */
const unsubscribe = `
  with mail as (${mail}),
  recorded as (
    insert into unsubscribes as u (mail_id, msg_id, instance_id, sender_id, sender, recipient, sent_at, method, reason,
      consent_purpose_id, unsubscribed_at)
    select mail.*, $3::text, $4::text, s.consent_purpose_id, $5::timestamptz
    from mail left join senders s on s.id = mail.sender_id
    on conflict (mail_id) do update set method = excluded.method, reason = excluded.reason,
      consent_purpose_id = excluded.consent_purpose_id, unsubscribed_at = excluded.unsubscribed_at, resubscribed_at = null
    where u.resubscribed_at is not null
    returning mail_id
  ), logged as (
    insert into events (event_id, mail_id, msg_id, instance_id, at, event, reason, data)
    select $2::uuid, mail.mail_id, mail.msg_id, mail.instance_id, $5::timestamptz, 'unsubscribed', $3::text,
      jsonb_build_object('method', $3::text, 'reason', $4::text)
    from mail join recorded using (mail_id)
  )
  select exists (select from recorded) as is_new from mail`;

/**
 * From now on no broadcast of the instance reaches the recipient of the mail. Undefined when there is no such mail;
 * recording it twice is recording it once.
 */
export async function recordUnsubscribe(db: Database, given: Unsubscribe): Promise<Recorded | undefined> {
  const { mail_id, method, reason, at } = given;
  return await db.transaction(async (tx) => {
    const values = [mail_id, newId(at), method, boundedText(reason, most_reason_characters), at];
    const [recorded] = await tx.query<{ is_new: boolean }>(unsubscribe, values);
    return recorded;
  });
}

/** It is the recipient who comes back, so whatever mails they had unsubscribed by. */
const resubscribe = `
  with mail as (${mail}),
  lifted as (
    update unsubscribes u set resubscribed_at = $3::timestamptz
    from mail
    where u.instance_id = mail.instance_id and u.recipient_key = lower(mail.recipient collate "und-x-icu")
      and u.resubscribed_at is null
    returning u.mail_id
  ), logged as (
    insert into events (event_id, mail_id, msg_id, instance_id, at, event)
    select $2::uuid, mail_id, msg_id, instance_id, $3::timestamptz, 'resubscribed' from mail where exists (select from lifted)
  )
  select exists (select from lifted) as is_new from mail`;

/** Lifts every unsubscribe of the mail's recipient in its instance. Undefined when there is no such mail. */
export async function recordResubscribe(
  db: Database,
  { mail_id, at }: { mail_id: string; at: Date },
): Promise<Recorded | undefined> {
  return await db.transaction(async (tx: Queryable) => {
    const [recorded] = await tx.query<{ is_new: boolean }>(resubscribe, [mail_id, newId(at), at]);
    return recorded;
  });
}
