import { deleteInBatches } from '../base/jobs/in-batches.ts';
import type { Job } from '../base/jobs/job.ts';

/** A call finds no answer that is older than a day, so that the hour until the next run shows nowhere. */
export const purgeIdempotencyKeysJob: Job = {
  name: 'purge_idempotency_keys',
  every_ms: 3_600_000,
  destructive: true,
  async run(context) {
    const purged = await deleteInBatches(
      context,
      `delete from idempotency_keys where (instance_id, key_digest) in (
         select instance_id, key_digest from idempotency_keys where created_at <= now() - interval '24 hours'
         order by created_at limit $1 for update skip locked
       ) returning 1`,
    );
    return `${purged} idempotency keys`;
  },
};
