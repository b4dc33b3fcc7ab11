import type { Queryable } from '../base/db/database.ts';

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
