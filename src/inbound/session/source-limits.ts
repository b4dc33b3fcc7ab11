import { BoundedMap } from '../../protocol/bounded-map.ts';
import { TokenBucket, type TokenRate } from '../../protocol/token-bucket.ts';

export interface SourceLimits {
  /** Takes a token; false when the bucket is empty. */
  take(source: string): boolean;
  /** Whether there is a token, without taking it. */
  has(source: string): boolean;
}

/** Least recently used sources are evicted. */
const max_sources = 20_000;

/** Token buckets per source address, in this process only: they protect the process. */
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
