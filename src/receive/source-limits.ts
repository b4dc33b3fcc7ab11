import { BoundedMap } from '../protocol/bounded-map.ts';
import { TokenBucket, type TokenRate } from '../protocol/token-bucket.ts';

export interface SourceLimits {
  /** Counts one; false when the source has had its share for now. */
  take(source: string): boolean;
  /** Whether there is any left, without counting. */
  has(source: string): boolean;
}

/** Sources remembered; the one that was quiet for longest is forgotten first. */
const max_sources = 20_000;

/** Token buckets, one for each source address, in this process alone: they keep it on its feet, not the world fair. */
export function createSourceLimits(rate: TokenRate, now: () => number): SourceLimits {
  const buckets = new BoundedMap<string, TokenBucket>({
    max_entries: max_sources,
    evicts: 'least_recently_used',
  });
  return {
    has: (source) => (buckets.get(source)?.available(now()) ?? rate.burst) >= 1,
    take: (source) => buckets.getOrSet(source, () => new TokenBucket(rate, now())).take(1, now()),
  };
}
