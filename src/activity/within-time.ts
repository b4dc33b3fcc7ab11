import type { Database, Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';

/** Ten times what any indexed list takes. */
const statementTimeoutMs = 5_000;
const queryCanceled = '57014';

/** Cancels a search that reads too much, before it slows the database for others. */
export async function withinTime<T>(
  db: Database,
  read: (tx: Queryable) => Promise<T>,
  timeoutMs = statementTimeoutMs,
): Promise<T> {
  try {
    return await db.transaction(async (tx) => {
      await tx.query(`set local statement_timeout = ${timeoutMs}`);
      return await read(tx);
    });
  } catch (error) {
    if ((error as { code?: string }).code !== queryCanceled) throw error;
    throw new Problem('search_timeout', { cause: error, retry_after_seconds: 60 });
  }
}
