import { createBatcher } from '../base/db/batcher.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import { isLost, type Node, type ReleaseLeases } from '../base/engine/node.ts';

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

/** A mail whose lease expired may be claimable already. */
const renew: Statement = {
  name: 'queue.renew_leases',
  text: `
    update queue q set due_at = now() + $3 * interval '1 second', ready_priority = null
    from unnest($1::uuid[], $2::uuid[]) as asked (mail_id, lease)
    where q.mail_id = asked.mail_id and q.lease = asked.lease
    returning q.mail_id, q.lease`,
};

interface LeasedMail {
  mail_id: string;
  lease: string;
  leased_at: number;
}

interface LeaseCheckOptions {
  db: Queryable;
  node: Pick<Node, 'holdsLeasesSince'>;
  lease_seconds: number;
}

/**
 * Whether this node still has a mail, and for long enough to send it. Asks the database only after a gap in the heartbeats,
 * or when so much of the lease has passed that the rest may be too short (`attemptLimits`); then the lease begins anew.
 */
export function createLeaseCheck(options: LeaseCheckOptions): (mail: LeasedMail) => Promise<boolean> {
  const { db, node, lease_seconds } = options;
  const maxAgeMs = (lease_seconds * 1000) / 3;
  const renewals = createBatcher<LeasedMail, boolean>({
    max_items: 500,
    run: async (mails) => {
      const rows = await db.query<{ mail_id: string; lease: string }>(renew, [
        mails.map(({ mail_id }) => mail_id),
        mails.map(({ lease }) => lease),
        lease_seconds,
      ]);
      const renewed = new Set(rows.map(({ mail_id, lease }) => `${mail_id} ${lease}`));
      return mails.map(({ mail_id, lease }) => renewed.has(`${mail_id} ${lease}`));
    },
  });
  return async (mail) => {
    const isRecent = performance.now() - mail.leased_at < maxAgeMs;
    return (isRecent && node.holdsLeasesSince(mail.leased_at)) || (await renewals.add(mail));
  };
}
