import { deleteInBatches } from '../base/jobs/in-batches.ts';
import type { Job } from '../base/jobs/job.ts';

/** An unused bucket is full after a day, and equal to one that does not exist. */
const idleMs = 86_400_000;

export const purgeBucketsJob: Job = {
  name: 'purge_rate_buckets',
  every_ms: 6 * 3_600_000,
  destructive: true,
  async run(context) {
    const purged = await deleteInBatches(
      context,
      `delete from rate_buckets where key in (
         select key from rate_buckets where refilled_at < $1 limit $2 for update skip locked
       ) returning 1`,
      [new Date(context.now.getTime() - idleMs)],
    );
    return `${purged} idle buckets`;
  },
};
