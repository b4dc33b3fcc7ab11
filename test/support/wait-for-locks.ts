import type { Queryable } from '../../src/base/db/database.ts';
import { waitFor } from './wait-for.ts';

/** Until so many sessions wait for a lock. */
export async function waitForLocks(db: Queryable, count = 1): Promise<void> {
  const waiting = async () =>
    await db.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
  await waitFor(async () => (await waiting()).length >= count, {
    what: `${count} sessions that wait for a lock`,
  });
}
