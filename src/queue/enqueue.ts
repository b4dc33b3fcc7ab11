import { columnsOf } from '../base/db/columns.ts';
import type { BoundStatement } from '../base/db/database.ts';

export interface QueueEntry {
  mail_id: string;
  msg_id: string;
  instance_id: number;
  destination: string;
  /** 0 transactional, 1 broadcast. */
  priority: 0 | 1;
  due_at: string;
}

const insert = {
  name: 'queue.insert',
  text: `
    insert into queue (mail_id, msg_id, instance_id, destination, priority, ready_priority, due_at)
    select mail_id, msg_id, instance_id, destination, priority, priority, due_at
    from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::text[], $5::smallint[], $6::timestamptz[])
      as entry (mail_id, msg_id, instance_id, destination, priority, due_at)`,
};
const wake = { name: 'queue.wake', text: `select pg_notify('chasqui_queue', '')` };

/** Puts mails in line and wakes whoever delivers, with the commit. */
export function enqueue(entries: QueueEntry[]): BoundStatement[] {
  if (entries.length === 0) return [];
  const values = columnsOf(entries, [
    'mail_id',
    'msg_id',
    'instance_id',
    'destination',
    'priority',
    'due_at',
  ]);
  return [
    { statement: insert, values },
    { statement: wake, values: [] },
  ];
}
