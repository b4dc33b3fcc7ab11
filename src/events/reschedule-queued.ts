import type { Queryable } from '../base/db/database.ts';
import type { IdSequence } from '../base/ids.ts';
import { isUntried } from './drop-queued.ts';
import { latest } from './latest.ts';

interface Rescheduling {
  instance_id: number;
  mail_ids: string[];
  /** In the past: at once. */
  schedule_at: Date;
  now: Date;
}

type Moved = { mail_id: string; msg_id: string; was_held: boolean; moved_at: Date };

/**
 * Gives mail that was never attempted another due time. Held mail goes back to the queue: it is held again when its time comes,
 * unless the cause is gone. Gives how many were moved.
 */
export async function rescheduleQueued(
  tx: Queryable,
  ids: IdSequence,
  { instance_id, mail_ids, schedule_at, now }: Rescheduling,
): Promise<number> {
  const moved = await tx.query<Moved>(
    `update queue q set due_at = $3, ready_priority = case when $4 then null else q.priority end, last_error = null,
       held_since = null, held_domain_id = 0
     from (
       select mail_id, held_since is not null as was_held from queue
       where mail_id = any ($1::uuid[]) and instance_id = $2 and ${isUntried}
       order by mail_id for update
     ) as waiting
     where q.mail_id = waiting.mail_id
     returning q.mail_id, q.msg_id, waiting.was_held, clock_timestamp() as moved_at`,
    [mail_ids, instance_id, schedule_at, schedule_at > now],
  );
  if (moved.length === 0) return 0;
  await tx.query('update mails set schedule_at = $2, status = 2 where mail_id = any ($1::uuid[])', [
    moved.map(({ mail_id }) => mail_id),
    schedule_at,
  ]);
  await recordReleases(tx, ids, { instance_id, released: moved.filter(({ was_held }) => was_held), now });
  if (schedule_at <= now) await tx.query(`select pg_notify('chasqui_queue', '')`);
  return moved.length;
}

async function recordReleases(
  tx: Queryable,
  ids: IdSequence,
  { instance_id, released, now }: { instance_id: number; released: Moved[]; now: Date },
): Promise<void> {
  if (released.length === 0) return;
  const at = latest(now, ...released.map(({ moved_at }) => moved_at));
  await tx.query(
    `insert into events (event_id, mail_id, msg_id, instance_id, at, event, status)
     select event_id, mail_id, msg_id, $4, $5, 'released', 2
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as r (event_id, mail_id, msg_id)`,
    [
      released.map(() => ids.next(at)),
      released.map(({ mail_id }) => mail_id),
      released.map(({ msg_id }) => msg_id),
      instance_id,
      at,
    ],
  );
}
