import type { Database } from '../base/db/database.ts';
import { eventTypesSql } from './event-types.ts';

const batchRows = 5_000;
/** Older than any transaction that writes events: 3 is the first normal transaction id. */
const oldestTxid = '3';

/**
 * The first transaction id not yet assigned when the statement began. Not our own id: events written since our transaction
 * began have later ids and belong to this server too.
 */
const horizon = 'pg_snapshot_xmax(pg_current_snapshot())';

/**
 * After a restore from a dump the new server assigns transaction ids from the start, while events and cursor carry the ids
 * of the old server: new events would seem older than the cursor. Events before the cursor get the oldest id, events after
 * it the current one. Returns whether there is more to do.
 */
async function renumberBatch(db: Database): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await tx.query('select from webhook_cursor for update');
    const [found] = await tx.query<{ is_restored: boolean }>(
      `select c.txid > ${horizon} or coalesce((
         select e.txid from events e where e.event in ${eventTypesSql} order by e.txid desc, e.event_id desc limit 1
       ) > ${horizon}, false) as is_restored from webhook_cursor c`,
    );
    if (!found?.is_restored) return false;
    const renumbered = await tx.query(
      `update events e set txid = case when (e.txid, e.event_id) <= (c.txid, c.event_id) then $2::xid8
         else pg_current_xact_id() end
       from webhook_cursor c
       where e.event in ${eventTypesSql} and e.event_id in (
         select event_id from events where event in ${eventTypesSql} and txid > ${horizon} limit $1
       ) returning 1`,
      [batchRows, oldestTxid],
    );
    if (renumbered.length === batchRows) return true;
    await tx.query(
      `update webhook_cursor set txid = $1::xid8, event_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`,
      [oldestTxid],
    );
    return false;
  });
}

export async function renumberRestoredEvents(db: Database): Promise<void> {
  while (await renumberBatch(db));
}
