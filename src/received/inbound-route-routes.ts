import { Type } from 'typebox';
import { audited } from '../audit/index.ts';
import type { Database } from '../base/db/database.ts';
import { externalIdFilter } from '../base/http/external-id.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { replacement, type ResourceCall } from '../base/http/replacement.ts';
import { Enum, Id, Nullable } from '../base/http/schemas.ts';
import { createRoute, deleteRoute, orderRoutes, updateRoute } from './change-route.ts';
import { getRoute, listRoutes, tryAddress } from './mail-routes.ts';
import { routeActions } from './received-mail.ts';
import {
  InboundRoute,
  InboundRouteChanges,
  maxRoutes,
  NewInboundRoute,
  routeExample,
  RouteOrder,
  TriedAddress,
} from './route-schemas.ts';

const tag = 'Receiving';
const path = '/v1/inbound-routes/{id}' as const;
const params = Type.Object({ id: Id('Identifier of the route.') });
const reading = { kind: 'api_key', scope: 'inbound:read' } as const;
const writing = { kind: 'api_key', scope: 'inbound:write', role: 'developer' } as const;
const route = { description: 'The route.', schema: InboundRoute, example: routeExample } as const;

export function inboundRouteRoutes({ db }: { db: Database }): Operation[] {
  return [...readingRoutes(db), creation(db), ...changes(db), ordering(db)];
}

function readingRoutes(db: Database): Operation[] {
  return [
    operation({
      id: 'list_inbound_routes',
      method: 'GET',
      path: '/v1/inbound-routes',
      tag,
      summary: 'List inbound routes',
      description: 'By domain, in the order in which they decide what happens to mail.',
      access: reading,
      query: PageQuery({
        domain_id: Type.Optional(Nullable(Id('Only routes of this domain.'))),
        action: Type.Optional(Nullable(Enum(routeActions, { description: 'Only routes that do this.' }))),
        ...externalIdFilter,
      }),
      success: onePage('routes', InboundRoute, routeExample),
      errors: [],
      handle: async ({ caller, query }) => await listRoutes(db, caller.instance.id, query),
    }),
    operation({
      id: 'get_inbound_route',
      method: 'GET',
      path,
      tag,
      summary: 'Read an inbound route',
      description: 'One route of the instance.',
      access: reading,
      params,
      success: { status: 200, ...route },
      errors: ['inbound_route_not_found'],
      handle: async ({ caller, params: { id } }) => await getRoute(db, caller.instance.id, id),
    }),
    operation({
      id: 'try_inbound_address',
      method: 'GET',
      path: '/v1/inbound-routes/match',
      tag,
      summary: 'Try an address',
      description:
        'Which route would take mail to an address, and what the server that brings it is answered.',
      access: reading,
      query: Type.Object({
        address: Type.String({
          minLength: 3,
          maxLength: 320,
          description: 'An address of a domain of the instance.',
        }),
      }),
      success: {
        status: 200,
        description: 'What would happen.',
        schema: TriedAddress,
        example: {
          address: 'support+4711@mail.example.com',
          outcome: 'route',
          route: routeExample,
          tag: '4711',
          reply: '250 2.1.5',
        },
      },
      errors: [],
      handle: async ({ caller, query }) => await tryAddress(db, caller.instance.id, query),
    }),
  ];
}

function creation(db: Database): Operation {
  return operation({
    id: 'create_inbound_route',
    method: 'POST',
    path: '/v1/inbound-routes',
    tag,
    summary: 'Create an inbound route',
    description: `Says what happens to mail for addresses of a verified domain. A domain has at most ${maxRoutes} routes. Addresses that the platform reads itself, such as \`postmaster\`, reach no route.`,
    access: writing,
    body: NewInboundRoute,
    body_example: { domain_id: 12, name: 'Support', match: 'tag', local_part: 'support', action: 'webhook' },
    success: { status: 201, ...route },
    location: path,
    errors: [
      'external_id_already_exists',
      'domain_not_found',
      'domain_not_verified',
      'inbound_route_limit_reached',
    ],
    handle: async (call) => await audited(db, createRoute)(call, { route: call.body }),
  });
}

function changes(db: Database): Operation[] {
  const apply = async (call: ResourceCall<typeof params>, changed: InboundRouteChanges) =>
    await audited(db, updateRoute)(call, { id: call.params.id, changes: changed });
  const patch = operation({
    id: 'update_inbound_route',
    method: 'PATCH',
    path,
    tag,
    summary: 'Change an inbound route',
    description: 'What is left out stays. Mail that came in before keeps what was done with it.',
    access: writing,
    params,
    body: InboundRouteChanges,
    body_example: { action: 'store' },
    success: { status: 200, ...route },
    errors: ['inbound_route_not_found', 'external_id_already_exists'],
    handle: async (call) => await apply(call, call.body),
  });
  const put = replacement({
    patch,
    $id: 'InboundRouteReplacement',
    summary: 'Replace an inbound route',
    params,
    creation: NewInboundRoute,
    changes: InboundRouteChanges,
    defaults: { position: maxRoutes },
    fixed: ['domain_id'],
    canonical: { local_part: (value) => String(value).toLowerCase() },
    read: async ({ caller, params: { id } }) => await getRoute(db, caller.instance.id, id),
    apply,
  });
  const removal = operation({
    id: 'delete_inbound_route',
    method: 'DELETE',
    path,
    tag,
    summary: 'Delete an inbound route',
    description: 'Mail that came in by it stays.',
    access: writing,
    params,
    success: { status: 204, description: 'Deleted.' },
    errors: ['inbound_route_not_found'],
    handle: async (call) => await audited(db, deleteRoute)(call, { id: call.params.id }),
  });
  return [patch, put, removal];
}

function ordering(db: Database): Operation {
  return operation({
    id: 'order_inbound_routes',
    method: 'POST',
    path: '/v1/inbound-routes/order',
    tag,
    summary: 'Order the routes of a domain',
    description: 'Takes all routes of the domain. The first one that matches an address decides.',
    access: writing,
    body: RouteOrder,
    body_example: { domain_id: 12, ids: [3, 1, 2] },
    success: { status: 204, description: 'They have this order.' },
    errors: ['domain_not_found'],
    handle: async (call) => await audited(db, orderRoutes)(call, call.body),
  });
}
