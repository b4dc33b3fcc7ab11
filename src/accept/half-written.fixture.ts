import type { Queryable } from '../base/db/database.ts';
import type { NewMessage } from '../mails/index.ts';

/** Messages of which a part is missing: no reader may ever get one. */
export const halfWritten = `
  select g.msg_id, 'not as many mails as recipients' as what from messages g
    where g.rcpt_count <> (select count(*) from mails m where m.msg_id = g.msg_id)
  union all
  select m.msg_id, 'a mail without its message' from mails m
    where not exists (select from messages g where g.msg_id = m.msg_id)
  union all
  select m.msg_id, 'a queued mail without its place in the queue' from mails m
    where m.status = 2 and not exists (select from queue q where q.mail_id = m.mail_id)
  union all
  select m.msg_id, 'a dropped mail without its event' from mails m
    where m.status = 4 and not exists (select from events e where e.mail_id = m.mail_id and e.event = 'dropped')
  union all
  select q.msg_id, 'a place in the queue without its mail' from queue q
    where not exists (select from mails m where m.mail_id = q.mail_id and m.status <> 4)
  union all
  select a.msg_id, 'an attachment without its message' from message_attachments a
    where not exists (select from messages g where g.msg_id = a.msg_id)
  union all
  select g.msg_id, 'a message without its content' from messages g
    where g.content_kind = 'parts' and g.html is null`;

/** Which of the messages are there, and in how many commits they came. */
export async function written(
  db: Queryable,
  messages: NewMessage[],
): Promise<{ count: number; commits: number }> {
  const [row] = await db.query<{ count: number; commits: number }>(
    `select count(*), count(distinct xmin::text) as commits from messages where msg_id = any ($1::uuid[])`,
    [messages.map(({ msg_id }) => msg_id)],
  );
  return row ?? { count: 0, commits: 0 };
}
