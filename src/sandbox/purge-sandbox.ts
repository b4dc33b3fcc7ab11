import { deleteInBatches } from '../base/jobs/in-batches.ts';
import type { Job } from '../base/jobs/job.ts';

const keptMs = 30 * 86_400_000;

export const purgeSandboxJob: Job = {
  name: 'purge_sandbox_messages',
  every_ms: 3_600_000,
  destructive: true,
  async run(context) {
    const purged = await deleteInBatches(
      context,
      `delete from sandbox_messages where mail_id in (
         select mail_id from sandbox_messages where mail_id < uuid_at($1) and captured_at < $1
         order by mail_id limit $2
       ) returning 1`,
      [new Date(context.now.getTime() - keptMs)],
    );
    return `${purged} sandbox messages`;
  },
};
