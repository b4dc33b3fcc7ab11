import type { Job } from '../base/jobs/job.ts';
import { examine, type Check } from './check.ts';
import { listCheckResults, removeOtherResults, saveCheckResult } from './check-results.ts';

/** A little less than a day, so that a heavy check does not move by an hour each day. */
const heavyEveryMs = 23.5 * 3_600_000;

export const checkSchedule = { name: 'checks', every_ms: 3_600_000 } as const;

/** The checks of `doctor`, hourly; the heavy ones once a day. A check that fails is a result, not a failure of the job. */
export function checkJob(checks: Check[]): Job {
  return {
    ...checkSchedule,
    async run({ db, now, isStopping }) {
      await removeOtherResults(
        db,
        checks.map(({ name }) => name),
      );
      const known = new Map((await listCheckResults(db)).map((result) => [result.check, result]));
      const isDue = ({ name, is_heavy }: Check): boolean => {
        const last = known.get(name)?.checked_at.getTime() ?? -Infinity;
        return is_heavy !== true || Math.abs(now.getTime() - last) >= heavyEveryMs;
      };
      for (const check of checks.filter(isDue)) {
        if (isStopping()) break;
        await saveCheckResult(db, await examine(check), now);
      }
      const failed = (await listCheckResults(db)).filter(({ ok }) => !ok);
      if (failed.length === 0) return 'everything is in order';
      return `${failed.length} need attention: ${failed.map(({ check }) => check).join(', ')}`;
    },
  };
}
