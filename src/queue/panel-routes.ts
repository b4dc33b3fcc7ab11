import { Type } from 'typebox';
import type { Database } from '../base/db/database.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { DateTime, Nullable } from '../base/http/schemas.ts';
import { actorOf } from '../audit/index.ts';
import { max_retried, pauseDestination, resumeDestination, retryQueue } from './change-queue.ts';
import { viewQueue } from './queue-view.ts';

const tag = 'Queue';
const act = { kind: 'user', role: 'developer' } as const;
const Destination = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Domain of the recipients.',
  examples: ['example.com'],
});

const QueuedDestination = Type.Object({
  destination: Destination,
  mails: Type.Integer({ description: 'Mails that wait for it; held ones are not counted.' }),
  next_due_at: DateTime('When the first of them was or is due.'),
  attempts: Type.Integer({ description: 'Attempts made at the mail that was tried most.' }),
  last_error: Nullable(Type.String({ description: 'Why it was deferred.' })),
  oldest_at: DateTime('When the oldest of those that were tried most was accepted.'),
  is_paused: Type.Boolean(),
});

const Queue = Type.Object({
  depth: Type.Integer({ description: 'Mails in the queue, held ones included.' }),
  is_exact: Type.Boolean({ description: 'False when there is more than was counted.' }),
  oldest_due_at: Nullable(DateTime('When the first mail was or is due.')),
  held: Type.Integer({
    description: 'Mails on hold until their domain is verified and their instance is enabled.',
  }),
  destinations: Type.Array(QueuedDestination, { description: 'Up to 100, those with most mail first.' }),
  paused: Type.Array(
    Type.Object({ destination: Destination, paused_at: DateTime('Since when it is paused.') }),
    { description: 'Every paused destination, also without mail.' },
  ),
});

const example = {
  depth: 1204,
  is_exact: true,
  oldest_due_at: '2026-12-01T12:00:00.000Z',
  held: 2,
  destinations: [
    {
      destination: 'example.com',
      mails: 1202,
      next_due_at: '2026-12-01T12:00:00.000Z',
      attempts: 3,
      last_error: 'connection_timeout',
      oldest_at: '2026-12-01T11:20:00.000Z',
      is_paused: true,
    },
  ],
  paused: [{ destination: 'example.com', paused_at: '2026-12-01T11:58:00.000Z' }],
};

const State = Type.Object({ destination: Destination, is_paused: Type.Boolean() });

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
      success: { status: 200, description: 'The queue of the instance.', schema: Queue, example },
      errors: [],
      handle: async ({ caller }) => await viewQueue(db, caller.instance.id),
    }),
    operation({
      id: 'panel_retry_queue',
      method: 'POST',
      path: '/v1/private/queue/retry',
      tag,
      summary: 'Retry deferred mail now',
      description: `Makes deferred mail due now, to one destination or to all; at most ${max_retried} mails per call. Mail on hold and mail to paused destinations keeps waiting.`,
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
      handle: async (call) => {
        const retry = { destination: call.body.destination, actor: actorOf(call) };
        return await db.transaction(async (tx) => await retryQueue(tx, call.caller.instance.id, retry));
      },
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
        schema: State,
        example: { destination: 'example.com', is_paused: verb === 'pause' },
      },
      errors: [],
      handle: async (call) => {
        const wanted = { destination: call.params.destination, actor: actorOf(call) };
        return await db.transaction(async (tx) => await change(tx, call.caller.instance.id, wanted));
      },
    }),
  );
}
