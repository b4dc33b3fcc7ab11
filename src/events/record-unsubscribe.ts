import { addressKey } from '../base/db/address-key.ts';
import type { Database, Queryable } from '../base/db/database.ts';
import { boundedText } from '../base/db/storable-text.ts';
import { newId } from '../base/ids.ts';
import { type Evidence, restoreAfterResubscribe, withdrawForUnsubscribe } from '../consent/index.ts';
import { max_reason_characters, type UnsubscribeMethod } from '../restrictions/index.ts';

interface Unsubscribe {
  mail_id: string;
  method: UnsubscribeMethod;
  /** In the recipient's own words. */
  reason: string | null;
  at: Date;
  /** Of the request by which they did it, for the record of consent. */
  evidence?: Evidence;
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
    returning mail_id, consent_purpose_id
  ), logged as (
    insert into events (event_id, mail_id, msg_id, instance_id, at, event, reason, data)
    select $2::uuid, mail.mail_id, mail.msg_id, mail.instance_id, $5::timestamptz, 'unsubscribed', $3::text,
      jsonb_build_object('method', $3::text, 'reason', $4::text)
    from mail join recorded using (mail_id)
  )
  select mail.instance_id, mail.recipient, exists (select from recorded) as is_new,
    (select array_agg(consent_purpose_id) filter (where consent_purpose_id is not null) from recorded) as purpose_ids
  from mail`;

/**
 * From now on no broadcast of the instance reaches the recipient of the mail, and what they had consented to for the
 * purpose of its sender is withdrawn. Undefined when there is no such mail; recording it twice is recording it once.
 */
export async function recordUnsubscribe(db: Database, given: Unsubscribe): Promise<Recorded | undefined> {
  const { mail_id, method, reason, at, evidence } = given;
  return await db.transaction(async (tx) => {
    const values = [mail_id, newId(at), method, boundedText(reason, max_reason_characters), at];
    const [recorded] = await tx.query<RecordedRow>(unsubscribe, values);
    return recorded && (await settle(tx, recorded, { turn: withdrawForUnsubscribe, at, evidence }));
  });
}

/** How often one mail brings its recipient back: nobody fills the log, and webhooks, by going to and fro. */
const max_returns = 10;

/** It is the recipient who comes back, so whatever mails they had unsubscribed by. */
const resubscribe = `
  with mail as (${mail}),
  lifted as (
    update unsubscribes u set resubscribed_at = $3::timestamptz
    from mail
    where u.instance_id = mail.instance_id and u.recipient_key = ${addressKey('mail.recipient')}
      and u.resubscribed_at is null
      and (select count(*) from events e where e.mail_id = mail.mail_id and e.event = 'resubscribed') < $4
    returning u.mail_id, u.consent_purpose_id
  ), logged as (
    insert into events (event_id, mail_id, msg_id, instance_id, at, event)
    select $2::uuid, mail_id, msg_id, instance_id, $3::timestamptz, 'resubscribed' from mail where exists (select from lifted)
  )
  select mail.instance_id, mail.recipient, exists (select from lifted) as is_new,
    (select array_agg(distinct consent_purpose_id) filter (where consent_purpose_id is not null) from lifted)
      as purpose_ids
  from mail`;

/**
 * Lifts every unsubscribe of the mail's recipient in its instance, and gives back the consent that each had withdrawn.
 * Undefined when there is no such mail.
 */
export async function recordResubscribe(
  db: Database,
  { mail_id, at, evidence }: Pick<Unsubscribe, 'mail_id' | 'at' | 'evidence'>,
): Promise<Recorded | undefined> {
  return await db.transaction(async (tx) => {
    const [recorded] = await tx.query<RecordedRow>(resubscribe, [mail_id, newId(at), at, max_returns]);
    return recorded && (await settle(tx, recorded, { turn: restoreAfterResubscribe, at, evidence }));
  });
}

interface RecordedRow extends Recorded {
  instance_id: number;
  recipient: string;
  purpose_ids: number[] | null;
}

interface Settling {
  turn: typeof withdrawForUnsubscribe;
  at: Date;
  evidence: Evidence | undefined;
}

async function settle(
  tx: Queryable,
  { instance_id, recipient, purpose_ids, is_new }: RecordedRow,
  { turn, at, evidence }: Settling,
): Promise<Recorded> {
  const known = evidence ? { evidence } : {};
  for (const purpose_id of purpose_ids ?? []) {
    await turn(tx, { instance_id, contact: recipient, purpose_id, at, ...known });
  }
  return { is_new };
}
