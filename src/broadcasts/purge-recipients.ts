import { deleteInBatches } from '../base/jobs/in-batches.ts';
import type { Job } from '../base/jobs/job.ts';

/** Who was written to is kept as long as the mails are. The consents stay, and so do the counts of the broadcast. */
export const purgeRecipientsJob: Job = {
  name: 'purge_broadcast_recipients',
  every_ms: 6 * 60 * 60_000,
  destructive: true,
  async run(context) {
    const { db, now } = context;
    const over = await db.query<{ id: number }>(
      `select b.id from broadcasts b join instances i on i.id = b.instance_id
       where b.finished_at < $1::timestamptz - make_interval(months => i.retention_months) and b.recipients_purged_at is null
       order by b.id limit 100`,
      [now],
    );
    let purged = 0;
    for (const { id } of over) {
      purged += await deleteInBatches(
        context,
        `delete from broadcast_recipients where broadcast_id = $1 and position in (
           select position from broadcast_recipients where broadcast_id = $1 order by position limit $2) returning 1`,
        [id],
      );
      if (context.isStopping()) break;
      await db.query('update broadcasts set recipients_purged_at = $2 where id = $1', [id, now]);
    }
    return `${purged} recipients purged`;
  },
};
