import { Type, type Static } from 'typebox';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';
import { eventTypes } from './event-types.ts';

export const deliveryStates = ['pending', 'delivered', 'failed', 'discarded'] as const;

const text = (description: string) => Nullable(Type.String({ description }));
const number = (description: string) => Nullable(Type.Integer({ description }));
const Headers = Type.Record(Type.String(), Type.String());

const delivery = {
  id: Id('Identifier of the delivery.'),
  webhook_id: Id('The webhook it is for.'),
  message_id: Type.String({ description: 'The `webhook-id` header: the same at every attempt.' }),
  type: Enum(eventTypes),
  mail_id: text('The mail it is about; null for an alert.'),
  recipient: text('To whom that mail is; null when the event is no longer kept.'),
  event_at: DateTime('When the event happened.'),
  state: Enum(deliveryStates, {
    description:
      '`pending`: waiting or being delivered. `failed`: all attempts failed. `discarded`: it was not posted, since the webhook was paused (`paused`), the person is blocked (`recipient_blocked`) or the event is no longer kept (`event_gone`).',
  }),
  attempts: Type.Integer({ description: 'Since it was made or last replayed, the one under way included.' }),
  last_attempt_at: Nullable(DateTime('When it was last tried.')),
  last_status_code: number('What the endpoint answered; null when it did not.'),
  last_error: text('Why it is not delivered.'),
  next_attempt_at: Nullable(DateTime('When it is tried next; null once it is over.')),
  replayed_at: Nullable(DateTime('When it was last replayed.')),
  created_at: DateTime('When it was made.'),
};

export const WebhookDelivery = Type.Object(delivery, { $id: 'WebhookDelivery' });
export type WebhookDelivery = Static<typeof WebhookDelivery>;

const Attempt = Type.Object(
  {
    at: DateTime('When it began.'),
    attempt: Type.Integer({ description: 'Which one it was.' }),
    url: Type.String({ description: 'Where it was posted to.' }),
    request_headers: Headers,
    status_code: number('What the endpoint answered; null when it did not.'),
    error: text('Why it failed; null when it succeeded.'),
    duration_ms: Type.Integer(),
    response_headers: Headers,
    response_body: Type.String({ description: 'The beginning of it.' }),
    next_attempt_at: Nullable(DateTime('When it was to be tried again.')),
  },
  { $id: 'WebhookAttempt' },
);

export const WebhookDeliveryDetail = Type.Object(
  {
    ...delivery,
    body: text('What is posted; null when the event is no longer kept.'),
    log: Type.Array(Attempt, { description: 'The last attempts, oldest first.' }),
  },
  { $id: 'WebhookDeliveryDetail' },
);
export type WebhookDeliveryDetail = Static<typeof WebhookDeliveryDetail>;

const timestamp = (description: string) =>
  Type.String({
    minLength: 20,
    maxLength: 40,
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$',
    description,
    examples: ['2026-12-01T12:00:00Z'],
  });

export const Replay = Type.Object(
  {
    from: timestamp('Events at or after this time.'),
    until: timestamp('Events before this time.'),
    types: Type.Optional(
      Nullable(
        Type.Array(Enum(eventTypes), { minItems: 1, maxItems: 100, description: 'All when left out.' }),
      ),
    ),
    states: Type.Optional(
      Nullable(
        Type.Array(Enum(['delivered', 'failed', 'discarded'] as const), {
          minItems: 1,
          maxItems: 10,
          description: 'All when left out: what was delivered is delivered again.',
        }),
      ),
    ),
    is_dry_run: Type.Optional(
      Nullable(Type.Boolean({ description: 'Only counts what would be replayed by this call.' })),
    ),
    after: Type.Optional(Nullable(Id('Continue after this delivery: the `after` of the previous answer.'))),
  },
  { $id: 'WebhookReplay' },
);
export type Replay = Static<typeof Replay>;

export const Replayed = Type.Object(
  {
    replayed: Type.Integer({ description: 'Deliveries that are due now; in a dry run, that would be.' }),
    has_more: Type.Boolean({ description: 'Whether another call, with `after`, would find more.' }),
    after: Nullable(Id('The last delivery of this call, for the next one.')),
  },
  { $id: 'WebhookReplayed' },
);
export type Replayed = Static<typeof Replayed>;

export const deliveryExample = {
  id: 12,
  webhook_id: 4,
  message_id: 'msg_019a84f2-7d90-7000-8000-5e0f6a7b8c9d',
  type: 'mail.bounced',
  mail_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a7a',
  recipient: 'ana@example.com',
  event_at: '2026-12-01T12:00:00.400Z',
  state: 'pending',
  attempts: 1,
  last_attempt_at: '2026-12-01T12:00:00.480Z',
  last_status_code: 503,
  last_error: 'status_503',
  next_attempt_at: '2026-12-01T12:00:05.500Z',
  replayed_at: null,
  created_at: '2026-12-01T12:00:00.450Z',
};

export const deliveryDetailExample = {
  ...deliveryExample,
  body: '{"type":"mail.bounced","timestamp":"2026-12-01T12:00:00.400Z","data":{"mail_id":"019a84f2-7c00-7000-8000-2f6d1c3b5a7a"}}',
  log: [
    {
      at: '2026-12-01T12:00:00.480Z',
      attempt: 1,
      url: 'https://example.com/hooks/mail',
      request_headers: {
        'content-type': 'application/json',
        'webhook-id': 'msg_019a84f2-7d90-7000-8000-5e0f6a7b8c9d',
        'webhook-timestamp': '1796126400',
        'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
      },
      status_code: 503,
      error: 'status_503',
      duration_ms: 41,
      response_headers: { 'content-type': 'text/plain' },
      response_body: 'try later',
      next_attempt_at: '2026-12-01T12:00:05.500Z',
    },
  ],
};
