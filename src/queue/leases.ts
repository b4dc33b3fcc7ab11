import { createBatcher } from '../base/db/batcher.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import { isLost, type ReleaseLeases } from '../base/engine/node.ts';

/**
 * Puts mail back in line. It reads the whole queue, which is worth it when a node died. The attempt of a dead node counts,
 * since nobody knows how it ended, and it may be why the node died (`queue/suspects.ts`); one under a claim without an answer
 * was never begun.
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

interface Held {
  mail_id: string;
  lease: string;
}

/** Asks the database whether a mail is still under its lease. */
export function createLeaseConfirmation(db: Queryable): (held: Held) => Promise<boolean> {
  const { add } = createBatcher<Held, boolean>({
    max_items: 500,
    run: async (held) => {
      const rows = await db.query<{ position: number }>(confirm, [
        held.map(({ mail_id }) => mail_id),
        held.map(({ lease }) => lease),
      ]);
      const confirmed = new Set(rows.map(({ position }) => position));
      return held.map((_, index) => confirmed.has(index + 1));
    },
  });
  return add;
}
