import { createCache } from '../base/db/cache.ts';
import type { Queryable } from '../base/db/database.ts';

export interface Categories {
  /** The id of a category, created on first use. */
  idOf(instanceId: number, slug: string): Promise<number>;
}

/** Cached for long: categories are never renamed or removed. */
export function createCategories(db: Queryable): Categories {
  const cache = createCache<string, number>({
    load: async (key) => {
      const [instanceId, slug] = key.split(' ');
      const [row] = await db.query<{ id: number }>(
        `with made as (
           insert into categories (instance_id, slug) values ($1, $2) on conflict do nothing returning id
         )
         select id from made union all
         select id from categories where instance_id = $1 and slug = $2 limit 1`,
        [instanceId, slug],
      );
      // Inserted concurrently by another node; it is visible now.
      if (!row) return await load(db, instanceId ?? '', slug ?? '');
      return row.id;
    },
    ttl_ms: 3_600_000,
    max_entries: 50_000,
  });
  return { idOf: async (instanceId, slug) => await cache.get(`${instanceId} ${slug}`) };
}

async function load(db: Queryable, instanceId: string, slug: string): Promise<number> {
  const [row] = await db.query<{ id: number }>(
    'select id from categories where instance_id = $1 and slug = $2',
    [instanceId, slug],
  );
  if (!row) throw new Error(`Category ${slug} vanished.`);
  return row.id;
}
