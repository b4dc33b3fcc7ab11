import { addressKey } from '../../base/db/address-key.ts';
import type { Queryable, Statement } from '../../base/db/database.ts';
import { isStanding } from '../../restrictions/index.ts';

/** What pages show of a mail, and what its recipient did. */
export interface ShownMail {
  mail_id: string;
  instance_id: number;
  msg_id: string;
  recipient: string;
  sender: string;
  sender_name: string | null;
  instance_name: string;
  /** Whether the instance is. */
  is_enabled: boolean;
  /** Whether the recipient is unsubscribed from broadcasts like this one, by any mail of the instance. */
  is_unsubscribed: boolean;
  is_reported: boolean;
  /** What the broadcast is about that it belongs to; null for other mail. */
  purpose: { id: number; name: string } | null;
}

/** Of the message, or of the unsubscribe where the message is past its retention. */
const purposeOf = `coalesce(message.consent_purpose_id,
  (select u.consent_purpose_id from unsubscribes u where u.mail_id = mail.mail_id and u.is_purpose_only))`;

const find: Statement = {
  name: 'track.find_shown_mail',
  text: `
    select mail.mail_id, mail.instance_id, mail.msg_id, mail.recipient, mail.sender, i.name as instance_name, i.is_enabled,
      coalesce(nullif(message.envelope -> 'from' ->> 'name', ''), s.name) as sender_name,
      exists (select from unsubscribes u where u.instance_id = mail.instance_id
        and u.recipient_key = ${addressKey('mail.recipient')} and ${isStanding('coalesce(p.id, s.consent_purpose_id)')}) as is_unsubscribed,
      exists (select from complaints c where c.mail_id = mail.mail_id) as is_reported,
      case when p.id is not null then jsonb_build_object('id', p.id, 'name', p.name) end as purpose
    from (
      select mail_id, msg_id, instance_id, sender_id, sender_email as sender, recipient from mails where mail_id = $1
      union all
      select mail_id, msg_id, instance_id, sender_id, sender, recipient from unsubscribes where mail_id = $1
      union all
      select mail_id, msg_id, instance_id, sender_id, sender, recipient from complaints where mail_id = $1
      limit 1
    ) as mail
    join instances i on i.id = mail.instance_id
    left join senders s on s.id = mail.sender_id
    left join messages message on message.msg_id = mail.msg_id
    left join consent_purposes p on p.instance_id = mail.instance_id and p.id = ${purposeOf}`,
};

/** Undefined when the mail is past its retention and nothing else was kept. */
export async function findShownMail(db: Queryable, mailId: string): Promise<ShownMail | undefined> {
  const [mail] = await db.query<ShownMail & Record<string, unknown>>(find, [mailId]);
  return mail;
}

/** Enough to recognise one's own address, too little to learn another's: `a•••@example.com`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = address.slice(0, at);
  return `${at > 1 ? first : ''}•••${address.slice(at)}`;
}
