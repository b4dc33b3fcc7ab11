import { createBatcher } from '../base/db/batcher.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import { isLost, type ReleaseLeases } from '../base/engine/node.ts';

/**
 * Releases lost leases with one scan of the whole queue, which only happens when a node died. The attempt of a dead node
 * counts: its result is unknown, and it may be what crashed the node (`queue/suspects.ts`). The attempt of a claim whose
 * answer was lost does not: it never began.
 */
const release = `
  update queue set lease = null, due_at = least(due_at, now()),
    attempts = attempts - case when lease = any ($2::uuid[]) then 1 else 0 end,
    crashes = case when lease = any ($2::uuid[]) then crashes else greatest(crashes, 1) end
  where ${isLost('lease')}
  returning 1`;

export const releaseQueueLeases: ReleaseLeases = async (tx, { nodes, leases }) =>
  (await tx.query(release, [nodes, leases])).length;

const confirm: Statement = {
  name: 'queue.confirm_leases',
  text: `
    select asked.position from unnest($1::uuid[], $2::uuid[]) with ordinality as asked (mail_id, lease, position)
    join queue q on q.mail_id = asked.mail_id and q.lease = asked.lease`,
};

interface LeasedMail {
  mail_id: string;
  lease: string;
}

/** Checks in the database whether mails are still under their lease. */
export function createLeaseConfirmation(db: Queryable): (leased: LeasedMail) => Promise<boolean> {
  const { add } = createBatcher<LeasedMail, boolean>({
    max_items: 500,
    run: async (leased) => {
      const rows = await db.query<{ position: number }>(confirm, [
        leased.map(({ mail_id }) => mail_id),
        leased.map(({ lease }) => lease),
      ]);
      const confirmed = new Set(rows.map(({ position }) => position));
      return leased.map((_, index) => confirmed.has(index + 1));
    },
  });
  return add;
}
