import { createBatcher } from '../base/db/batcher.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { Node, ReleaseLeases } from '../base/engine/node.ts';

/**
 * Releases the leases of dead nodes with one scan of the queue, which only happens when a node died. The attempt counts: its result is
 * unknown, and it may be what crashed the node (`queue/suspects.ts`).
 */
const releaseDead = `
  update queue set lease = null, due_at = least(due_at, now()), crashes = greatest(crashes, 1)
  where lease is not null and left(lease::text, 8) = any ($1::text[])
  returning 1`;

/**
 * Releases what claims without an answer may have leased. The attempt never began, and does not count. Such claims are frequent where
 * connections break, so the rows are found by the time at which their leases end.
 */
export const releaseUnanswered = `
  update queue q set lease = null, due_at = least(due_at, now()), attempts = attempts - 1
  from unnest($1::uuid[], $2::float8[]) as lost (lease, age_ms)
  where q.lease = lost.lease and q.ready_priority is null and q.held_since is null
    and q.due_at > now() + ($3 - lost.age_ms / 1000 - $4) * interval '1 second'
    and q.due_at < now() + ($3 - lost.age_ms / 1000 + $4) * interval '1 second'
  returning 1`;
/** Between the time that a claim was given and that of the database. Beyond it the mail waits for the end of the lease. */
const slackSeconds = 30;

export function createQueueRelease({ lease_seconds }: { lease_seconds: number }): ReleaseLeases {
  return async (tx, { nodes, leases, ages_ms }) => {
    const dead = nodes.length > 0 ? await tx.query(releaseDead, [nodes]) : [];
    const values = [leases, ages_ms, lease_seconds, slackSeconds];
    const unanswered = leases.length > 0 ? await tx.query(releaseUnanswered, values) : [];
    return dead.length + unanswered.length;
  };
}

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
