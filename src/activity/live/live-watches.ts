import type { Queryable } from '../../base/db/database.ts';

/** Longer than a few renewals that fail; what a dead process watched is announced no longer than this. */
const watchSeconds = 120;
/** Less than the time between two renewals; opening a stream takes less. */
const newSeconds = 15;

/** From its commit on, what is new of the instances is announced. */
export async function watchInstances(db: Queryable, watcher: string, instanceIds: number[]): Promise<void> {
  await db.query(
    `insert into live_watches (instance_id, watcher, expires_at)
     select i.id, $2, now() + make_interval(secs => $3) from instances i where i.id = any ($1::bigint[])
     on conflict (instance_id, watcher) do update set expires_at = excluded.expires_at`,
    [instanceIds, watcher, watchSeconds],
  );
}

/**
 * Ends what this process watches besides these, and what others left behind. What is watched since a moment ago may be of a
 * stream that is being opened.
 */
export async function unwatchOthers(db: Queryable, watcher: string, instanceIds: number[]): Promise<void> {
  await db.query(
    `delete from live_watches where expires_at < now() or (watcher = $1 and instance_id <> all ($2::bigint[])
       and expires_at < now() + make_interval(secs => $3))`,
    [watcher, instanceIds, watchSeconds - newSeconds],
  );
}

export async function unwatchAll(db: Queryable, watcher: string): Promise<void> {
  await db.query('delete from live_watches where watcher = $1', [watcher]);
}
