import type { Database } from '../base/db/database.ts';
import { IdSequence } from '../base/ids.ts';
import { dropQueued } from '../events/index.ts';
import type { ClaimedBroadcast } from './claim-broadcasts.ts';
import { LeaseLost } from './lease-lost.ts';

const ids = new IdSequence();
/** Per transaction: locks are held for some tens of milliseconds. */
const pageSize = 1_000;

interface Page {
  mail_id: string;
  is_queued: boolean;
}

/**
 * Drops mails of a cancelled broadcast that were never attempted, page by page in the order they were accepted. False at the end.
 */
export async function dropCancelled(
  db: Database,
  { id, instance_id, lease, group_code, started_at, cancelled_to }: ClaimedBroadcast,
  now: Date,
): Promise<{ cancelled_to: string | null; is_left: boolean }> {
  return await db.transaction(async (tx) => {
    const page = await tx.query<Page & Record<string, unknown>>(
      `select m.mail_id, q.mail_id is not null as is_queued from (
         select mail_id from mails where instance_id = $1 and custom_group_code = $2
           and mail_id > coalesce($3::uuid, uuid_at($4::timestamptz - interval '1 minute')) order by mail_id limit ${pageSize}
       ) as m left join queue q on q.mail_id = m.mail_id order by m.mail_id`,
      [instance_id, group_code, cancelled_to, started_at ?? now],
    );
    const mail_ids = page.filter(({ is_queued }) => is_queued).map(({ mail_id }) => mail_id);
    if (mail_ids.length > 0) {
      await dropQueued(tx, ids, { instance_id, mail_ids, reason: 'cancelled', at: now, only_untried: true });
    }
    const is_left = page.length === pageSize;
    const last = page.at(-1)?.mail_id ?? cancelled_to;
    const rows = await tx.query(
      `update broadcasts set cancelled_to = $3, due_at = case when $4 then $5::timestamptz end
       where id = $1 and lease = $2 and state = 'cancelled' returning 1`,
      [id, lease, last, is_left, now],
    );
    if (rows.length === 0) throw new LeaseLost();
    return { cancelled_to: last, is_left };
  });
}
