const minute = 60;
const hour = 60 * minute;

/** Contract §7: 1 m, 5 m, 15 m, 30 m, 1 h, 2 h, then every 4 h, for 5 days. */
const steps = [minute, 5 * minute, 15 * minute, 30 * minute, hour, 2 * hour];
const lastStep = 4 * hour;
export const give_up_after_ms = 5 * 24 * hour * 1000;

interface FailedAttempt {
  /** Attempts made, the one that just failed included. */
  attempt: number;
  /** Delay the remote server asked for, as greylisting does. */
  asked_seconds?: number | undefined;
  /** Jitter, in [0, 1): spreads the retries of mails that failed together. */
  random: number;
}

/**
 * Seconds until the next attempt. A delay the remote server asks for overrides the schedule, with a lower bound: attempt n
 * is made at least n² seconds after the one before (or after our own step, if that is shorter), so that a server that asks
 * for one second every time is not retried every second.
 */
export function retryDelaySeconds({ attempt, asked_seconds, random }: FailedAttempt): number {
  const step = steps[attempt - 1] ?? lastStep;
  const jittered = step * (0.9 + 0.2 * random);
  if (asked_seconds === undefined) return jittered;
  // A little later than asked: clocks differ, and a retry that comes too early is deferred again.
  return Math.min(Math.max(asked_seconds * 1.05 + 1, Math.min(attempt ** 2, jittered)), lastStep);
}
