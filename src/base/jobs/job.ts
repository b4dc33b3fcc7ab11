import type { Database } from '../db/database.ts';

/** Scheduled work, done once in the whole installation. */
export interface Job {
  /** Stable: its row in the table `jobs` and its label in metrics. */
  name: string;
  every_ms: number;
  /** Deletes what cannot be had again: not run while the time is in doubt. */
  destructive?: true;
  /** Does what is due and tells what it did, in a few words. Done twice it must do no harm: a claim can be lost. */
  run: (context: JobContext) => Promise<string>;
}

export interface JobContext {
  db: Database;
  /** Of the database. */
  now: Date;
  /** Whether to stop at the next good moment; the rest is done by the next run. */
  isStopping: () => boolean;
}
