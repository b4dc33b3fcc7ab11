import { waitFor } from '../../test/support/wait-for.ts';
import type { Queryable } from '../base/db/database.ts';

/** Until so many transactions wait for others. */
export async function waitForLocks(db: Queryable, count: number): Promise<void> {
  const waiting = async () =>
    await db.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
  await waitFor(async () => (await waiting()).length === count, { what: `${count} transactions wait` });
}
