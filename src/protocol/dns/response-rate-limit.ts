import { networkOf } from '../address/source-network.ts';
import { BoundedMap } from '../bounded-map.ts';
import { TokenBucket } from '../token-bucket.ts';

export interface RateLimitOptions {
  /** Answers a second to one source network in the long run. */
  per_second: number;
  burst: number;
  /** Networks remembered; the one unheard of for longest is forgotten first. */
  max_sources: number;
}

export type RateVerdict = 'answer' | 'truncate' | 'drop';

export interface ResponseRateLimit {
  decide(address: string): RateVerdict;
  readonly size: number;
}

interface Network {
  bucket: TokenBucket;
  /** Answers over the rate. */
  limited: number;
}

/**
 * UDP sources are easily forged, so a server can be used to attack the named source. Each network gets a
 * token bucket; every second answer over it is a truncated one, by which a real resolver there finds its way to TCP.
 */
export function createResponseRateLimit(options: RateLimitOptions, now: () => number): ResponseRateLimit {
  const networks = new BoundedMap<string, Network>({
    max_entries: options.max_sources,
    evicts: 'least_recently_used',
  });

  return {
    decide(address) {
      const network = networks.getOrSet(networkOf(address), () => ({
        bucket: new TokenBucket(options, now()),
        limited: 0,
      }));
      if (network.bucket.take(1, now())) return 'answer';
      network.limited += 1;
      return network.limited % 2 === 0 ? 'truncate' : 'drop';
    },
    get size() {
      return networks.size;
    },
  };
}
