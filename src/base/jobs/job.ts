import type { Database } from '../db/database.ts';

/** A failure that was logged before and lasts: the run is red, and the log stays quiet. */
export class KnownFailure extends Error {}

/** Scheduled work that runs once per interval in the whole installation. */
export interface Job {
  /** Stable: primary key in the table `jobs` and label in metrics. */
  name: string;
  every_ms: number;
  /** Deletes data permanently: does not run while the clock is in doubt. */
  destructive?: true;
  /** Returns a short summary of what was done. Must be idempotent: a lease can expire during a run. */
  run: (context: JobContext) => Promise<string>;
}

export interface JobContext {
  db: Database;
  /** Database time. */
  now: Date;
  /** Whether to stop after the current batch; the next run does the rest. */
  isStopping: () => boolean;
}
