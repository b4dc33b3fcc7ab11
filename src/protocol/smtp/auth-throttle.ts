import { BoundedMap } from '../bounded-map.ts';
import { TokenBucket } from '../token-bucket.ts';

export interface AuthThrottleOptions {
  /** Consecutive failures allowed per source and per user name. */
  failures: number;
  /** Time after which one failure expires. */
  forget_ms: number;
  /** Sources, user names, and pairs that succeeded before, each; the oldest is evicted first. */
  max_entries: number;
}

export interface AuthThrottle {
  /** Milliseconds until the next attempt is allowed; 0 for now. */
  waitMs(source: string, username: string): number;
  failed(source: string, username: string): void;
  succeeded(source: string, username: string): void;
  readonly size: number;
}

/**
 * Slows down guessing with token buckets, one for each source and one for each user name. A pair of both that
 * succeeded before is not held up by the user name's bucket: others guessing elsewhere cannot lock its owner out.
 * Failures are counted when they are known, so a pool that opens many connections at once is not taken for an
 * attack; what runs at the same time is bounded by the cap on connections, and is counted in full.
 */
export function createAuthThrottle(options: AuthThrottleOptions, now: () => number): AuthThrottle {
  const { failures, forget_ms, max_entries } = options;
  const rate = { per_second: 1000 / forget_ms, burst: failures };
  const tries = new BoundedMap<string, TokenBucket>({ max_entries });
  const proven = new BoundedMap<string, true>({ max_entries });

  const waitOf = (key: string): number => Math.ceil(tries.get(key)?.waitMs(1, now()) ?? 0);

  function charge(key: string): void {
    const bucket = tries.get(key) ?? new TokenBucket(rate, now());
    // The bound keeps the longest wait at failures + 1 times the time of one.
    bucket.overdraw(Math.min(1, bucket.available(now()) + failures), now());
    tries.set(key, bucket);
  }

  return {
    waitMs(source, username) {
      if (tries.size === 0) return 0;
      const held = proven.has(pairKey(source, username)) ? 0 : waitOf(nameKey(username));
      return Math.max(waitOf(sourceKey(source)), held);
    },
    failed(source, username) {
      charge(sourceKey(source));
      charge(nameKey(username));
    },
    succeeded(source, username) {
      if (tries.size > 0) {
        tries.delete(sourceKey(source));
        tries.delete(nameKey(username));
      }
      proven.set(pairKey(source, username), true);
    },
    get size() {
      return tries.size + proven.size;
    },
  };
}

const sourceKey = (source: string): string => `source ${source}`;
const nameKey = (username: string): string => `name ${username.toLowerCase()}`;
const pairKey = (source: string, username: string): string => `${source} ${username.toLowerCase()}`;
