import { deleteInBatches } from '../base/jobs/in-batches.ts';
import type { Job, JobContext } from '../base/jobs/job.ts';

/**
 * DMARC reports for thirteen months, to compare with the month a year before; mail to postmaster for three, like mail
 * itself.
 */
const keptMonths = { dmarc_reports: 13, inbound_messages: 3 } as const;

export const purgeInboundJob: Job = {
  name: 'purge_inbound',
  every_ms: 3_600_000,
  destructive: true,
  async run(context) {
    const reports = await purge(context, 'dmarc_reports');
    const messages = await purge(context, 'inbound_messages');
    return `${reports} DMARC reports, ${messages} inbound messages`;
  },
};

async function purge(context: JobContext, table: keyof typeof keptMonths): Promise<number> {
  return await deleteInBatches(
    context,
    `delete from ${table} where id in (
       select id from ${table} where received_at < $1::timestamptz - interval '${keptMonths[table]} months'
       order by received_at limit $2
     ) returning 1`,
    [context.now],
  );
}
