import type { JobContext } from './job.ts';

export const batchRows = 5_000;

/** Repeats `work`, which processes up to `batch_rows` rows and returns their number, until a batch is not full. */
export async function inBatches(context: JobContext, work: () => Promise<number>): Promise<number> {
  let sum = 0;
  while (!context.isStopping()) {
    const done = await work();
    sum += done;
    if (done < batchRows) break;
  }
  return sum;
}

/** For a statement that deletes up to as many rows as its last parameter says, and returns one row for each. */
export async function deleteInBatches(
  context: JobContext,
  sql: string,
  values: unknown[] = [],
): Promise<number> {
  return await inBatches(context, async () => (await context.db.query(sql, [...values, batchRows])).length);
}
