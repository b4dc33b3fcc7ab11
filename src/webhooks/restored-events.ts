import type { Database } from '../base/db/database.ts';

const batch_rows = 5_000;
const types = `('sent', 'bounced', 'dropped', 'opened', 'clicked', 'unsubscribed', 'resubscribed', 'complained')`;

/** Older than any transaction that writes events: 3 is the first number that PostgreSQL gives. */
const long_ago = '3';

/**
 * The first number that this server had not given when the statement began. Not that of our own transaction: events that
 * were written since that began have later ones, and are this server's all the same.
 */
const horizon = 'pg_snapshot_xmax(pg_current_snapshot())';

/**
 * A database that was restored from a dump into another server counts its transactions anew, while events and cursor
 * bring the numbers of the old one: new events would seem to be behind the cursor, and old ones to come. Those that have
 * been taken are made old, those that have not are made new. Tells whether there is more to do.
 */
async function settleBatch(db: Database): Promise<boolean> {
  return await db.transaction(async (tx) => {
    await tx.query('select from webhook_cursor for update');
    const [found] = await tx.query<{ is_restored: boolean }>(
      `select c.txid > ${horizon} or coalesce((
         select e.txid from events e where e.event in ${types} order by e.txid desc, e.event_id desc limit 1
       ) > ${horizon}, false) as is_restored from webhook_cursor c`,
    );
    if (!found?.is_restored) return false;
    const settled = await tx.query(
      `update events e set txid = case when (e.txid, e.event_id) <= (c.txid, c.event_id) then $2::xid8
         else pg_current_xact_id() end
       from webhook_cursor c
       where e.event in ${types} and e.event_id in (
         select event_id from events where event in ${types} and txid > ${horizon} limit $1
       ) returning 1`,
      [batch_rows, long_ago],
    );
    if (settled.length === batch_rows) return true;
    await tx.query(
      `update webhook_cursor set txid = $1::xid8, event_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`,
      [long_ago],
    );
    return false;
  });
}

export async function settleRestoredEvents(db: Database): Promise<void> {
  while (await settleBatch(db));
}
