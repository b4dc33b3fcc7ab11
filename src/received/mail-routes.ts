import { addressKey } from '../base/db/address-key.ts';
import { notBlocked } from '../base/db/blocked-contacts.ts';
import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import { isReservedLocalPart, matchRoute, tagOf } from './match-route.ts';
import { findReceivingDomains } from './route-directory.ts';
import type { InboundRoute, TriedAddress } from './route-schemas.ts';

/** Routes of a deleted domain match nothing and are not shown. */
const columnsWith = (forward_to: string): string =>
  `r.id, r.external_id, r.name, r.domain_id, d.domain, r.position, r.match, r.local_part, r.action, ${forward_to} as forward_to,
  r.is_active, r.created_at, r.updated_at`;
/** Without the addresses of people who are blocked (contract §15). */
const shownColumns = columnsWith(
  `array(select a from unnest(r.forward_to) as a where ${notBlocked(addressKey('a'), 'r.instance_id')})`,
);
const source = `from inbound_routes r join domains d on d.id = r.domain_id and d.deleted_at is null`;

interface RouteFilters extends PageRequest {
  domain_id?: number | null;
  action?: string | null;
  external_id?: string | null;
}

/** By domain, in the order in which they decide. */
export async function listRoutes(
  db: Queryable,
  instanceId: number,
  { domain_id, action, external_id, ...page }: RouteFilters,
): Promise<PageOf<InboundRoute>> {
  const conditions = new Conditions()
    .where('r.instance_id = ?', instanceId)
    .where('r.domain_id = ?', domain_id)
    .where('r.action = ?', action)
    .where('r.external_id = ?', external_id);
  const selection = {
    columns: shownColumns,
    source: `${source} where ${conditions.sql()}`,
    order_by: 'r.domain_id, r.position, r.id',
    values: conditions.values,
    is_short: true,
  } as const;
  return await selectPage<InboundRoute>(db, selection, page);
}

export async function getRoute(db: Queryable, instanceId: number, id: number): Promise<InboundRoute> {
  return await selectRoute(db, instanceId, { id, columns: shownColumns });
}

/** With every address, for a change of the others. */
export async function getStoredRoute(db: Queryable, instanceId: number, id: number): Promise<InboundRoute> {
  return await selectRoute(db, instanceId, { id, columns: columnsWith('r.forward_to') });
}

async function selectRoute(
  db: Queryable,
  instanceId: number,
  { id, columns }: { id: number; columns: string },
): Promise<InboundRoute> {
  const [row] = await db.query<InboundRoute & Record<string, unknown>>(
    `select ${columns} ${source} where r.instance_id = $1 and r.id = $2`,
    [instanceId, id],
  );
  if (!row) throw new Problem('inbound_route_not_found');
  return row;
}

/** Which route of the instance takes an address, as the listener would decide now. */
export async function tryAddress(
  db: Queryable,
  instanceId: number,
  { address: given }: { address: string },
): Promise<TriedAddress> {
  const address = canonicalAddress(given);
  if (!address) {
    const message = 'This is not an email address';
    throw validationProblem([{ pointer: '/address', code: 'value_error.email', message }]);
  }
  const local = address.address.slice(0, address.address.lastIndexOf('@'));
  const tried = { address: address.address, route: null, tag: tagOf(local) };
  const refused = { ...tried, reply: '550 5.1.1' };
  const own = (await findReceivingDomains(db, address.domain)).find(
    ({ instance_id }) => instance_id === instanceId,
  );
  if (isReservedLocalPart(local)) return { ...tried, outcome: 'reserved', reply: '250 2.1.5' };
  const found = own && matchRoute(own.routes, local);
  if (!found)
    return {
      ...refused,
      outcome: (await hasDomain(db, instanceId, address.domain)) ? 'no_route' : 'domain_not_found',
    };
  const route = await getRoute(db, instanceId, found.id);
  return { ...tried, outcome: 'route', route, reply: found.action === 'reject' ? '550 5.7.1' : '250 2.1.5' };
}

async function hasDomain(db: Queryable, instanceId: number, domain: string): Promise<boolean> {
  const [row] = await db.query(
    `select 1 from domains where instance_id = $1 and domain = $2 and deleted_at is null
       and (ownership_verified_at is not null or dkim_status = 'verified')`,
    [instanceId, domain],
  );
  return row !== undefined;
}
