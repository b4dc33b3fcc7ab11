import type { Database } from '../db/database.ts';

/** Scheduled work that runs once per interval in the whole installation. */
export interface Job {
  /** Stable: primary key in the table `jobs` and label in metrics. */
  name: string;
  every_ms: number;
  /** Deletes data permanently: does not run while the clock is in doubt. */
  destructive?: true;
  /**
   * Time of one run. A run that is cut is due again at once, behind the jobs of its lane that are due already. Longer only for work
   * whose progress is not in the database.
   */
  budget_ms?: number;
  /** Returns a short summary of what was done. Must be idempotent: a lease can expire during a run. */
  run: (context: JobContext) => Promise<string>;
}

export interface JobContext {
  db: Database;
  /** Database time. */
  now: Date;
  /** Whether to stop after the current batch, because the time of the run is used up, its lease is lost or the node stops. */
  isStopping: () => boolean;
  /** Where the run before ended, if it was cut. */
  position?: string | undefined;
  /** Stores where the next run begins; without it, that is at the beginning. */
  resumeAt?: (position: string) => void;
}
