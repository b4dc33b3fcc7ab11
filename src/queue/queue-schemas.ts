import { Type, type Static } from 'typebox';
import { DateTime, Nullable } from '../base/http/schemas.ts';

export const Destination = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Domain of the recipients.',
  examples: ['example.com'],
});

const QueuedDestination = Type.Object({
  destination: Destination,
  mails: Type.Integer({
    description: 'Mails that wait for it, scheduled ones included; held ones are not counted.',
  }),
  next_due_at: DateTime('When the first of them was or is due.'),
  attempts: Type.Integer({ description: 'Attempts made at the mail that was tried most.' }),
  last_error: Nullable(Type.String({ description: 'Why it was deferred.' })),
  oldest_at: DateTime('When the oldest of those that were tried most was accepted.'),
  is_paused: Type.Boolean(),
  is_under_way: Type.Boolean({
    description:
      'All that is due is being attempted now: `next_due_at` is when that attempt is taken for lost.',
  }),
});

export const Queue = Type.Object({
  depth: Type.Integer({ description: 'Mails in the queue, held ones included.' }),
  is_exact: Type.Boolean({ description: 'False when there is more than was counted.' }),
  oldest_due_at: Nullable(DateTime('When the first mail was or is due.')),
  is_under_way: Type.Boolean({ description: 'The same for the first mail: it is being attempted now.' }),
  held: Type.Integer({
    description: 'Mails on hold until their domain is verified and their instance is enabled.',
  }),
  destinations: Type.Array(QueuedDestination, { description: 'Up to 100, those with most mail first.' }),
  paused: Type.Array(
    Type.Object({ destination: Destination, paused_at: DateTime('Since when it is paused.') }),
    { description: 'Every paused destination, also without mail.' },
  ),
});

export type Queue = Static<typeof Queue>;

export const queueExample = {
  depth: 1204,
  is_exact: true,
  oldest_due_at: '2026-12-01T12:00:00.000Z',
  is_under_way: false,
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
      is_under_way: false,
    },
  ],
  paused: [{ destination: 'example.com', paused_at: '2026-12-01T11:58:00.000Z' }],
};

export const DestinationState = Type.Object({ destination: Destination, is_paused: Type.Boolean() });
export type DestinationState = Static<typeof DestinationState>;
