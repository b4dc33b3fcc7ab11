import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import type { Alert } from './alert-schemas.ts';

interface AlertFilters extends PageRequest {
  is_open?: boolean | null;
  kind?: string | null;
}

/** Newest first. `userId` is undefined for a key, which has seen nothing. */
export async function listAlerts(
  db: Queryable,
  instanceId: number,
  { filters, user_id }: { filters: AlertFilters; user_id: number | undefined },
): Promise<PageOf<Alert>> {
  const conditions = new Conditions([user_id ?? null])
    .where('instance_id = ?', instanceId)
    .where('kind = ?', filters.kind)
    .where('(resolved_at is null) = ?', filters.is_open);
  return await selectPage<Alert & Record<string, unknown>>(
    db,
    {
      columns: `id, kind, nullif(object_id, '') as object_id, nullif(object_name, '') as object_name, value, threshold,
        raised_at, resolved_at, case when $1::bigint is null then null
          else exists (select from alert_reads r where r.alert_id = alerts.id and r.user_id = $1) end as is_read`,
      source: `from alerts where ${conditions.sql()} and ($1::bigint is null or true)`,
      order_by: 'id desc',
      values: conditions.values,
    },
    filters,
  );
}

/** How many open ones the user has not seen, counted up to 100. */
export async function countUnread(db: Queryable, instanceId: number, userId: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) from (
       select from alerts a where a.instance_id = $1 and a.resolved_at is null
         and not exists (select from alert_reads r where r.alert_id = a.id and r.user_id = $2) limit 100
     ) as unread`,
    [instanceId, userId],
  );
  return row?.count ?? 0;
}

/** Those with these ids, or all; ids of other instances are ignored. */
export async function markRead(
  db: Queryable,
  instanceId: number,
  { user_id, ids, now }: { user_id: number; ids: number[] | undefined; now: Date },
): Promise<void> {
  await db.query(
    `insert into alert_reads (alert_id, user_id, read_at)
     select id, $2, $4 from alerts where instance_id = $1 and ($3::bigint[] is null or id = any($3))
     order by id desc limit 1000 on conflict do nothing`,
    [instanceId, user_id, ids ?? null, now],
  );
}
