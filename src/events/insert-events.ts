import { columnsOf } from '../base/db/columns.ts';
import type { BoundStatement } from '../base/db/database.ts';

export interface NewEvent {
  event_id: string;
  mail_id: string;
  msg_id: string;
  instance_id: number;
  at: string;
  event: 'dropped';
  /** Delivery status after it. */
  status: number | null;
  reason: string | null;
}

const insert = {
  name: 'events.insert',
  text: `
    insert into events (event_id, mail_id, msg_id, instance_id, at, event, status, reason)
    select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::timestamptz[], $6::text[],
      $7::smallint[], $8::text[])`,
};

export function insertEvents(events: NewEvent[]): BoundStatement[] {
  if (events.length === 0) return [];
  const values = columnsOf(events, [
    'event_id',
    'mail_id',
    'msg_id',
    'instance_id',
    'at',
    'event',
    'status',
    'reason',
  ]);
  return [{ statement: insert, values }];
}
