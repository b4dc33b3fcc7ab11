import { createCache } from '../base/db/cache.ts';
import type { Queryable } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import { defaultPool, listAssignments, listSourceAddresses, type SourceAddress } from './source-addresses.ts';

export interface SourceDirectory {
  /** The addresses that an instance sends from; when empty the operating system chooses. */
  poolOf(instanceId: number): Promise<readonly SourceAddress[]>;
}

interface Snapshot {
  pools: Map<string, SourceAddress[]>;
  assigned: Map<number, string>;
}

/** Cached as a whole, since it is small. Notifications invalidate it; a lost one costs at most 5 s. */
export function createSourceDirectory(db: Queryable, notifications: Notifications): SourceDirectory {
  const cache = createCache<'all', Snapshot>({
    load: async () => await load(db),
    ttl_ms: 5_000,
    max_entries: 1,
  });
  notifications.onGap(() => cache.clear());
  notifications.on('chasqui_changed', (payload) => {
    if (payload.startsWith('source_')) cache.clear();
  });
  return {
    async poolOf(instanceId) {
      const { pools, assigned } = await cache.get('all');
      return pools.get(assigned.get(instanceId) ?? defaultPool) ?? [];
    },
  };
}

async function load(db: Queryable): Promise<Snapshot> {
  const [addresses, assignments] = await Promise.all([listSourceAddresses(db), listAssignments(db)]);
  return {
    pools: Map.groupBy(addresses, ({ pool }) => pool),
    assigned: new Map(assignments.map(({ instance_id, pool }) => [instance_id, pool])),
  };
}
