import type { Queryable, Statement } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { BoundedMap } from '../protocol/bounded-map.ts';

export interface BucketLimits {
  /** Tokens added per second. */
  rate: number;
  /** Capacity of the bucket. */
  burst: number;
}

export type Taken = { ok: true } | { ok: false; retry_after_seconds: number };

export interface SharedBuckets {
  take(key: string, amount: number, limits: BucketLimits): Promise<Taken>;
}

interface Lease {
  tokens: number;
  /** Capacity under which the tokens were leased. */
  burst: number;
  /** Serialises refills of one bucket. */
  refilling: Promise<unknown>;
}

const lease: Statement = {
  name: 'limits.lease_tokens',
  text: 'select granted, available from lease_tokens($1, $2, $3, $4, $5)',
  relaxed: true,
};

/** Share of the burst that a node leases at once, so that a busy bucket costs few queries. */
const leaseShare = 0.1;
const maxLeases = 20_000;

/**
 * Token buckets in the database, shared by all nodes. A node spends tokens from a lease in memory and leases more
 * when it is used up. The sum of all leases never exceeds the bucket.
 */
export function createSharedBuckets(db: Queryable): SharedBuckets {
  const leases = new BoundedMap<string, Lease>({ max_entries: maxLeases, evicts: 'least_recently_used' });

  function leaseOf(key: string, { burst }: BucketLimits): Lease {
    const held = leases.getOrSet(key, () => ({ tokens: 0, burst, refilling: Promise.resolve() }));
    // Tokens leased under a higher limit are void: the bucket holds all that the new limit allows.
    if (burst < held.burst) held.tokens = 0;
    held.burst = burst;
    return held;
  }

  async function refill(key: string, amount: number, limits: BucketLimits): Promise<Taken> {
    const held = leaseOf(key, limits);
    if (held.tokens < amount) {
      const needed = amount - held.tokens;
      const wanted = Math.max(needed, limits.burst * leaseShare);
      const [row] = await db.query<{ granted: number; available: number }>(lease, [
        key,
        limits.rate,
        limits.burst,
        needed,
        wanted,
      ]);
      held.tokens += row?.granted ?? 0;
      // Another caller may have set a new limit meanwhile.
      held.burst = Math.max(held.burst, limits.burst);
      if (held.tokens < amount) {
        const missing = amount - held.tokens - (row?.available ?? 0);
        return { ok: false, retry_after_seconds: Math.max(1, Math.ceil(missing / limits.rate)) };
      }
    }
    held.tokens -= amount;
    return { ok: true };
  }

  return {
    async take(key, amount, limits) {
      const held = leaseOf(key, limits);
      if (held.tokens >= amount) {
        held.tokens -= amount;
        return { ok: true };
      }
      const refilling = held.refilling.then(async () => await refill(key, amount, limits));
      // The next caller proceeds even if this one failed.
      held.refilling = refilling.catch(() => undefined);
      return await refilling;
    },
  };
}

/** Takes one token in the caller's transaction. Concurrent takers of the same bucket wait for its commit. */
export async function takeToken(tx: Queryable, key: string, limits: BucketLimits): Promise<Taken> {
  const [row] = await tx.query<{ granted: number; available: number }>(lease.text, [
    key,
    limits.rate,
    limits.burst,
    1,
    1,
  ]);
  if (row && row.granted >= 1) return { ok: true };
  const missing = 1 - (row?.available ?? 0);
  return { ok: false, retry_after_seconds: Math.max(1, Math.ceil(missing / limits.rate)) };
}

/** Throws `rate_limit_exceeded` when the bucket had too little. */
export function refuseBeyond(taken: Taken): void {
  if (taken.ok) return;
  throw new Problem('rate_limit_exceeded', { retry_after_seconds: taken.retry_after_seconds });
}
