import { Type } from 'typebox';
import { audited } from '../audit/index.ts';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { Enum, Id, Nullable } from '../base/http/schemas.ts';
import { draftExample, newExample, sendingExample } from './broadcast-examples.ts';
import { Broadcast, BroadcastChanges, broadcastStates, NewBroadcast } from './broadcast-schemas.ts';
import { getBroadcast, listBroadcasts } from './broadcasts.ts';
import { createBroadcast, updateBroadcast } from './change-broadcast.ts';

export const tag = 'Broadcasts';
export const path = '/v1/broadcasts/{id}' as const;
export const params = Type.Object({ id: Id('Identifier of the broadcast.') });
export const read = { kind: 'api_key', scope: 'broadcasts:read', role: 'viewer' } as const;
export const write = { kind: 'api_key', scope: 'broadcasts:write', role: 'developer' } as const;

export interface BroadcastsContext {
  db: Database;
  clock: Clock;
}

export function broadcastRoutes(context: BroadcastsContext): Operation[] {
  return [...readRoutes(context), ...writeRoutes(context)];
}

function readRoutes({ db }: BroadcastsContext): Operation[] {
  return [
    operation({
      id: 'list_broadcasts',
      method: 'GET',
      path: '/v1/broadcasts',
      tag,
      summary: 'List broadcasts',
      description: 'The broadcasts of the instance with their progress, newest first.',
      access: read,
      query: PageQuery({
        name: Type.Optional(
          Nullable(Type.String({ maxLength: 255, description: 'Part of the name, in either case.' })),
        ),
        state: Type.Optional(
          Nullable(Enum(broadcastStates, { description: 'Only those in this state; all when left out.' })),
        ),
      }),
      success: onePage('broadcasts', Broadcast, sendingExample),
      errors: [],
      handle: async ({ caller, query }) => await listBroadcasts(db, caller.instance.id, query),
    }),
    operation({
      id: 'get_broadcast',
      method: 'GET',
      path,
      tag,
      summary: 'Read a broadcast',
      description: 'One broadcast: its message and audience, its state, and how far the sending is.',
      access: read,
      params,
      success: {
        status: 200,
        description: 'The broadcast.',
        schema: Broadcast,
        example: sendingExample,
      },
      errors: ['broadcast_not_found'],
      handle: async ({ caller, params: { id } }) => await getBroadcast(db, caller.instance.id, id),
    }),
  ];
}

function writeRoutes({ db, clock }: BroadcastsContext): Operation[] {
  return [
    operation({
      id: 'create_broadcast',
      method: 'POST',
      path: '/v1/broadcasts',
      tag,
      summary: 'Create a broadcast',
      description:
        'One message to everyone who agreed to a purpose. It begins as a draft: look at its audience, test it, then send it. Placeholders such as `{{ contact.FIRST_NAME }}` in the template are what each contact answered last, by `field_key`.',
      access: write,
      body: NewBroadcast,
      body_example: newExample,
      success: { status: 201, description: 'The draft.', schema: Broadcast, example: draftExample },
      location: path,
      errors: [],
      handle: async (call) =>
        await audited(db, createBroadcast)(call, { broadcast: call.body, now: clock.now() }),
    }),
    operation({
      id: 'update_broadcast',
      method: 'PATCH',
      path,
      tag,
      summary: 'Change a broadcast',
      description:
        'What is left out stays. Everything can change until it starts; from then on only `name` and `per_hour`, until it is finished.',
      access: write,
      params,
      body: BroadcastChanges,
      body_example: { per_hour: 5_000 },
      success: { status: 200, description: 'The broadcast.', schema: Broadcast, example: draftExample },
      errors: ['broadcast_not_found', 'broadcast_has_started'],
      handle: async (call) =>
        await audited(db, updateBroadcast)(call, {
          id: call.params.id,
          changes: call.body,
          now: clock.now(),
        }),
    }),
  ];
}
