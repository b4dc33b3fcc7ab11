import type { Database } from '../db/database.ts';

/** What has to be done now and then, once in the whole installation. */
export interface Job {
  /** Stable: its row in the table `jobs` and its label in metrics. */
  name: string;
  every_ms: number;
  /** Does what is due and tells what it did, in a few words. Done twice it must do no harm: a claim can be lost. */
  run: (context: JobContext) => Promise<string>;
}

export interface JobContext {
  db: Database;
  now: Date;
  /** Whether to stop at the next good moment; the rest is done by the next run. */
  isStopping: () => boolean;
}
