const minute = 60;
const hour = 60 * minute;

/** Contract §9: after the first attempt, this long after the one before. */
const steps = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];

/** When to try again after the n-th attempt failed; undefined when there were enough. */
export function nextAttemptAt(
  attempt: number,
  { failed_at, random }: { failed_at: Date; random: number },
): Date | undefined {
  const seconds = steps[attempt - 1];
  if (seconds === undefined) return undefined;
  // Spread by a tenth either way, so that what failed together does not come back together.
  return new Date(failed_at.getTime() + Math.round(seconds * (0.9 + 0.2 * random) * 1000));
}
