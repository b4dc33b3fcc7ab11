export interface AuthThrottleOptions {
  /** Failures in a row that one source or one user name may have. */
  failures: number;
  /** Time after which one failure is forgotten. */
  forget_ms: number;
  /** Sources and user names remembered, and pairs of both that once succeeded; the oldest goes first. */
  max_entries: number;
}

export interface AuthThrottle {
  /** How long an attempt has to wait; 0 when it may be made. */
  waitMs(source: string, username: string): number;
  failed(source: string, username: string): void;
  succeeded(source: string, username: string): void;
  readonly size: number;
}

interface Debt {
  failures: number;
  at: number;
}

/**
 * Slows down guessing with leaking buckets, one for each source and one for each user name. A pair of both that
 * succeeded before is not held up by the user name's bucket: others guessing elsewhere cannot lock its owner out.
 * Failures are counted when they are known, so a pool that opens many connections at once is not taken for an
 * attack; what runs at the same time is bounded by the cap on connections, and is counted in full.
 */
export function createAuthThrottle(options: AuthThrottleOptions, now: () => number): AuthThrottle {
  const debts = new Map<string, Debt>();
  const proven = new Map<string, true>();

  function failuresOf(key: string): number {
    const debt = debts.get(key);
    if (debt === undefined) return 0;
    return Math.max(0, debt.failures - (now() - debt.at) / options.forget_ms);
  }

  function waitOf(key: string): number {
    const over = failuresOf(key) - (options.failures - 1);
    return over <= 0 ? 0 : Math.ceil(over * options.forget_ms);
  }

  function charge(key: string): void {
    // The bound keeps the longest wait at failures + 1 times the time of one.
    const failures = Math.min(failuresOf(key) + 1, 2 * options.failures);
    putLast(debts, key, { failures, at: now() });
    dropFirst(debts, options.max_entries);
  }

  return {
    waitMs(source, username) {
      const held = proven.has(pairKey(source, username)) ? 0 : waitOf(nameKey(username));
      return Math.max(waitOf(sourceKey(source)), held);
    },
    failed(source, username) {
      charge(sourceKey(source));
      charge(nameKey(username));
    },
    succeeded(source, username) {
      debts.delete(sourceKey(source));
      debts.delete(nameKey(username));
      putLast(proven, pairKey(source, username), true);
      dropFirst(proven, options.max_entries);
    },
    get size() {
      return debts.size + proven.size;
    },
  };
}

const sourceKey = (source: string): string => `source ${source}`;
const nameKey = (username: string): string => `name ${username.toLowerCase()}`;
const pairKey = (source: string, username: string): string => `${source} ${username.toLowerCase()}`;

/** A Map keeps the order of insertion: entries that are put again become the last to be dropped. */
function putLast<V>(map: Map<string, V>, key: string, value: V): void {
  map.delete(key);
  map.set(key, value);
}

function dropFirst(map: Map<string, unknown>, max: number): void {
  if (map.size <= max) return;
  const { value, done } = map.keys().next();
  if (done !== true) map.delete(value);
}
