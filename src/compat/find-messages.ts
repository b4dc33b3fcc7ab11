import type { Queryable } from '../base/db/database.ts';
import { firstEventOf, millisecondsOf, recipientNotBlocked } from '../activity/index.ts';
import type { Envelope } from '../mails/index.ts';

/** A recipient of a message, and what became of the mail. */
export interface FoundMail {
  mail_id: string;
  recipient: string;
  recipient_name: string | null;
  recipient_kind: 'to' | 'cc' | 'bcc';
  status: number;
  opens: number;
  clicks: number;
  is_complained: boolean;
  /** Of a drop or a bounce. */
  reason: string | null;
  sent_at: Date | null;
}

export interface FoundMessage {
  msg_id: string;
  sender_email: string;
  subject: string;
  received_at: Date;
  schedule_at: Date | null;
  tags: Record<string, string>;
  stream: 'transactional' | 'broadcast';
  envelope: Envelope;
  test_mode: boolean;
  mails: FoundMail[];
}

const columns = `m.msg_id, m.sender_email, m.subject, m.received_at, m.schedule_at, coalesce(m.tags, '{}') as tags, m.test_mode,
  g.stream, g.envelope, m.mail_id, m.recipient, m.recipient_name, m.recipient_kind, m.status, m.opens, m.clicks, m.sent_at,
  exists (select from complaints c where c.mail_id = m.mail_id) as is_complained,
  case when m.status in (4, 6) then (select e.reason from events e where e.mail_id = m.mail_id and e.event in ('dropped', 'bounced')
    and e.event_id >= ${firstEventOf('m.mail_id')} order by e.event_id desc limit 1) end as reason`;

type Row = Omit<FoundMessage, 'mails'> & FoundMail;

/** In the order of `ids`. Blocked people are left out, as in lists; a message that went only to them is not found. */
export async function findMessages(
  db: Queryable,
  instanceId: number,
  ids: readonly string[],
): Promise<FoundMessage[]> {
  if (ids.length === 0) return [];
  const times = ids.map(millisecondsOf);
  const rows = await db.query<Row & Record<string, unknown>>(
    `select ${columns} from mails m join messages g on g.msg_id = m.msg_id
     where m.instance_id = $1 and m.msg_id = any ($2::uuid[])
       and m.mail_id >= uuid_at($3::timestamptz) and m.mail_id < uuid_at($4::timestamptz)
       and g.msg_id >= uuid_at($3::timestamptz) and g.msg_id < uuid_at($4::timestamptz)
       and ${recipientNotBlocked.replaceAll('?', '$1')}
     order by m.mail_id`,
    [instanceId, ids, new Date(Math.min(...times)), new Date(Math.max(...times) + 1)],
  );
  const found = new Map<string, FoundMessage>();
  for (const row of rows) {
    const known = found.get(row.msg_id);
    if (known) known.mails.push(row);
    else found.set(row.msg_id, { ...row, mails: [row] });
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** What was written, where it is the same for all recipients: templates are made for each. */
export async function findContent(
  db: Queryable,
  instanceId: number,
  msgId: string,
): Promise<{ html: string | null; text: string | null }> {
  const [row] = await db.query<{ html: Buffer | null; text: Buffer | null }>(
    `select html, text from messages where instance_id = $1 and msg_id = $2 and content_kind = 'parts'`,
    [instanceId, msgId],
  );
  return { html: row?.html?.toString() ?? null, text: row?.text?.toString() ?? null };
}

export function mailboxText({
  address,
  name,
}: {
  address: string;
  name?: string | null | undefined;
}): string {
  if (!name) return address;
  // RFC 5322 §3.2.3: what is not an atom is quoted.
  const shown = /^[\w !#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+$/u.test(name)
    ? name
    : `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  return `${shown} <${address}>`;
}

export function recipientsOf({ mails }: FoundMessage, kind: FoundMail['recipient_kind']): string[] {
  return mails
    .filter(({ recipient_kind }) => recipient_kind === kind)
    .map(({ recipient, recipient_name }) => mailboxText({ address: recipient, name: recipient_name }));
}
