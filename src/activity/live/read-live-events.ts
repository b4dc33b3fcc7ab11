import type { Queryable } from '../../base/db/database.ts';
import { listed } from '../../exports/index.ts';
import type { MailRecord } from '../mail-schemas.ts';
import { recipientNotBlocked } from '../mail-filters.ts';
import { mailColumns } from '../mails.ts';
import type { LiveEvent } from './live-schemas.ts';

type Row = MailRecord & {
  live_id: string;
  live_instance_id: number;
  live_event: string;
  live_at: Date;
  live_reason: string | null;
};

const visible = recipientNotBlocked.replaceAll('?', 'm.instance_id');

/** The events and accepted mails of these identifiers, oldest first, with whose they are. */
export async function readLiveEvents(
  db: Queryable,
  { event_ids, mail_ids }: { event_ids: string[]; mail_ids: string[] },
): Promise<{ instance_id: number; event: LiveEvent }[]> {
  const rows = await db.query<Row>(
    `select e.event_id as live_id, e.instance_id as live_instance_id, e.event as live_event, e.at as live_at,
       e.reason as live_reason, ${listed(mailColumns)}
     from events e join mails m on m.mail_id = e.mail_id and m.instance_id = e.instance_id
     where e.event_id = any ($1::uuid[]) and ${visible}
     union all
     select m.mail_id, m.instance_id, 'received', m.received_at, null, ${listed(mailColumns)}
     from mails m where m.mail_id = any ($2::uuid[]) and ${visible}
     order by live_at, live_id`,
    [event_ids, mail_ids],
  );
  return rows.map(({ live_id, live_instance_id, live_event, live_at, live_reason, ...mail }) => ({
    instance_id: live_instance_id,
    event: { id: live_id, event: live_event, at: live_at, reason: live_reason, mail },
  }));
}
