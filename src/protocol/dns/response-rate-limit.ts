import ipaddr from 'ipaddr.js';

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

interface Bucket {
  tokens: number;
  filled_at: number;
  limited: number;
}

/**
 * UDP sources are easily forged, so a server is a weapon against whoever is named as the source. Each network gets a
 * token bucket; every second answer over it is a truncated one, by which a real resolver there finds its way to TCP.
 */
export function createResponseRateLimit(options: RateLimitOptions, now: () => number): ResponseRateLimit {
  const buckets = new Map<string, Bucket>();

  function take(network: string): Bucket {
    const found = buckets.get(network);
    const at = now();
    const bucket = found ?? { tokens: options.burst, filled_at: at, limited: 0 };
    const earned = (Math.max(0, at - bucket.filled_at) / 1000) * options.per_second;
    bucket.tokens = Math.min(options.burst, bucket.tokens + earned);
    bucket.filled_at = at;
    // A Map keeps the order of insertion: moving the entry to the end makes its first one the least recent.
    if (found !== undefined) buckets.delete(network);
    buckets.set(network, bucket);
    if (buckets.size > options.max_sources) forgetOldest(buckets);
    return bucket;
  }

  return {
    judge(address) {
      const bucket = take(sourceNetwork(address));
      if (bucket.tokens >= 1) {
        bucket.tokens -= 1;
        return 'answer';
      }
      bucket.limited += 1;
      return bucket.limited % 2 === 0 ? 'truncate' : 'drop';
    },
    get size() {
      return buckets.size;
    },
  };
}

function forgetOldest(buckets: Map<string, Bucket>): void {
  const { value, done } = buckets.keys().next();
  if (done !== true) buckets.delete(value);
}

/** The /24 of an IPv4 address, also of one mapped into IPv6, or the /56 that one IPv6 customer holds. */
export function sourceNetwork(address: string): string {
  const parsed = ipaddr.process(address);
  const bytes = parsed.toByteArray();
  return parsed.kind() === 'ipv4' ? bytes.slice(0, 3).join('.') : bytes.slice(0, 7).join(':');
}
