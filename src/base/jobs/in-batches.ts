import type { JobContext } from './job.ts';

export const batch_rows = 5_000;

/** Repeats `work`, which does at most a batch and tells how many rows that was, until there is less than one left. */
export async function inBatches(context: JobContext, work: () => Promise<number>): Promise<number> {
  let sum = 0;
  while (!context.isStopping()) {
    const done = await work();
    sum += done;
    if (done < batch_rows) break;
  }
  return sum;
}
