import type { Queryable } from '../base/db/database.ts';
import { boundedText } from '../base/db/storable-text.ts';
import { newId } from '../base/ids.ts';
import { type ComplaintType, maxCommentCharacters } from '../restrictions/index.ts';
import { mailOrRow, type Recorded } from './record-unsubscribe.ts';
import { erasedAddress } from '../base/personal-data.ts';

interface Complaint {
  mail_id: string;
  type: ComplaintType;
  comment: string | null;
  at: Date;
}

/** Reports of providers quote the recipient: of a person who was erased they are not kept. */
const keptComment = `case when mail.recipient <> '${erasedAddress}' then $4::text end`;

/** Only the first complaint about a mail counts: the provider may report the same one again. */
const complain = `
  with mail as (${mailOrRow('complaints')}),
  recorded as (
    insert into complaints (mail_id, msg_id, instance_id, sender_id, sender, recipient, sent_at, type, comment,
      complained_at)
    select mail.*, $3::text, ${keptComment}, $5::timestamptz from mail
    on conflict (mail_id) do nothing
    returning mail_id
  ), restricted as (
    insert into restrictions (instance_id, recipient, reason, mail_id, detail, created_at)
    select mail.instance_id, mail.recipient, 'complaint', mail.mail_id, $3::text, $5::timestamptz from mail join recorded using (mail_id)
    where mail.recipient <> '${erasedAddress}'
    on conflict (instance_id, recipient_key) do nothing
  ), logged as (
    insert into events (event_id, mail_id, msg_id, instance_id, at, event, reason, data)
    select $2::uuid, mail.mail_id, mail.msg_id, mail.instance_id, $5::timestamptz, 'complained', $3::text,
      jsonb_build_object('type', $3::text, 'comment', ${keptComment})
    from mail join recorded using (mail_id)
  )
  select exists (select from recorded) as is_new from mail`;

/** Records the complaint and restricts the recipient. Idempotent. Undefined when there is no such mail. */
export async function recordComplaint(db: Queryable, given: Complaint): Promise<Recorded | undefined> {
  const { mail_id, type, comment, at } = given;
  const values = [mail_id, newId(at), type, boundedText(comment, maxCommentCharacters), at];
  const [recorded] = await db.query<{ is_new: boolean }>(complain, values);
  return recorded;
}
