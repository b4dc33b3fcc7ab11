import type { Clock } from '../clock.ts';
import type { Queryable } from '../db/database.ts';

interface KeepLeaseOptions {
  db: Queryable;
  clock: Clock;
  lease_ms: number;
  every_ms: number;
}

interface KeptLease {
  /** False once another node may have the job. */
  isHeld: () => boolean;
  stop: () => void;
}

const renew = `
  update jobs set claimed_until = $3::timestamptz + $4 * interval '1 millisecond'
  where name = $1 and lease = $2 returning 1`;

/** Renews the lease of a job while it runs. A renewal that fails is tried again; after as long as the lease lasts it is lost. */
export function keepLease(
  { db, clock, lease_ms, every_ms }: KeepLeaseOptions,
  { name, lease }: { name: string; lease: string },
): KeptLease {
  let isLost = false;
  let renewedAt = performance.now();

  async function renewOnce(): Promise<void> {
    const sent = performance.now();
    const rows = await db.query(renew, [name, lease, clock.now(), lease_ms]);
    if (rows.length === 0) isLost = true;
    else renewedAt = sent;
  }

  // An outage is logged by the loops of the node; here only its length counts.
  const timer = setInterval(() => void renewOnce().catch(() => undefined), every_ms);
  return {
    isHeld: () => !isLost && performance.now() - renewedAt < lease_ms,
    stop: () => clearInterval(timer),
  };
}
