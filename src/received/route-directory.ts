import { createCache } from '../base/db/cache.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { Notifications } from '../base/db/notifications.ts';
import type { MatchedRoute } from './match-route.ts';

/** A domain of an instance that proved that it has it, with its active routes in their order. */
export interface ReceivingDomain {
  instance_id: number;
  domain_id: number;
  is_sandbox: boolean;
  /** False while the operator has the instance disabled. */
  is_enabled: boolean;
  routes: MatchedRoute[];
}

const maxDomains = 20;

const find: Statement = {
  name: 'received.find_routes',
  text: `
    select d.instance_id, d.id as domain_id, d.is_sandbox, i.is_enabled, (
      select coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'match', r.match, 'local_part', r.local_part, 'action', r.action)
        order by r.position, r.id), '[]')
      from inbound_routes r where r.domain_id = d.id and r.is_active
    ) as routes
    from domains d join instances i on i.id = d.instance_id
    where d.domain = $1 and d.deleted_at is null and (d.ownership_verified_at is not null or d.dkim_status = 'verified')
      and exists (select from inbound_routes r where r.domain_id = d.id and r.is_active)
    order by d.id limit ${maxDomains}`,
};

/** Of a name in canonical form; several instances may have proven that they have it. */
export async function findReceivingDomains(db: Queryable, domain: string): Promise<ReceivingDomain[]> {
  return await db.query<ReceivingDomain & Record<string, unknown>>(find, [domain]);
}

/** The same for a listener. Absence is cached too. */
export function createRouteDirectory(
  db: Queryable,
  notifications: Notifications,
): (domain: string) => Promise<ReceivingDomain[]> {
  const cache = createCache<string, ReceivingDomain[]>({
    load: async (domain) => await findReceivingDomains(db, domain),
    ttl_ms: 5_000,
    max_entries: 20_000,
  });
  notifications.onGap(() => cache.clear());
  notifications.on('chasqui_changed', (payload) => {
    if (/^(?:inbound_routes|domains|instances) /.test(payload)) cache.clear();
  });
  return async (domain) => await cache.get(domain);
}
