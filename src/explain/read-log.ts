import { firstEventOf } from '../activity/index.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { Reason } from '../events/index.ts';
import type { RemoteReply } from './refine-cause.ts';

/** A line of a mail's log, as far as it explains something. */
export interface LogLine extends RemoteReply {
  at: Date;
  event: string;
  reason: string | null;
  bounce_type: 'hard' | 'soft' | 'block' | null;
  detail: string | null;
  attempt: number | null;
  remote_host: string | null;
}

/** Reasons of the lines that say why a mail is not delivered. They are written by us, from one list. */
export function reasonOf(line: LogLine | undefined): Reason | undefined {
  return (line?.reason ?? undefined) as Reason | undefined;
}

/** More than the attempts of five days, and the newest visits. */
const maxLines = 50;
const maxVisits = 5;

const columns = `at, event, reason, data ->> 'type' as bounce_type, data ->> 'detail' as detail,
  (data ->> 'attempt')::integer as attempt, data ->> 'remote_host' as remote_host,
  (data ->> 'smtp_code')::integer as smtp_code, data ->> 'enhanced_code' as enhanced_code, data ->> 'response' as response`;

/**
 * Visits are apart: there may be thousands, and they have an index of their own. The rest is read whole before it is
 * ordered: in the order of events the database would look for it among everybody's.
 */
const select: Statement = {
  name: 'explain.read_log',
  text: `
    with steps as materialized (
      select event_id, ${columns} from events
      where mail_id = $1 and instance_id = $2 and event_id >= ${firstEventOf('$1')} and event not in ('opened', 'clicked')
    )
    (select * from steps order by event_id desc limit ${maxLines})
    union all
    (select event_id, ${columns} from events
     where mail_id = $1 and instance_id = $2 and event_id >= ${firstEventOf('$1')} and event in ('opened', 'clicked')
     order by event_id desc limit ${maxVisits})
    order by event_id`,
};

/** What happened to a mail after its reception, oldest first. */
export async function readLog(db: Queryable, instanceId: number, mailId: string): Promise<LogLine[]> {
  return await db.query<LogLine & { [column: string]: unknown }>(select, [mailId, instanceId]);
}
