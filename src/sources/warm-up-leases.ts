import type { Clock } from '../base/clock.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import { BoundedMap } from '../protocol/bounded-map.ts';
import type { SourceAddress } from './source-addresses.ts';
import { warmUpCap, warmUpDay } from './warm-up.ts';

/** Daily quota of an address in warm-up, shared by all nodes through the database. */
export interface WarmUpLeases {
  /** Takes the quota of one mail; false when none is left today. */
  take(source: SourceAddress, provider: string): Promise<boolean>;
  /** Returns the quota of a mail that was not sent. */
  refund(source: SourceAddress, provider: string): void;
}

interface Lease {
  left: number;
  /** The database has no more quota today. */
  is_exhausted: boolean;
  /** The last refill; the next one is chained to it. */
  refilling: Promise<unknown>;
}

const lease: Statement = {
  name: 'sources.lease_warm_up',
  text: 'select lease_warm_up($1, $2, $3, $4, $5) as granted',
  relaxed: true,
};

/** Share of the daily cap per lease: few queries, and little is lost when a node dies. */
const leaseShare = 1 / 10;
const maxLeases = 20_000;

export function createWarmUpLeases(db: Queryable, clock: Clock): WarmUpLeases {
  const leases = new BoundedMap<string, Lease>({ max_entries: maxLeases, evicts: 'least_recently_used' });

  function leaseOf(source: SourceAddress, provider: string): Lease {
    const key = `${source.id} ${warmUpDay(source, clock.now())} ${provider}`;
    return leases.getOrSet(key, () => ({ left: 0, is_exhausted: false, refilling: Promise.resolve() }));
  }

  async function refill(held: Lease, source: SourceAddress, provider: string): Promise<boolean> {
    if (held.left === 0 && !held.is_exhausted) {
      const now = clock.now();
      const cap = warmUpCap(source, now);
      const wanted = Math.ceil(cap * leaseShare);
      const values = [source.id, provider, warmUpDay(source, now), cap, wanted];
      const [row] = await db.query<{ granted: number }>(lease, values);
      const granted = row?.granted ?? 0;
      // Refunds may have come meanwhile.
      held.left += granted;
      held.is_exhausted = granted === 0;
    }
    if (held.left === 0) return false;
    held.left -= 1;
    return true;
  }

  return {
    async take(source, provider) {
      const held = leaseOf(source, provider);
      if (held.left > 0) {
        held.left -= 1;
        return true;
      }
      if (held.is_exhausted) return false;
      const refilled = held.refilling.then(async () => await refill(held, source, provider));
      held.refilling = refilled.catch(() => undefined);
      return await refilled;
    },
    refund(source, provider) {
      leaseOf(source, provider).left += 1;
    },
  };
}
