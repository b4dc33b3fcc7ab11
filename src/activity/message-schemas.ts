import { Type, type Static } from 'typebox';
import { DateTime, Nullable } from '../base/http/schemas.ts';
import { statusNames } from '../mails/index.ts';
import { marks } from './mail-schemas.ts';

const count = (description: string) => Type.Integer({ description });

export const Message = Type.Object(
  {
    message_id: Type.String({ description: 'As sending answered it: `msg_id` of its mails.' }),
    subject: Type.String({ description: 'Of its first mail.' }),
    sender: Nullable(Type.String({ description: 'Address of the sender.' })),
    received_at: DateTime('Reception.'),
    schedule_at: Nullable(DateTime('When it is or was to be sent; null when at once.')),
    recipients: count('Its mails, one per recipient.'),
    untried: count('Mails that no attempt was made to deliver yet: a cancellation drops these.'),
    statuses: Type.Object(
      Object.fromEntries(statusNames.map((name) => [name, Type.Integer()])) as Record<
        (typeof statusNames)[number],
        ReturnType<typeof Type.Integer>
      >,
      { $id: 'StatusCounts', description: 'How many of its mails have each status.' },
    ),
    custom_msg_id: Nullable(Type.String({ description: 'Your identifier.' })),
    custom_group_code: Nullable(Type.String({ description: 'Your label of a group.' })),
    ...marks,
  },
  { $id: 'Message' },
);

export type Message = Static<typeof Message>;

/** For a tool of the MCP server its answer has to be called an object. */
const object = { type: 'object' };

export const RescheduledMessage = Type.Intersect(
  [Message, Type.Object({ rescheduled: count('Mails whose time was changed.') })],
  object,
);
export type RescheduledMessage = Static<typeof RescheduledMessage>;

export const CancelledMessage = Type.Intersect(
  [Message, Type.Object({ cancelled: count('Mails that are cancelled, by this call or an earlier one.') })],
  object,
);
export type CancelledMessage = Static<typeof CancelledMessage>;

export const NewSchedule = Type.Object({
  schedule_at: Type.String({
    format: 'date-time',
    maxLength: 64,
    description:
      'When to send it, with an offset, at most 60 days after the message was accepted. A time that has passed means now.',
    examples: ['2026-12-02T09:00:00-03:00'],
  }),
});

export const CancelGroup = Type.Object({
  custom_group_code: Type.String({
    minLength: 1,
    maxLength: 254,
    description: 'The label that the mails were sent with.',
    examples: ['spring-sale'],
  }),
});

export const CancelledGroup = Type.Object({
  cancelled: count('Mails that this call cancelled.'),
  has_more: Type.Boolean({ description: 'Whether another call would find more.' }),
});
export type CancelledGroup = Static<typeof CancelledGroup>;

export const messageExample = {
  message_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a79',
  subject: 'Reminder',
  sender: 'hello@mail.example.com',
  received_at: '2026-12-01T12:00:00.000Z',
  schedule_at: '2026-12-02T12:00:00.000Z',
  recipients: 2,
  untried: 2,
  statuses: { received: 0, queued: 2, sent: 0, dropped: 0, deferred: 0, bounced: 0, onhold: 0 },
  custom_msg_id: 'reminder-1001',
  custom_group_code: null,
  category: null,
  test_mode: false,
  tags: {},
};
