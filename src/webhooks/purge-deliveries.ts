import type { Queryable } from '../base/db/database.ts';
import { skipScan } from '../base/db/skip-scan.ts';
import { deleteInBatches } from '../base/jobs/in-batches.ts';
import type { Job } from '../base/jobs/job.ts';

/** Contract §9: how long the log of deliveries is kept. */
const keptMs = 30 * 86_400_000;

/** Scans by id from the oldest on, since `created_at` has no index. */
const deleteOld = `
  delete from webhook_deliveries where id in (
    select id from webhook_deliveries order by id limit $2
  ) and created_at < $1 returning 1`;

/** Deliveries of deleted webhooks, found by a skip scan over the index. */
const deleteOrphans = `
  with recursive ${skipScan({ as: 'owner', table: 'webhook_deliveries', columns: ['webhook_id'] })}, orphan as (
    select d.id from owner cross join lateral (
      select id from webhook_deliveries d where d.webhook_id = owner.webhook_id limit $1
    ) as d
    where not exists (select from webhooks w where w.id = owner.webhook_id) limit $1
  )
  delete from webhook_deliveries where id in (select id from orphan) returning 1`;

/** Secrets whose grace period is over. */
async function purgeSecrets(db: Queryable, now: Date): Promise<number> {
  const rows = await db.query(
    `update webhooks set previous_secret = null, previous_secret_expires_at = null
     where previous_secret_expires_at <= $1 returning 1`,
    [now],
  );
  return rows.length;
}

export const purgeDeliveriesJob: Job = {
  name: 'purge_webhook_deliveries',
  every_ms: 3_600_000,
  destructive: true,
  async run(context) {
    await deleteInBatches(
      context,
      'delete from webhook_notices where event_id in (select event_id from webhook_notices where at < $1 order by at limit $2) returning 1',
      [new Date(context.now.getTime() - keptMs)],
    );
    const old = await deleteInBatches(context, deleteOld, [new Date(context.now.getTime() - keptMs)]);
    const orphans = await deleteInBatches(context, deleteOrphans);
    const secrets = await purgeSecrets(context.db, context.now);
    return `${old} old deliveries, ${orphans} of deleted webhooks, ${secrets} replaced secrets`;
  },
};
