import { createCache } from '../base/db/cache.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';

export interface DomainHolder {
  instance_id: number;
  domain_id: number;
  /** Ownership was proven by DNS. Anyone may register a name, which gives no access by itself. */
  is_proven: boolean;
}

const maxHolders = 100;

const findHolders: Statement = {
  name: 'domains.find_holders',
  text: `
    select instance_id, id as domain_id, (ownership_verified_at is not null or dkim_status = 'verified') as is_proven
    from domains where domain = $1 and deleted_at is null and not is_sandbox
    order by id limit ${maxHolders}`,
};

/** Instances that registered a domain, by canonical name. Absence is cached too. */
export function createDomainHolders(
  db: Queryable,
  notifications: Notifications,
): (domain: string) => Promise<DomainHolder[]> {
  const cache = createCache<string, DomainHolder[]>({
    load: async (domain) => await db.query<DomainHolder>(findHolders, [domain]),
    ttl_ms: 5_000,
    max_entries: 20_000,
  });
  notifications.onGap(() => cache.clear());
  notifications.on('chasqui_changed', (payload) => {
    if (payload.startsWith('domains ')) cache.clear();
  });
  return async (domain) => await cache.get(domain);
}
