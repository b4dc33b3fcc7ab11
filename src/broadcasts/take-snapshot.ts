import type { Database, Queryable } from '../base/db/database.ts';
import { announce } from '../announce/index.ts';
import { audienceSql } from './audience.ts';
import { audienceOf } from './broadcasts.ts';
import type { ClaimedBroadcast } from './claim-broadcasts.ts';
import { finishedNotice } from './finished-notice.ts';
import { LeaseLost } from './lease-lost.ts';

interface Counted {
  recipients: number;
  left_out: Record<string, number> | null;
}

/**
 * Writes down who is in the audience now, each with the consent that allows it, and starts the sending: one statement over one
 * snapshot of the database. A broadcast that was cancelled meanwhile keeps nothing.
 */
export async function takeSnapshot(db: Database, broadcast: ClaimedBroadcast, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    const { recipients, left_out } = await writeRecipients(tx, broadcast);
    const state = recipients === 0 ? 'sent' : 'sending';
    const rows = await tx.query(
      `update broadcasts set state = $3, started_at = $4::timestamptz, recipient_count = $5, audience_left_out = $6, updated_at = $4,
         finished_at = case when $3 = 'sent' then $4::timestamptz end, due_at = case when $3 = 'sending' then $4::timestamptz end
       where id = $1 and lease = $2 and state in ('scheduled', 'sending') and recipient_count is null returning 1`,
      [broadcast.id, broadcast.lease, state, now, recipients, JSON.stringify(left_out ?? {})],
    );
    if (rows.length === 0) throw new LeaseLost();
    if (state === 'sent')
      await announce(tx, [finishedNotice({ ...broadcast, state, recipient_count: 0 })], now);
  });
}

async function writeRecipients(tx: Queryable, broadcast: ClaimedBroadcast): Promise<Counted> {
  const { sql, values } = audienceSql(broadcast.instance_id, audienceOf(broadcast));
  const [counted] = await tx.query<Counted & Record<string, unknown>>(
    `with audience as materialized (${sql}),
     added as (
       insert into broadcast_recipients (broadcast_id, position, contact, rule_id)
       select $${values.length + 1}, row_number() over (order by contact), contact, rule_id from audience where reason is null
       returning 1
     )
     select (select count(*) from added) as recipients,
       (select jsonb_object_agg(reason, count) from (
          select reason, count(*) as count from audience where reason is not null group by reason) as out) as left_out`,
    [...values, broadcast.id],
  );
  return counted as Counted;
}
