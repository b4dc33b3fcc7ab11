import type { Database } from '../../src/base/db/database.ts';
import { waitFor } from './wait-for.ts';

interface Held {
  /** The statement that takes the locks. */
  lock: string;
  values?: unknown[];
  /** How many sessions have to wait for a lock before they go on at the same time. */
  waiting: number;
}

/** Starts requests that all reach a point at which one could overtake the other, and only then lets them go on. */
export async function whileLocked<T>(
  db: Database,
  { lock, values = [], waiting }: Held,
  start: () => Promise<T>,
): Promise<T> {
  const { started } = await db.transaction(async (tx) => {
    await tx.query(lock, values);
    const running = start();
    await waitFor(
      async () => {
        const sessions = await db.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return sessions.length >= waiting;
      },
      { what: `${waiting} sessions that wait for a lock` },
    );
    return { started: running };
  });
  return await started;
}
