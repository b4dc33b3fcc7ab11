import { addressKey } from '../base/db/address-key.ts';
import type { Database, Queryable } from '../base/db/database.ts';
import { boundedText } from '../base/db/storable-text.ts';
import { newId } from '../base/ids.ts';
import { erasedAddress } from '../base/personal-data.ts';
import { type Evidence, restoreAfterResubscribe, withdrawForUnsubscribe } from '../consent/index.ts';
import { maxReasonCharacters, type UnsubscribeMethod } from '../restrictions/index.ts';

interface Unsubscribe {
  mail_id: string;
  method: UnsubscribeMethod;
  /** In the recipient's own words. */
  reason: string | null;
  at: Date;
  /** Details of the request, kept as evidence with the consent record. */
  evidence?: Evidence;
  /** Of a broadcast: from all of them, not from its purpose only. */
  from_all?: boolean;
  /** Further purposes that are withdrawn. */
  other_purpose_ids?: number[];
}

export interface Recorded {
  /** False when it was recorded before. */
  is_new: boolean;
}

/** The mail `$1` or, after its retention, what its row in the other table has of it. */
export const mailOrRow = (table: 'unsubscribes' | 'complaints'): string => `
  select mail_id, msg_id, instance_id, sender_id, sender_email as sender, recipient, sent_at
  from mails where mail_id = $1
  union all
  select mail_id, msg_id, instance_id, sender_id, sender, recipient, sent_at from ${table} where mail_id = $1
  limit 1`;

/** With the purpose of the broadcast that it belongs to; null for other mail. */
const mail = `
  select found.*, coalesce(
    (select g.consent_purpose_id from messages g where g.msg_id = found.msg_id),
    (select u.consent_purpose_id from unsubscribes u where u.mail_id = found.mail_id and u.is_purpose_only)) as purpose_id
  from (${mailOrRow('unsubscribes')}) as found`;

/** The person's own words; of one who was erased they are not kept. */
const keptReason = `case when mail.recipient <> '${erasedAddress}' then $4::text end`;

/** A second unsubscribe by the same mail only counts after a resubscribe, or when it was lifted for a purpose. */
const unsubscribe = `
  with mail as (${mail}),
  recorded as (
    insert into unsubscribes as u (mail_id, msg_id, instance_id, sender_id, sender, recipient, sent_at, method, reason,
      consent_purpose_id, is_purpose_only, unsubscribed_at)
    select mail.mail_id, mail.msg_id, mail.instance_id, mail.sender_id, mail.sender, mail.recipient, mail.sent_at, $3::text,
      ${keptReason}, coalesce(mail.purpose_id, s.consent_purpose_id), mail.purpose_id is not null and not $6::boolean, $5::timestamptz
    from mail left join senders s on s.id = mail.sender_id
    on conflict (mail_id) do update set method = excluded.method, reason = excluded.reason,
      consent_purpose_id = excluded.consent_purpose_id, is_purpose_only = excluded.is_purpose_only,
      unsubscribed_at = excluded.unsubscribed_at, resubscribed_at = null
    where u.resubscribed_at is not null or u.is_purpose_only and not excluded.is_purpose_only or exists (select from unsubscribe_lifts l where l.mail_id = u.mail_id)
    returning mail_id, consent_purpose_id
  ), holds_again as (
    delete from unsubscribe_lifts l using recorded where l.mail_id = recorded.mail_id
  ), logged as (
    insert into events (event_id, mail_id, msg_id, instance_id, at, event, reason, data)
    select $2::uuid, mail.mail_id, mail.msg_id, mail.instance_id, $5::timestamptz, 'unsubscribed', $3::text,
      jsonb_build_object('method', $3::text, 'reason', ${keptReason})
    from mail join recorded using (mail_id)
  )
  select mail.instance_id, mail.recipient, exists (select from recorded) as is_new,
    (select array_agg(consent_purpose_id) filter (where consent_purpose_id is not null) from recorded) as purpose_ids
  from mail`;

/**
 * Unsubscribes the recipient of the mail from broadcasts of the instance, and withdraws their consent to the purpose of its
 * sender. Idempotent. Undefined when there is no such mail.
 */
export async function recordUnsubscribe(db: Database, given: Unsubscribe): Promise<Recorded | undefined> {
  const { mail_id, method, reason, at, evidence, from_all = false, other_purpose_ids = [] } = given;
  return await db.transaction(async (tx) => {
    const words = boundedText(reason, maxReasonCharacters);
    const [recorded] = await tx.query<RecordedRow>(unsubscribe, [
      mail_id,
      newId(at),
      method,
      words,
      at,
      from_all,
    ]);
    if (!recorded) return undefined;
    const purpose_ids = [...new Set([...(recorded.purpose_ids ?? []), ...other_purpose_ids])];
    return await changeConsent(
      tx,
      { ...recorded, purpose_ids },
      { change: withdrawForUnsubscribe, at, evidence },
    );
  });
}

/** Per mail. Bounds the events that toggling the subscription can cause. */
const maxResubscribes = 10;

/**
 * Lifts all unsubscribes of the recipient that hold for mail like this one, whatever mails they came from. All who were erased have one address: of
 * them, that of the mail.
 */
const resubscribe = `
  with mail as (${mail}),
  lifted as (
    update unsubscribes u set resubscribed_at = $3::timestamptz
    from mail
    where u.instance_id = mail.instance_id and u.recipient_key = ${addressKey('mail.recipient')}
      and (u.mail_id = mail.mail_id or mail.recipient <> '${erasedAddress}')
      and u.resubscribed_at is null
      and (mail.purpose_id is null or not u.is_purpose_only or u.consent_purpose_id = mail.purpose_id)
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
 * Lifts every unsubscribe of the mail's recipient in its instance, and restores the consent that each had withdrawn.
 * Undefined when there is no such mail.
 */
export async function recordResubscribe(
  db: Database,
  { mail_id, at, evidence }: Pick<Unsubscribe, 'mail_id' | 'at' | 'evidence'>,
): Promise<Recorded | undefined> {
  return await db.transaction(async (tx) => {
    const [recorded] = await tx.query<RecordedRow>(resubscribe, [mail_id, newId(at), at, maxResubscribes]);
    return recorded && (await changeConsent(tx, recorded, { change: restoreAfterResubscribe, at, evidence }));
  });
}

interface RecordedRow extends Recorded {
  instance_id: number;
  recipient: string;
  purpose_ids: number[] | null;
}

interface ConsentChange {
  change: typeof withdrawForUnsubscribe;
  at: Date;
  evidence: Evidence | undefined;
}

async function changeConsent(
  tx: Queryable,
  { instance_id, recipient, purpose_ids, is_new }: RecordedRow,
  { change, at, evidence }: ConsentChange,
): Promise<Recorded> {
  const known = evidence ? { evidence } : {};
  for (const purpose_id of purpose_ids ?? []) {
    await change(tx, { instance_id, contact: recipient, purpose_id, at, ...known });
  }
  return { is_new };
}
