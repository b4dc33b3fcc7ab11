import type { Statement } from '../base/db/database.ts';
import type { Queryable } from '../base/db/database.ts';

/**
 * Broadcast mails that could be delivered now: deferred and held ones wait for something else, and so do those to destinations that
 * an operator paused. An index range that ends at the limit: 2 ms for 10,000.
 */
const count: Statement = {
  name: 'broadcasts.count_waiting',
  text: `
    select count(*) as waiting from (
      select from queue q where q.ready_priority = 1 and q.instance_id = $1 and not exists (
        select from paused_destinations p where p.instance_id = q.instance_id and p.destination = q.destination)
      limit $2) as found`,
};

/**
 * Whether delivery has enough to do. What is handed over earlier than needed gains nothing: the slowest destination decides when a
 * broadcast ends, and a pause would come too late for it.
 */
export async function waitsLong(db: Queryable, instanceId: number, most: number): Promise<boolean> {
  const [row] = await db.query<{ waiting: number }>(count, [instanceId, most]);
  return (row?.waiting ?? 0) >= most;
}
