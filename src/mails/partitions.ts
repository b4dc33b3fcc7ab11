import type { Queryable } from '../base/db/database.ts';
import type { Job } from '../base/jobs/job.ts';

export async function makePartitionsAhead(db: Queryable, months_ahead = 3): Promise<number> {
  const [row] = await db.query<{ made: number }>('select ensure_partitions($1) as made', [months_ahead]);
  return row?.made ?? 0;
}

/** Months begin whether or not anybody restarts the service. */
export const partitionsJob: Job = {
  name: 'partitions',
  every_ms: 6 * 3_600_000,
  run: async ({ db }) => `${await makePartitionsAhead(db)} partitions made`,
};
