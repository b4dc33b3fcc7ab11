const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

/** Failed sign-ins under one key. */
export interface FailureCount {
  failures: number;
  /** When the count begins anew. */
  resets_at: Date;
  blocked_until: Date | null;
}

type Rule = (now: number, before: FailureCount | undefined) => FailureCount;

/** One account from one network: five free tries, then each costs twice the wait of the one before. */
const pairRule: Rule = (now, before) => {
  const failures = (before?.failures ?? 0) + 1;
  const wait = Math.min(2 ** (failures - 5) * second, 15 * minute);
  return {
    failures,
    // Long after the longest wait: whoever starts over each day gains nothing on whoever waits.
    resets_at: new Date(now + day),
    blocked_until: failures < 5 ? null : new Date(now + wait),
  };
};

/** So many in a quarter of an hour, then none until it is over. */
const windowRule =
  (limit: number): Rule =>
  (now, before) => {
    const failures = (before?.failures ?? 0) + 1;
    const resets_at = before?.resets_at ?? new Date(now + 15 * minute);
    return { failures, resets_at, blocked_until: failures < limit ? null : resets_at };
  };

const rules = { email: windowRule(100), network: windowRule(30), pair: pairRule };
export type LimitKind = keyof typeof rules;

/** The count after one more failure. */
export function countFailure(kind: LimitKind, before: FailureCount, now: Date): FailureCount {
  return rules[kind](now.getTime(), before.resets_at > now ? before : undefined);
}

/** Seconds until none of the blocks holds any more. */
export function secondsUntilFree(blocks: Pick<FailureCount, 'blocked_until'>[], now: Date): number {
  const last = Math.max(...blocks.map(({ blocked_until }) => blocked_until?.getTime() ?? 0));
  return Math.ceil((last - now.getTime()) / second);
}
