import { deleteInBatches } from '../base/jobs/in-batches.ts';
import type { Job } from '../base/jobs/job.ts';

/** Received mail is kept as long as sent mail: by the months of its instance. Its sources go with the last mail that has them. */
export const purgeReceivedJob: Job = {
  name: 'purge_received_mails',
  every_ms: 3_600_000,
  destructive: true,
  async run(context) {
    const mails = await deleteInBatches(
      context,
      `delete from received_mails where id in (
         select old.id from instances i cross join lateral (
           select m.id from received_mails m where m.instance_id = i.id
             and m.id < uuid_at($1::timestamptz - i.retention_months * interval '1 month') order by m.id limit $2
         ) as old limit $2
       ) returning 1`,
      [context.now],
    );
    const sources = await deleteInBatches(
      context,
      `delete from received_sources where id in (
         select s.id from received_sources s join instances i on i.id = s.instance_id
         where s.id < uuid_at($1::timestamptz - i.retention_months * interval '1 month')
           and not exists (select from received_mails m where m.source_id = s.id)
         order by s.id limit $2
       ) returning 1`,
      [context.now],
    );
    return `${mails} received mails, ${sources} sources`;
  },
};
