import { backoffDelay } from '../protocol/backoff.ts';

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;
const longestWait = 15 * minute;
/** What is further ahead than any rule sets it, and nodes' clocks can differ, is of a clock that was set back since. */
const tolerance = minute;

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
  const wait = backoffDelay(failures - 4, { first_ms: second, most_ms: longestWait });
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
    const resets_at = before?.resets_at ?? new Date(now + longestWait);
    return { failures, resets_at, blocked_until: failures < limit ? null : resets_at };
  };

/** `code`: second factors of one account, wherever they come from. Six digits stand between a guesser and the account. */
const rules = { email: windowRule(100), network: windowRule(30), pair: pairRule, code: pairRule };
export type LimitKind = keyof typeof rules;

/** The count after one more failure. */
export function countFailure(kind: LimitKind, before: FailureCount, now: Date): FailureCount {
  const left = before.resets_at.getTime() - now.getTime();
  const longest = rules[kind] === pairRule ? day : longestWait;
  return rules[kind](now.getTime(), left > 0 && left <= longest + tolerance ? before : undefined);
}

/** Between which times a block ends that holds now. */
export function blockRange(now: Date): [after: Date, until: Date] {
  return [now, new Date(now.getTime() + longestWait + tolerance)];
}

/** Seconds until all blocks have ended. */
export function secondsUntilFree(blocks: Pick<FailureCount, 'blocked_until'>[], now: Date): number {
  const last = Math.max(...blocks.map(({ blocked_until }) => blocked_until?.getTime() ?? 0));
  return Math.ceil((last - now.getTime()) / second);
}
