import ipaddr from 'ipaddr.js';
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
  judge(address: string): RateVerdict;
  readonly size: number;
}

interface Network {
  bucket: TokenBucket;
  /** Answers over the rate. */
  limited: number;
}

/**
 * UDP sources are easily forged, so a server is a weapon against whoever is named as the source. Each network gets a
 * token bucket; every second answer over it is a truncated one, by which a real resolver there finds its way to TCP.
 */
export function createResponseRateLimit(options: RateLimitOptions, now: () => number): ResponseRateLimit {
  const networks = new BoundedMap<string, Network>({
    max_entries: options.max_sources,
    evicts: 'least_recently_used',
  });

  return {
    judge(address) {
      const network = networks.getOrSet(sourceNetwork(address), () => ({
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

/** The /24 of an IPv4 address, also of one mapped into IPv6, or the /56 that one IPv6 customer holds. */
export function sourceNetwork(address: string): string {
  const parsed = ipaddr.process(address);
  const bytes = parsed.toByteArray();
  return parsed.kind() === 'ipv4' ? bytes.slice(0, 3).join('.') : bytes.slice(0, 7).join(':');
}
