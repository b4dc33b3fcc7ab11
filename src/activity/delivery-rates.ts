import type { Queryable } from '../base/db/database.ts';
import { reported } from './stats-columns.ts';

export interface DeliveryRates {
  instance_id: number;
  sent: number;
  bounced: number;
  complaints: number;
}

const names = ['sent', 'bounced', 'complaints'] as const;
const columns = (table: 'folded' | 'deltas'): string => names.map((name) => reported(name, table)).join(', ');

/** What these instances sent since then, from quarters of an hour: at most 96 rows a day and instance, and what is not folded yet. */
export async function readDeliveryRates(
  db: Queryable,
  instanceIds: number[],
  since: Date,
): Promise<DeliveryRates[]> {
  return await db.query<DeliveryRates & Record<string, unknown>>(
    `select instance_id, ${names.map((name) => `sum(${name})::bigint as ${name}`).join(', ')}
     from (
       select instance_id, ${columns('folded')} from stats_quarters
       where instance_id = any($1) and not is_detail and sender_id = 0 and category_id = 0 and quarter >= $2
       union all
       select instance_id, ${columns('deltas')} from stats_deltas where instance_id = any($1) and quarter >= $2
     ) as counted (instance_id, ${names.join(', ')})
     group by instance_id`,
    [instanceIds, since],
  );
}
