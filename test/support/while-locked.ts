import type { Database } from '../../src/base/db/database.ts';
import { waitForLocks } from './wait-for-locks.ts';

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
    await waitForLocks(db, waiting);
    return { started: running };
  });
  return await started;
}
