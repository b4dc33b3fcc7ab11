const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;

export interface FailureCount {
  failures: number;
  /** When the count restarts. */
  resets_at: Date;
  blocked_until: Date | null;
}

type Rule = (now: number, before: FailureCount | undefined) => FailureCount;

/** Account × network: five free attempts, then each doubles the wait. */
const pairRule: Rule = (now, before) => {
  const failures = (before?.failures ?? 0) + 1;
  const wait = Math.min(2 ** (failures - 5) * second, 15 * minute);
  return {
    failures,
    // Longer than the longest wait, so that restarting every day gains nothing.
    resets_at: new Date(now + day),
    blocked_until: failures < 5 ? null : new Date(now + wait),
  };
};

/** A fixed number per quarter of an hour. */
const windowRule =
  (limit: number): Rule =>
  (now, before) => {
    const failures = (before?.failures ?? 0) + 1;
    const resets_at = before?.resets_at ?? new Date(now + 15 * minute);
    return { failures, resets_at, blocked_until: failures < limit ? null : resets_at };
  };

/** `code`: second factors of one account, wherever they come from. Six digits stand between a guesser and the account. */
const rules = { email: windowRule(100), network: windowRule(30), pair: pairRule, code: pairRule };
export type LimitKind = keyof typeof rules;

/** The count after one more failure. */
export function countFailure(kind: LimitKind, before: FailureCount, now: Date): FailureCount {
  return rules[kind](now.getTime(), before.resets_at > now ? before : undefined);
}

/** Seconds until all blocks have ended. */
export function secondsUntilFree(blocks: Pick<FailureCount, 'blocked_until'>[], now: Date): number {
  const last = Math.max(...blocks.map(({ blocked_until }) => blocked_until?.getTime() ?? 0));
  return Math.ceil((last - now.getTime()) / second);
}
