import type { Queryable, Statement } from '../base/db/database.ts';
import type { WithheldDelivery } from './load-deliveries.ts';

/**
 * Contract §9: deliveries that fall due while their webhook is paused are discarded. A loop does it during the pause, so
 * that little is left to do on resume.
 */
export async function discardDueInPause(
  db: Queryable,
  webhookId: number,
  { paused_at, now, most }: { paused_at: Date; now: Date; most?: number },
): Promise<number> {
  const rows = await db.query(
    `with due as (
       select id from webhook_deliveries where webhook_id = $1 and due_at > $2 and due_at <= $3
       order by due_at limit $4 for update
     )
     update webhook_deliveries d set state = 'discarded', due_at = null, lease = null, leased_until = null,
       last_error = 'paused'
     from due where d.id = due.id returning d.id`,
    [webhookId, paused_at, now, most ?? null],
  );
  return rows.length;
}

const discard: Statement = {
  name: 'webhooks.discard_withheld',
  text: `
    update webhook_deliveries d set state = 'discarded', due_at = null, lease = null, leased_until = null,
      attempts = d.attempts - 1, last_error = w.reason
    from unnest($1::bigint[], $2::uuid[], $3::text[]) as w (id, lease, reason)
    where d.id = w.id and d.lease = w.lease`,
};

/** What was claimed and is not posted. It does not count as a failure of the endpoint, and can be replayed. */
export async function discardWithheld(db: Queryable, deliveries: WithheldDelivery[]): Promise<void> {
  await db.query(discard, [
    deliveries.map(({ id }) => id),
    deliveries.map(({ lease }) => lease),
    deliveries.map(({ reason }) => reason),
  ]);
}
