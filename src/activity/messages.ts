import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { isUntried } from '../events/index.ts';
import { statusNames } from '../mails/index.ts';
import { recipientNotBlocked } from './mail-filters.ts';
import { millisecondsOf } from './mail-id.ts';
import type { Message } from './message-schemas.ts';

/** Of people who are blocked nothing is shown, as in lists. A message and its mails have the same timestamp. */
const select = `
  with mail as (
    select m.*, exists (select from queue q where q.mail_id = m.mail_id and ${isUntried}) as is_untried
    from mails m
    where m.instance_id = $1 and m.msg_id = $2 and m.mail_id >= $3 and m.mail_id < uuid_at($4)
      and ${recipientNotBlocked.replaceAll('?', '$1')}
  )
  select first.msg_id as message_id, first.subject, first.sender_email as sender, first.received_at,
    (select max(schedule_at) from mail) as schedule_at, (select count(*) from mail) as recipients,
    (select count(*) from mail where is_untried) as untried,
    (select jsonb_object_agg(status, mails) from (select status, count(*) as mails from mail group by 1) as s) as statuses,
    first.custom_msg_id, first.custom_group_code,
    (select slug from categories where id = first.category_id) as category, first.test_mode,
    coalesce(first.tags, '{}') as tags
  from (select * from mail order by mail_id limit 1) as first`;

type Row = Omit<Message, 'statuses'> & { statuses: Record<string, number> };

/** What the partitions of a message are pruned by: its first possible mail, and the time after its last. */
export function rangeOfMessage(messageId: string): [string, Date] {
  return [`${messageId.slice(0, 13)}-0000-0000-000000000000`, new Date(millisecondsOf(messageId) + 1)];
}

export async function getMessage(db: Queryable, instanceId: number, messageId: string): Promise<Message> {
  const [row] = await db.query<Row & Record<string, unknown>>(select, [
    instanceId,
    messageId,
    ...rangeOfMessage(messageId),
  ]);
  if (!row) throw new Problem('message_not_found');
  const statuses = statusNames.map((name, index) => [name, row.statuses[String(index + 1)] ?? 0]);
  return { ...row, statuses: Object.fromEntries(statuses) as Message['statuses'] };
}
