import { mailNotBlocked, notBlocked } from '../base/db/blocked-contacts.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { statusNameSql } from '../mails/index.ts';
import { firstEventOf } from './mail-id.ts';
import type { MailLog } from './mail-log-schemas.ts';

/** More are in the list of received mail. */
const maxAnswers = 100;

/** `received` and `queued` are derived from the row of the mail; answers are received mail; the rest are events. */
const source = `
  from (
    select mail_id::text || '.1' as id, mail_id, msg_id, received_at as at, 'received' as event, 1 as status,
      null as reason, null::jsonb as data, null::timestamptz as schedule_at, 0 as step
    from mails where mail_id = $1 and instance_id = $2
    union all
    select mail_id::text || '.2', mail_id, msg_id, queued_at, 'queued', 2, null, null, schedule_at, 1
    from mails where mail_id = $1 and instance_id = $2 and queued_at is not null
    union all
    select r.id::text, m.mail_id, m.msg_id, r.received_at, 'replied', null,
      case when (r.automation ->> 'is_auto_reply')::boolean then 'auto_reply' end,
      jsonb_build_object('received_mail_id', r.id, 'detail', r.from_address), null, 3
    from mails m cross join lateral (
      select * from received_mails where in_reply_to_mail_id = $1 and instance_id = $2
        and ${notBlocked('lower(from_address)', '$2')} order by id limit ${maxAnswers}
    ) r where m.mail_id = $1 and m.instance_id = $2
    union all
    select event_id::text, mail_id, msg_id, at, event, status, reason, data, null, 2
    from events where mail_id = $1 and instance_id = $2 and event_id >= ${firstEventOf('$1')}
  ) as log where ${mailNotBlocked('$1', '$2')}`;

const columns = `id, mail_id, msg_id, at, event, status, ${statusNameSql('status')} as status_name, reason, coalesce(data ->> 'detail', data ->> 'comment', data ->> 'reason', data ->> 'url') as detail,
  (data ->> 'attempt')::integer as attempt, data ->> 'remote_host' as remote_host, data ->> 'remote_ip' as remote_ip,
  data ->> 'local_ip' as local_ip, data ->> 'tls' as tls, (data ->> 'smtp_code')::integer as smtp_code,
  data ->> 'enhanced_code' as enhanced_code, data ->> 'received_mail_id' as received_mail_id, data ->> 'response' as response,
  (data ->> 'duration_ms')::integer as duration_ms, (data ->> 'next_attempt_at')::timestamptz as next_attempt_at, schedule_at`;

/** Oldest first. */
export async function listMailLogs(
  db: Queryable,
  instanceId: number,
  { mail_id, page }: { mail_id: string; page: PageRequest },
): Promise<PageOf<MailLog>> {
  const logs = await selectPage<MailLog>(
    db,
    { columns, source, order_by: 'at, step, id', values: [mail_id, instanceId] },
    page,
  );
  if (logs.pagination.total_items === 0) throw new Problem('mail_not_found');
  return logs;
}
