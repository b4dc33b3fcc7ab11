import type { Queryable } from '../base/db/database.ts';
import type { IdSequence } from '../base/ids.ts';
import { returnToPlan } from '../limits/index.ts';
import type { DropReason } from '../mails/index.ts';
import { latest } from './latest.ts';

interface Dropping {
  instance_id: number;
  mail_ids: string[];
  reason: DropReason;
  at: Date;
  /** Only what was never attempted: an attempt whose result is unknown may have delivered the mail. */
  only_untried?: boolean;
}

/** Of a row of the queue: no node has tried to deliver the mail, and none does so now. */
export const isUntried = 'lease is null and attempts = 0';

/**
 * Takes mail out of the queue, records why, and gives it back to the plan. Mail that a node holds under a lease is left: its outcome is recorded first.
 * Returns how many were dropped and how many are left.
 */
export async function dropQueued(
  tx: Queryable,
  ids: IdSequence,
  { instance_id, mail_ids, reason, at, only_untried = false }: Dropping,
): Promise<{ dropped: number; left: number }> {
  const taken = await tx.query<{ mail_id: string; msg_id: string; taken_at: Date }>(
    `delete from queue where mail_id in (
         select mail_id from queue where mail_id = any ($1::uuid[]) and instance_id = $2
           and ${only_untried ? isUntried : '(lease is null or due_at < now())'}
         order by mail_id for update
       ) returning mail_id, msg_id, clock_timestamp() as taken_at`,
    [mail_ids, instance_id],
  );
  const droppedAt = latest(at, ...taken.map(({ taken_at }) => taken_at));
  const dropped = taken.map(({ mail_id }) => mail_id);
  if (dropped.length > 0) {
    await tx.query('update mails set status = 4 where mail_id = any ($1::uuid[])', [dropped]);
    await tx.query(
      `insert into events (event_id, mail_id, msg_id, instance_id, at, event, status, reason)
         select event_id, mail_id, msg_id, $4, $5, 'dropped', 4, $6
         from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as d (event_id, mail_id, msg_id)`,
      [
        dropped.map(() => ids.next(droppedAt)),
        dropped,
        taken.map(({ msg_id }) => msg_id),
        instance_id,
        droppedAt,
        reason,
      ],
    );
  }
  await returnToPlan(tx, dropped);
  const [left] = await tx.query<{ count: number }>(
    'select count(*) from queue where mail_id = any ($1::uuid[])',
    [mail_ids],
  );
  return { dropped: dropped.length, left: left?.count ?? 0 };
}
