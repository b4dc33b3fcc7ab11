import type { Clock } from '../base/clock.ts';
import { createCache } from '../base/db/cache.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';

/** An instance that has registered a domain. */
export interface DomainHolder {
  instance_id: number;
  domain_id: number;
  /** DNS has shown that the domain is the instance's: anybody may register a name, and learn nothing by it. */
  is_proven: boolean;
}

const max_holders = 100;

const findHolders: Statement = {
  name: 'domains.find_holders',
  text: `
    select instance_id, id as domain_id, (ownership_verified_at is not null or dkim_status = 'verified') as is_proven
    from domains where domain = $1 and deleted_at is null and not is_sandbox
    order by id limit ${max_holders}`,
};

/** Who holds a domain, by its canonical name; names that nobody holds are remembered too. */
export function createDomainHolders(
  db: Queryable,
  notifications: Notifications,
  clock: Clock,
): (domain: string) => Promise<DomainHolder[]> {
  const cache = createCache<string, DomainHolder[]>({
    load: async (domain) => await db.query<DomainHolder>(findHolders, [domain]),
    clock,
    ttl_ms: 5_000,
    max_entries: 20_000,
  });
  notifications.onGap(() => cache.clear());
  notifications.on('chasqui_changed', (payload) => {
    if (payload.startsWith('domains ')) cache.clear();
  });
  return async (domain) => await cache.get(domain);
}
