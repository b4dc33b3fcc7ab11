import type { Queryable } from '../base/db/database.ts';
import type { Job } from '../base/jobs/job.ts';

export async function createPartitions(db: Queryable, monthsAhead = 3): Promise<number> {
  const [row] = await db.query<{ created: number }>('select ensure_partitions($1) as created', [monthsAhead]);
  return row?.created ?? 0;
}

export const partitionsJob: Job = {
  name: 'partitions',
  every_ms: 6 * 3_600_000,
  run: async ({ db }) => `${await createPartitions(db)} partitions created`,
};
