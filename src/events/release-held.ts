import type { Database } from '../base/db/database.ts';
import { skipScan } from '../base/db/skip-scan.ts';
import type { IdSequence } from '../base/ids.ts';
import { latest } from './latest.ts';

const batchSize = 1_000;
const maxHoldMs = 5 * 86_400_000;

/** A skip scan over pairs of instance and domain that reads releasable mail only: mail that stays held costs nothing. */
const find = `
  with recursive ${skipScan({
    as: 'held',
    table: 'queue',
    columns: ['instance_id', 'held_domain_id'],
    where: 'held_since is not null',
  })}
  select q.mail_id, q.msg_id, q.instance_id, q.held_since < $1 as expired, clock_timestamp() as found_at
  from held
  left join domains d on d.id = held.held_domain_id
  left join instances i on i.id = held.instance_id
  cross join lateral (
    select q.mail_id, q.msg_id, q.instance_id, q.held_since from queue q
    where q.held_since is not null and q.instance_id = held.instance_id and q.held_domain_id = held.held_domain_id
      and q.held_since < case
        when i.is_enabled and 'verified' = all (array[d.mx_status, d.spf_status, d.dkim_status, d.dmarc_status])
        then 'infinity' else $1::timestamptz end
    order by q.held_since limit $2 for update skip locked
  ) as q
  limit $2`;

/**
 * Makes held mail due whose domain is verified and whose instance is enabled again, and bounces mail that was held for five
 * days. Rows locked by another node are skipped.
 */
export async function releaseHeld(db: Database, ids: IdSequence, asked_at: Date): Promise<number> {
  return await db.transaction(async (tx) => {
    const rows = await tx.query<{
      mail_id: string;
      msg_id: string;
      instance_id: number;
      expired: boolean;
      found_at: Date;
    }>(find, [new Date(asked_at.getTime() - maxHoldMs), batchSize]);
    if (rows.length === 0) return 0;
    const now = latest(asked_at, ...rows.map(({ found_at }) => found_at));
    const [expired, released] = [rows.filter((row) => row.expired), rows.filter((row) => !row.expired)];
    const idsOf = (list: typeof rows): string[] => list.map(({ mail_id }) => mail_id);
    await tx.query('delete from queue where mail_id = any ($1::uuid[])', [idsOf(expired)]);
    await tx.query(
      'update queue set held_since = null, held_domain_id = 0, last_error = null, due_at = $2 where mail_id = any ($1::uuid[])',
      [idsOf(released), now],
    );
    await tx.query(
      `update mails m set status = o.status from unnest($1::uuid[], $2::smallint[]) as o (mail_id, status)
       where m.mail_id = o.mail_id`,
      [idsOf(rows), rows.map((row) => (row.expired ? 6 : 2))],
    );
    await tx.query(
      `insert into events (event_id, mail_id, msg_id, instance_id, at, event, status, reason, data)
       select o.event_id, o.mail_id, o.msg_id, o.instance_id, $6, o.event, case o.event when 'released' then 2 else 6 end,
         case o.event when 'bounced' then 'message_expired' end, case o.event when 'bounced' then '{"type": "soft"}'::jsonb end
       from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::bigint[], $5::text[])
         as o (event_id, mail_id, msg_id, instance_id, event)`,
      [
        rows.map(() => ids.next(now)),
        idsOf(rows),
        rows.map(({ msg_id }) => msg_id),
        rows.map(({ instance_id }) => instance_id),
        rows.map((row) => (row.expired ? 'bounced' : 'released')),
        now,
      ],
    );
    return rows.length;
  });
}
