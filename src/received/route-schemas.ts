import { Type, type Static } from 'typebox';
import { ExternalId } from '../base/http/external-id.ts';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';
import { routeMatches } from './match-route.ts';
import { routeActions } from './received-mail.ts';

/** Of one domain, so that an address is matched in bounded time. */
export const maxRoutes = 200;

const name = { description: 'What you call it.', examples: ['Support'] };
const match = Enum(routeMatches, {
  description:
    '`exact`: this local part. `prefix`: local parts that begin with it. `tag`: this local part, with or without a `+tag`. `catch_all`: every address of the domain.',
});
const local_part = {
  description: 'What is before the `@`, in lower case; empty for `catch_all`.',
  examples: ['support'],
};
const action = Enum(routeActions, {
  description:
    '`webhook`: stored, and told to webhooks as `mail.received`. `store`: stored only. `forward`: stored, and sent on to `forward_to`. `reject`: refused with 550.',
});
const forward_to = Type.Array(Type.String({ minLength: 3, maxLength: 320, examples: ['ana@example.org'] }), {
  maxItems: 10,
  description: 'Verified addresses that `forward` sends to; empty for other actions.',
});
const position = Type.Integer({
  minimum: 1,
  maximum: maxRoutes,
  description: 'Place among the routes of the domain, from 1: the first one that matches decides.',
});
const is_active = Type.Boolean({ description: 'False: it takes no mail.' });

export const InboundRoute = Type.Object(
  {
    id: Id('Identifier of the route.'),
    external_id: ExternalId,
    name: Type.String(name),
    domain_id: Id('The domain whose addresses it is for.'),
    domain: Type.String({ description: 'Its name.', examples: ['mail.example.com'] }),
    position,
    match,
    local_part: Type.String(local_part),
    action,
    forward_to,
    is_active,
    created_at: DateTime('When it was created.'),
    updated_at: DateTime('When it last changed.'),
  },
  { $id: 'InboundRoute' },
);
export type InboundRoute = Static<typeof InboundRoute>;

const changeable = {
  external_id: ExternalId,
  name: Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f\\u007f]*$', ...name }),
  position,
  match,
  local_part: Type.String({ maxLength: 64, ...local_part }),
  action,
  forward_to,
  is_active,
};

export const NewInboundRoute = Type.Object(
  {
    domain_id: Id('The domain whose addresses it is for; it must be a verified one.'),
    name: changeable.name,
    match: changeable.match,
    local_part: Type.Optional({ ...changeable.local_part, default: '' }),
    action: changeable.action,
    forward_to: Type.Optional({ ...changeable.forward_to, default: [] }),
    position: Type.Optional({
      ...position,
      description: 'Place among the routes of the domain; the last one when left out.',
    }),
    is_active: Type.Optional({ ...changeable.is_active, default: true }),
    external_id: Type.Optional(changeable.external_id),
  },
  { $id: 'NewInboundRoute' },
);
export type NewInboundRoute = Static<typeof NewInboundRoute>;

export const InboundRouteChanges = Type.Partial(Type.Object(changeable), { $id: 'InboundRouteChanges' });
export type InboundRouteChanges = Static<typeof InboundRouteChanges>;

export const RouteOrder = Type.Object(
  {
    domain_id: Id('The domain.'),
    ids: Type.Array(Id('A route of the domain.'), {
      minItems: 1,
      maxItems: maxRoutes,
      uniqueItems: true,
      description: 'All of its routes, in the order wanted.',
    }),
  },
  { $id: 'InboundRouteOrder' },
);
export type RouteOrder = Static<typeof RouteOrder>;

export const triedOutcomes = ['route', 'reserved', 'no_route', 'domain_not_found'] as const;

export const TriedAddress = Type.Object(
  {
    address: Type.String({ description: 'The address in canonical form.' }),
    outcome: Enum(triedOutcomes, {
      description:
        '`route`: `route` decides. `reserved`: the platform reads it. `no_route`: refused. `domain_not_found`: the instance has no verified domain of this name.',
    }),
    route: Nullable(InboundRoute),
    tag: Nullable(Type.String({ description: 'What follows the first `+` of the local part.' })),
    reply: Type.String({
      description: 'What a server that hands mail over is answered at RCPT.',
      examples: ['250 2.1.5'],
    }),
  },
  { $id: 'TriedAddress' },
);
export type TriedAddress = Static<typeof TriedAddress>;

export const routeExample = {
  id: 3,
  external_id: 'shop/support',
  name: 'Support',
  domain_id: 12,
  domain: 'mail.example.com',
  position: 1,
  match: 'tag',
  local_part: 'support',
  action: 'webhook',
  forward_to: [],
  is_active: true,
  created_at: '2026-12-01T12:00:00.000Z',
  updated_at: '2026-12-01T12:00:00.000Z',
};
