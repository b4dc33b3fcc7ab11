import { type Actor, auditOf } from '../audit/index.ts';
import { addressKey } from '../base/db/address-key.ts';
import type { Queryable } from '../base/db/database.ts';
import { requireFreeExternalId } from '../base/db/external-id.ts';
import { Problem, validationProblem, type Violation } from '../base/errors/problem.ts';
import { isReservedLocalPart, type RouteMatch } from './match-route.ts';
import { getRoute, getStoredRoute } from './mail-routes.ts';
import { moveRoute, nextPosition, writeOrder } from './order-routes.ts';
import {
  maxRoutes,
  type InboundRoute,
  type InboundRouteChanges,
  type NewInboundRoute,
  type RouteOrder,
} from './route-schemas.ts';

const audit = auditOf('inbound_route');

type Content = Pick<InboundRoute, 'match' | 'local_part' | 'action' | 'forward_to'>;

export async function createRoute(
  tx: Queryable,
  instanceId: number,
  { route, actor }: { route: NewInboundRoute; actor: Actor },
): Promise<InboundRoute> {
  const { domain_id, external_id = null, position, name, is_active = true } = route;
  const { match, action, local_part = '', forward_to = [] } = route;
  const content = contentOf({ match, local_part, action, forward_to });
  const { is_proven } = await lockDomain(tx, instanceId, domain_id);
  if (!is_proven) throw new Problem('domain_not_verified', unverified);
  await requireForwards(tx, instanceId, content.forward_to);
  await requireFreeExternalId(tx, instanceId, { table: 'inbound_routes', external_id });
  const last = await nextPosition(tx, domain_id);
  if (last > maxRoutes) throw new Problem('inbound_route_limit_reached');
  const [row] = await tx.query<{ id: number }>(
    `insert into inbound_routes (instance_id, domain_id, external_id, name, position, match, local_part, action, forward_to, is_active)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id`,
    [
      instanceId,
      domain_id,
      external_id,
      name,
      last,
      match,
      content.local_part,
      action,
      content.forward_to,
      is_active,
    ],
  );
  const { id = 0 } = row ?? {};
  if (position !== undefined && position < last) await moveRoute(tx, domain_id, { id, position });
  await audit(tx, instanceId, { action: 'created', id, actor, details: { ...route } });
  return await getRoute(tx, instanceId, id);
}

export async function updateRoute(
  tx: Queryable,
  instanceId: number,
  { id, changes, actor }: { id: number; changes: InboundRouteChanges; actor: Actor },
): Promise<InboundRoute> {
  const present = await getStoredRoute(tx, instanceId, id);
  const { name, is_active, external_id, position, domain_id, ...wanted } = { ...present, ...changes };
  const content = contentOf(wanted);
  await lockDomain(tx, instanceId, domain_id);
  if (changes.action !== undefined || changes.forward_to !== undefined)
    await requireForwards(tx, instanceId, content.forward_to);
  await requireFreeExternalId(tx, instanceId, { table: 'inbound_routes', external_id, of: id });
  await tx.query(
    `update inbound_routes set name = $2, match = $3, local_part = $4, action = $5, forward_to = $6, is_active = $7,
       external_id = $8, updated_at = now() where id = $1`,
    [id, name, content.match, content.local_part, content.action, content.forward_to, is_active, external_id],
  );
  if (position !== present.position) await moveRoute(tx, domain_id, { id, position });
  await audit(tx, instanceId, { action: 'updated', id, actor, details: { ...changes } });
  return await getRoute(tx, instanceId, id);
}

export async function deleteRoute(
  tx: Queryable,
  instanceId: number,
  { id, actor }: { id: number; actor: Actor },
): Promise<void> {
  const { domain_id, name, match, local_part, action } = await getRoute(tx, instanceId, id);
  await lockDomain(tx, instanceId, domain_id);
  await tx.query('delete from inbound_routes where id = $1', [id]);
  await writeOrder(tx, domain_id);
  await audit(tx, instanceId, { action: 'deleted', id, actor, details: { name, match, local_part, action } });
}

/** All routes of a domain at once: what was seen in another state is not reordered by accident. */
export async function orderRoutes(
  tx: Queryable,
  instanceId: number,
  { domain_id, ids, actor }: RouteOrder & { actor: Actor },
): Promise<void> {
  await lockDomain(tx, instanceId, domain_id);
  const rows = await tx.query<{ id: number }>('select id from inbound_routes where domain_id = $1', [
    domain_id,
  ]);
  const known = new Set(rows.map(({ id }) => id));
  if (known.size !== ids.length || !ids.every((id) => known.has(id))) {
    const message = 'Name each route of the domain once';
    throw validationProblem([{ pointer: '/ids', code: 'value_error.routes', message }]);
  }
  await writeOrder(tx, domain_id, ids);
  await audit(tx, instanceId, { action: 'reordered', id: domain_id, actor, details: { ids } });
}

/** Locks the domain, so that two changes of its order do not mix. */
async function lockDomain(
  tx: Queryable,
  instanceId: number,
  domainId: number,
): Promise<{ is_proven: boolean }> {
  const [row] = await tx.query<{ is_proven: boolean }>(
    `select (ownership_verified_at is not null or dkim_status = 'verified') as is_proven
     from domains where instance_id = $1 and id = $2 and deleted_at is null for no key update`,
    [instanceId, domainId],
  );
  if (!row) throw new Problem('domain_not_found');
  return row;
}

const unverified = {
  detail: 'A route needs a verified domain: publish its DNS records and validate it first.',
};

/** Whitespace, controls and the special characters of RFC 5322 §3.2.3, of which only the dot is usual in a name. */
const unusual = /[\s\p{Cc}@"<>(),:;\\[\]]/u;

function contentOf({ match, local_part: given, action, forward_to }: Content): Content {
  const local_part = given.toLowerCase();
  const violations = [
    ...violationsOfLocalPart(match, local_part),
    ...violationsOfForward(action, forward_to),
  ];
  if (violations.length > 0) throw validationProblem(violations);
  return { match, local_part, action, forward_to };
}

function violationsOfLocalPart(match: RouteMatch, local_part: string): Violation[] {
  const pointer = '/local_part';
  if (match === 'catch_all')
    return local_part === ''
      ? []
      : [{ pointer, code: 'value_error.local_part', message: 'A catch-all has none' }];
  if (local_part === '') return [{ pointer, code: 'missing', message: 'What is before the @ is needed' }];
  if (unusual.test(local_part))
    return [{ pointer, code: 'value_error.local_part', message: 'This is not the local part of an address' }];
  if (match === 'tag' && local_part.includes('+'))
    return [{ pointer, code: 'value_error.local_part', message: 'Give the part before the + only' }];
  if (match !== 'prefix' && isReservedLocalPart(local_part))
    return [{ pointer, code: 'value_error.reserved', message: 'The platform reads this address itself' }];
  return [];
}

function violationsOfForward(action: Content['action'], forward_to: string[]): Violation[] {
  const pointer = '/forward_to';
  if (action === 'forward')
    return forward_to.length > 0 ? [] : [{ pointer, code: 'missing', message: 'Name where to forward to' }];
  return forward_to.length === 0
    ? []
    : [{ pointer, code: 'value_error.forward_to', message: 'Only the action forward takes addresses' }];
}

/** Mail is forwarded to addresses only whose owners agreed. */
async function requireForwards(tx: Queryable, instanceId: number, addresses: string[]): Promise<void> {
  if (addresses.length === 0) return;
  const rows = await tx.query<{ address: string }>(
    `select given.address from unnest($2::text[]) as given (address) where not exists (
       select from forward_addresses f where f.instance_id = $1 and f.verified_at is not null
         and f.address_key = ${addressKey('given.address')})`,
    [instanceId, addresses],
  );
  if (rows.length === 0) return;
  const missing = new Set(rows.map(({ address }) => address));
  throw validationProblem(
    addresses.flatMap((address, index) =>
      missing.has(address)
        ? [
            {
              pointer: `/forward_to/${index}`,
              code: 'value_error.unverified',
              message: 'This address is not verified',
            },
          ]
        : [],
    ),
  );
}
