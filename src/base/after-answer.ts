import { Problem } from './errors/problem.ts';
import type { Log } from './log.ts';

interface AfterAnswerOptions {
  log: Log;
  /** Of the warning when it fails. */
  failure: string;
  max_in_progress: number;
}

/**
 * Starts work that goes on after the answer, since how long it takes would tell what was found. Throws `service_unavailable` while
 * too much of it is in progress.
 */
export function createAfterAnswer({
  log,
  failure,
  max_in_progress,
}: AfterAnswerOptions): (work: () => Promise<void>) => void {
  let inProgress = 0;
  return (work) => {
    if (inProgress >= max_in_progress) throw new Problem('service_unavailable', { retry_after_seconds: 2 });
    inProgress += 1;
    void work()
      .catch((error: unknown) => log.warn({ err: error as Error }, failure))
      .finally(() => (inProgress -= 1));
  };
}
