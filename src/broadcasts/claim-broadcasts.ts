import type { Queryable } from '../base/db/database.ts';
import { isLost, type ReleaseLeases } from '../base/engine/node.ts';
import { storedColumns, type StoredBroadcast } from './broadcasts.ts';

/** A broadcast that this process works on, until the lease is over. */
export interface ClaimedBroadcast extends StoredBroadcast {
  lease: string;
  sender_email: string;
  cancelled_to: string | null;
}

interface Claim {
  lease: string;
  count: number;
  now: Date;
  lease_ms: number;
}

/** At most one of an instance at a time, those first that wait longest: each instance has its turn. */
const claim = `
  update broadcasts b set lease = $1, leased_until = $3::timestamptz + $4 * interval '1 millisecond'
  from senders s
  where s.id = b.sender_id and b.id in (
    select due.id from broadcasts due
    join (
      select distinct on (n.instance_id) n.id from broadcasts n
      where n.due_at <= $3 and not exists (select from broadcasts busy
        where busy.instance_id = n.instance_id and busy.lease is not null and busy.leased_until > $3)
      order by n.instance_id, n.due_at
    ) as next on next.id = due.id
    where due.due_at <= $3 and (due.lease is null or due.leased_until <= $3)
    order by due.due_at limit $2 for update of due skip locked)
  returning ${storedColumns
    .split(',')
    .map((column) => `b.${column.trim()}`)
    .join(', ')}, b.lease, b.cancelled_to, s.email_address as sender_email`;

export async function claimBroadcasts(
  db: Queryable,
  { lease, count, now, lease_ms }: Claim,
): Promise<ClaimedBroadcast[]> {
  return await db.query<ClaimedBroadcast & Record<string, unknown>>(claim, [lease, count, now, lease_ms]);
}

interface Turn {
  id: number;
  lease: string;
  /** When the next step is due, where the step itself has not said so. */
  due_at: Date | undefined;
  error: string | undefined;
}

/** Ends a turn. What was decided meanwhile, such as a pause, holds: nothing is due then. */
export async function endTurn(db: Queryable, { id, lease, due_at, error }: Turn): Promise<void> {
  await db.query(
    `update broadcasts set lease = null, leased_until = null, last_error = left($4, 1000),
       due_at = case when due_at is not null then coalesce($3::timestamptz, due_at) end
     where id = $1 and lease = $2`,
    [id, lease, due_at ?? null, error ?? null],
  );
}

/** Those of a dead node are due again. */
export const releaseBroadcastLeases: ReleaseLeases = async (tx, { nodes, leases }) =>
  (
    await tx.query(
      `update broadcasts set lease = null, leased_until = null where ${isLost('lease')} returning 1`,
      [nodes, leases],
    )
  ).length;
