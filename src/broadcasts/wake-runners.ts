import type { Queryable } from '../base/db/database.ts';

export const channel = 'chasqui_broadcasts';

/** At the commit. */
export async function wakeRunners(tx: Queryable): Promise<void> {
  await tx.query(`select pg_notify('${channel}', '')`);
}
