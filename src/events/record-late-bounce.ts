import type { Queryable } from '../base/db/database.ts';
import { boundedText, storableText } from '../base/db/storable-text.ts';
import { erasedAddress } from '../base/personal-data.ts';
import { newId } from '../base/ids.ts';
import type { Reason } from './reasons.ts';

export interface LateBounce {
  mail_id: string;
  type: 'hard' | 'soft' | 'block';
  reason: Reason;
  at: Date;
  smtp_code: number | undefined;
  enhanced_code: string | undefined;
  /** Reply of the server that refused the mail. */
  response: string | undefined;
  remote_host: string | undefined;
}

/**
 * `in_delivery`: an attempt is running, and its outcome may be about to be recorded. `not_sent`: the mail is still waiting
 * for delivery, as far as we know.
 */
export type LateBounceResult = 'recorded' | 'known' | 'in_delivery' | 'not_sent' | 'unknown_mail';

/** Of a person who was erased nothing is quoted. Only from sent to bounced, so it happens once: concurrent reports wait for each other at the row lock. */
const record = `
  with bounced as (
    update mails set status = 6 where mail_id = $1 and status = 3
    returning mail_id, msg_id, instance_id, recipient
  ), restricted as (
    insert into restrictions (instance_id, recipient, reason, mail_id, detail, created_at)
    select instance_id, recipient, 'hard_bounce', mail_id, $3::text, $4::timestamptz from bounced
    where $5::text = 'hard' and recipient <> '${erasedAddress}'
    on conflict (instance_id, recipient_key) do nothing
  ), logged as (
    insert into events (event_id, mail_id, msg_id, instance_id, at, event, status, reason, data)
    select $2::uuid, mail_id, msg_id, instance_id, $4::timestamptz, 'bounced', 6, $3::text,
      case when recipient = '${erasedAddress}' then $6::jsonb - '{response,remote_host}'::text[] else $6::jsonb end
    from bounced
  )
  select m.status, exists (select from bounced) as is_new,
    exists (select from queue q where q.mail_id = m.mail_id and q.lease is not null) as is_tried
  from mails m where m.mail_id = $1`;

const maxResponseLength = 1_000;

/** A sent mail for which a bounce arrived later. Keeps `sent_at`; a hard bounce restricts the recipient. Idempotent. */
export async function recordLateBounce(db: Queryable, bounce: LateBounce): Promise<LateBounceResult> {
  const { mail_id, type, reason, at, smtp_code, enhanced_code, remote_host } = bounce;
  const data = {
    type,
    smtp_code,
    enhanced_code,
    remote_host: remote_host && storableText(remote_host),
    response: boundedText(bounce.response, maxResponseLength),
    detail: 'reported after it was sent',
  };
  const values = [mail_id, newId(at), reason, at, type, JSON.stringify(data)];
  const [mail] = await db.query<{ status: number; is_new: boolean; is_tried: boolean }>(record, values);
  if (!mail) return 'unknown_mail';
  if (mail.is_new) return 'recorded';
  // Status 3 without a change: a concurrent report has just set it to 6.
  if (mail.status === 6 || mail.status === 3) return 'known';
  return mail.is_tried ? 'in_delivery' : 'not_sent';
}
