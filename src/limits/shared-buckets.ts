import type { Queryable, Statement } from '../base/db/database.ts';
import { BoundedMap } from '../protocol/bounded-map.ts';

export interface BucketLimits {
  /** Tokens that come back each second. */
  rate: number;
  /** The most a bucket holds. */
  burst: number;
}

/** Taken, or how many seconds until it could be. */
export type Taken = { ok: true } | { ok: false; retry_after_seconds: number };

export interface SharedBuckets {
  take(key: string, amount: number, limits: BucketLimits): Promise<Taken>;
}

interface Lease {
  tokens: number;
  /** Of the limits under which they were leased. */
  burst: number;
  /** Callers of one bucket take turns when it has to be refilled. */
  turn: Promise<unknown>;
}

const lease: Statement = {
  name: 'limits.lease_tokens',
  text: 'select granted, available from lease_tokens($1, $2, $3, $4, $5)',
  relaxed: true,
};

/** A node leases this share of the burst at a time, so that a busy bucket costs few queries. */
const lease_share = 0.1;
const most_leases = 20_000;

/**
 * Token buckets in the database, shared by all nodes. Each node spends from a lease it holds in memory and asks for
 * more when that is used up; the sum of all leases never exceeds what the bucket had.
 */
export function createSharedBuckets(db: Queryable): SharedBuckets {
  const leases = new BoundedMap<string, Lease>({ max_entries: most_leases, evicts: 'least_recently_used' });

  function leaseOf(key: string, { burst }: BucketLimits): Lease {
    const held = leases.getOrSet(key, () => ({ tokens: 0, burst, turn: Promise.resolve() }));
    // What was leased under a higher limit is void: the bucket itself holds all that the new one allows.
    if (burst < held.burst) held.tokens = 0;
    held.burst = burst;
    return held;
  }

  async function refill(key: string, amount: number, limits: BucketLimits): Promise<Taken> {
    const held = leaseOf(key, limits);
    if (held.tokens < amount) {
      const needed = amount - held.tokens;
      const wanted = Math.max(needed, limits.burst * lease_share);
      const [row] = await db.query<{ granted: number; available: number }>(lease, [
        key,
        limits.rate,
        limits.burst,
        needed,
        wanted,
      ]);
      held.tokens += row?.granted ?? 0;
      // Meanwhile others may have come with a new limit.
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
      const turn = held.turn.then(async () => await refill(key, amount, limits));
      // The next in line goes on whether or not this one got through.
      held.turn = turn.catch(() => undefined);
      return await turn;
    },
  };
}

/** One token, in a transaction: it is taken when that commits, and whoever wants one of the same bucket waits for it. */
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
