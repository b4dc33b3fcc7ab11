import { Type } from 'typebox';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { Nullable } from '../base/http/schemas.ts';
import { audited } from '../audit/index.ts';
import { maxRetried, pauseDestination, resumeDestination, retryQueue } from './change-queue.ts';
import { Destination, DestinationState, Queue, queueExample } from './queue-schemas.ts';
import { viewQueue } from './queue-view.ts';

const tag = 'Queue';
const act = { kind: 'user', role: 'developer' } as const;

interface QueueContext {
  db: Database;
}

export function queuePanelRoutes(context: QueueContext): Operation[] {
  return [...wholeQueueRoutes(context), ...destinationRoutes(context)];
}

function wholeQueueRoutes({ db }: QueueContext): Operation[] {
  return [
    operation({
      id: 'panel_get_queue',
      method: 'GET',
      path: '/v1/private/queue',
      tag,
      summary: 'Look at the queue',
      description: 'The mail that waits for delivery, by destination, with the last error.',
      access: { kind: 'user', role: 'viewer' },
      success: {
        status: 200,
        description: 'The queue of the instance.',
        schema: Queue,
        example: queueExample,
      },
      errors: [],
      handle: async ({ caller }) => await viewQueue(db, caller.instance.id),
    }),
    operation({
      id: 'panel_retry_queue',
      method: 'POST',
      path: '/v1/private/queue/retry',
      tag,
      summary: 'Retry deferred mail now',
      description: `Makes deferred mail due now, to one destination or to all; at most ${maxRetried} mails per call. Mail on hold and mail to paused destinations keeps waiting.`,
      access: act,
      body: Type.Object({ destination: Type.Optional(Nullable(Destination)) }),
      body_example: { destination: 'example.com' },
      success: {
        status: 200,
        description: 'How many mails are due now.',
        schema: Type.Object({
          retried: Type.Integer(),
          has_more: Type.Boolean({ description: 'Whether another call would find more.' }),
        }),
        example: { retried: 1202, has_more: false },
      },
      errors: [],
      handle: async (call) => await audited(db, retryQueue)(call, { destination: call.body.destination }),
    }),
  ];
}

const changes = {
  pause: {
    change: pauseDestination,
    summary: 'Pause a destination',
    description: 'No mail of the instance is sent to it; mail that is accepted in the meantime waits too.',
  },
  resume: {
    change: resumeDestination,
    summary: 'Resume a destination',
    description: 'Its mail is sent again as it falls due.',
  },
} as const;

function destinationRoutes({ db }: QueueContext): Operation[] {
  return Object.entries(changes).map(([verb, { change, summary, description }]) =>
    operation({
      id: `panel_${verb}_destination`,
      method: 'POST',
      path: `/v1/private/queue/destinations/{destination}/${verb}`,
      tag,
      summary,
      description,
      access: act,
      params: Type.Object({ destination: Destination }),
      success: {
        status: 200,
        description: 'The destination. A repeated call changes nothing.',
        schema: DestinationState,
        example: { destination: 'example.com', is_paused: verb === 'pause' },
      },
      errors: [],
      handle: async (call) => await audited(db, change)(call, { destination: call.params.destination }),
    }),
  );
}
