/** The oldest transaction that may still add events: below it none can appear any more, whatever the order of commits. */
export const oldestTransaction = 'select pg_snapshot_xmin(pg_current_snapshot()) as txid';

/**
 * The same without the transactions of other databases of the server, which cannot add events. It looks through the locks of the
 * server, so it is for the time in which a transaction holds the follower back. A transaction of the snapshot that is not found in the
 * locks has just ended, or is a prepared one, and counts.
 */
export const oldestWriter = `
  select coalesce((
    select running.txid from pg_snapshot_xip(pg_current_snapshot()) as running (txid)
    where not exists (
      select from pg_locks l
        join pg_stat_activity a on a.pid = l.pid
      where l.locktype = 'transactionid' and l.mode = 'ExclusiveLock' and l.granted
        and l.transactionid = running.txid::xid
        and a.datid <> (select oid from pg_database where datname = current_database())
    )
    order by running.txid limit 1
  ), pg_snapshot_xmax(pg_current_snapshot())) as txid`;
