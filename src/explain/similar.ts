import type { Queryable } from '../base/db/database.ts';
import type { MailFacts } from './read-mail.ts';
import type { LogLine } from './read-log.ts';

export interface Similar {
  destination: string;
  count_24h: number;
  same_cause_24h: number;
}

/** Newest mails of the instance that are looked at, and of those to the destination, how many logs. */
const maxMails = 10_000;
const maxLogs = 500;

/**
 * By the index of an instance's mails, newest first; those of a day lie side by side. No index by destination is kept for
 * this, since every mail would pay for it. Of mail that waits, the reason stands in the queue; of what ended, in its
 * one final event, looked up only by `mail_id`, so that PostgreSQL uses the index by mail.
 */
const count = `
  with recent as materialized (
    select mail_id, status, sent_at from (
      select mail_id, status, sent_at, recipient from mails
      where instance_id = $1 and mail_id >= uuid_at(now() - interval '24 hours')
      order by mail_id desc limit ${maxMails}
    ) as newest
    where split_part(recipient, '@', -1) = $2
  ), alike as (
    select mail_id from recent where status = $3 order by mail_id desc limit ${maxLogs}
  )
  select (select count(*) from recent) as count_24h,
    (select count(*) from recent where sent_at >= now() - interval '1 hour') as taken_last_hour,
    case when $3 = 3 then (select count(*) from recent where status = 3) else (
      select count(*) from alike
      left join queue q on q.mail_id = alike.mail_id
      left join lateral (
        select e.reason from events e
        where q.mail_id is null and e.mail_id = alike.mail_id and e.event in ('dropped', 'bounced')
        limit 1
      ) as ended on true
      where coalesce(q.last_error, ended.reason) is not distinct from $4
    ) end as same_cause_24h`;

/** Whether other mails have the same problem: mails of the last 24 hours to the same destination. */
export async function countSimilar(
  db: Queryable,
  instanceId: number,
  { facts, line }: { facts: MailFacts; line: LogLine | undefined },
): Promise<Similar & { taken_last_hour: number }> {
  const { destination, status, queued } = facts;
  const reason = queued ? queued.last_error : (line?.reason ?? null);
  const [row] = await db.query<{ count_24h: number; same_cause_24h: number; taken_last_hour: number }>(
    count,
    [instanceId, destination, status, reason],
  );
  const { count_24h = 0, same_cause_24h = 0, taken_last_hour = 0 } = row ?? {};
  return { destination, count_24h, same_cause_24h, taken_last_hour };
}
