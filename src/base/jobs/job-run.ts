import type { Job, JobContext } from './job.ts';

/** Of a run whose job names none. Other jobs of the lane wait for so long at most, and for the batch that is under way. */
const defaultBudgetMs = 20_000;
/** After a failure, unless the job's own interval is shorter. */
const retryMs = 60_000;

interface LimitedRun {
  context: Pick<JobContext, 'isStopping' | 'position' | 'resumeAt'>;
  /** Whether the job was told to stop: it has left work. */
  isCut: () => boolean;
  position: () => string | null;
}

/** One run of a job, within its time. */
export function limitRun(
  { budget_ms = defaultBudgetMs }: Job,
  { isStopping, position }: { isStopping: () => boolean; position: string | null },
): LimitedRun {
  const until = performance.now() + budget_ms;
  let isCut = false;
  let next: string | null = null;
  return {
    context: {
      isStopping() {
        isCut ||= isStopping() || performance.now() > until;
        return isCut;
      },
      position: position ?? undefined,
      resumeAt: (given) => {
        next = given;
      },
    },
    isCut: () => isCut,
    position: () => next,
  };
}

/** A run that was cut goes on as soon as the lane is free, but after the jobs that became due meanwhile. */
export function nextRunAt(
  { every_ms }: Job,
  { began_at, now, error, is_cut }: { began_at: Date; now: Date; error: string | null; is_cut: boolean },
): Date {
  if (error !== null) return new Date(began_at.getTime() + Math.min(every_ms, retryMs));
  return is_cut ? now : new Date(began_at.getTime() + every_ms);
}
