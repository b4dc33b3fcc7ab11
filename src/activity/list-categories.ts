import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { selectPage, type PageOf } from '../base/http/pagination.ts';
import type { CategoriesQuery, Category } from './category-schemas.ts';

/** In the order of their names. */
export async function listCategories(
  db: Queryable,
  instanceId: number,
  query: CategoriesQuery,
): Promise<PageOf<Category>> {
  const conditions = new Conditions().where('instance_id = ?', instanceId).contains('slug', query.name);
  const { data, pagination } = await selectPage<Omit<Category, 'last_used_on'>>(
    db,
    {
      columns: 'id, slug as category, created_at as first_used_at',
      source: `from categories where ${conditions.sql()}`,
      order_by: 'slug',
      values: conditions.values,
    },
    query,
  );
  const lastUses = await readLastUses(
    db,
    instanceId,
    data.map(({ id }) => id),
  );
  return { data: data.map((each) => ({ ...each, last_used_on: lastUses.get(each.id) ?? null })), pagination };
}

/** From the statistics: mails have no index by category. */
async function readLastUses(db: Queryable, instanceId: number, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ category_id: number; last_used_on: string }>(
    `select category_id, to_char(max(day) at time zone 'UTC', 'YYYY-MM-DD') as last_used_on from (
       select category_id, day from stats_days
       where instance_id = $1 and is_detail and category_id = any ($2::bigint[]) and received > 0
       union all
       select category_id, quarter from stats_deltas
       where instance_id = $1 and category_id = any ($2::bigint[]) and received > 0
     ) as used group by category_id`,
    [instanceId, ids],
  );
  return new Map(rows.map(({ category_id, last_used_on }) => [category_id, last_used_on]));
}
