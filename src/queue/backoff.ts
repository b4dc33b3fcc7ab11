const minute = 60;
const hour = 60 * minute;

/** Contract §7: 1 m, 5 m, 15 m, 30 m, 1 h, 2 h, then every 4 h, for 5 days. */
const steps = [minute, 5 * minute, 15 * minute, 30 * minute, hour, 2 * hour];
const last_step = 4 * hour;
export const give_up_after_ms = 5 * 24 * hour * 1000;

interface Waiting {
  /** Attempts made, the one that just failed included. */
  attempt: number;
  /** What the remote server asked for, such as a greylisting delay. */
  asked_seconds?: number | undefined;
  /** From 0 to 1: spreads mails that failed together. */
  random: number;
}

/**
 * Seconds until the next attempt. A remote's own wish counts, but who asks for a second every time is not asked every
 * second: the n-th attempt is at least n² seconds after the one before, or our own step if that is sooner.
 */
export function retryDelaySeconds({ attempt, asked_seconds, random }: Waiting): number {
  const step = steps[attempt - 1] ?? last_step;
  const jittered = step * (0.9 + 0.2 * random);
  if (asked_seconds === undefined) return jittered;
  // A little later than asked: to the second is too early by the other's clock.
  return Math.min(Math.max(asked_seconds * 1.05 + 1, Math.min(attempt ** 2, jittered)), last_step);
}
