import { Type, type Static } from 'typebox';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';
import { Audience } from './audience-schemas.ts';

export const broadcastStates = ['draft', 'scheduled', 'sending', 'paused', 'sent', 'cancelled'] as const;
export type BroadcastState = (typeof broadcastStates)[number];

/** PostgreSQL's integer; no installation sends as many. */
const maxPerHour = 100_000_000;

const name = { description: 'What people find it by. Recipients do not see it.', examples: ['Spring news'] };
const about = {
  sender_id: 'A sender of stream `broadcast`.',
  template_id: 'The message: a mail template, which has to be published when the broadcast is sent.',
  per_hour: 'How many mails an hour are handed over at most; as fast as possible when null.',
};
const when = Nullable(
  Type.String({
    format: 'date-time',
    description: 'When it starts, once it is sent; at once when null or in the past. At most a year ahead.',
    examples: ['2026-12-01T12:00:00Z'],
  }),
);
const perHour = Nullable(
  Type.Integer({ minimum: 1, maximum: maxPerHour, description: about.per_hour, examples: [20_000] }),
);

const created = {
  name: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S', ...name }),
  sender_id: Id(about.sender_id),
  template_id: Id(about.template_id),
  audience: Audience,
};
const optional = { schedule_at: Type.Optional(when), per_hour: Type.Optional(perHour) };

export const NewBroadcast = Type.Object({ ...created, ...optional }, { $id: 'NewBroadcast' });
export type NewBroadcast = Static<typeof NewBroadcast>;

export const BroadcastChanges = Type.Object(
  {
    name: Type.Optional(created.name),
    sender_id: Type.Optional(created.sender_id),
    template_id: Type.Optional(created.template_id),
    audience: Type.Optional(created.audience),
    ...optional,
  },
  { $id: 'BroadcastChanges' },
);
export type BroadcastChanges = Static<typeof BroadcastChanges>;

/** Counts by reason. Reasons are those of dropped mail, and what an audience leaves out. */
export const LeftOut = Type.Object(
  {
    reason: Type.String({
      description:
        'Why: a reason of dropped mail such as `recipient_unsubscribed` or `consent_revoked`, or `excluded`, `conditions_not_met`, `invalid_address`, `cannot_be_made`.',
      examples: ['recipient_unsubscribed'],
    }),
    count: Type.Integer({ description: 'How many.' }),
  },
  { $id: 'BroadcastLeftOut' },
);
export type LeftOut = Static<typeof LeftOut>;

const Progress = Type.Object(
  {
    recipients: Nullable(
      Type.Integer({ description: 'Everyone who was in the audience when it started; null before.' }),
    ),
    handled: Type.Integer({ description: 'How many of them were handed over: `accepted` and `left_out`.' }),
    accepted: Type.Integer({ description: 'How many mails were accepted for delivery.' }),
    left_out: Type.Array(LeftOut, {
      description: 'Recipients who agreed when it started and get no mail after all.',
    }),
  },
  { $id: 'BroadcastProgress', description: 'How far the sending is.' },
);

export const Broadcast = Type.Object(
  {
    id: Id('Identifier of the broadcast.'),
    name: Type.String(name),
    sender_id: Id(about.sender_id),
    template_id: Id(about.template_id),
    audience: Audience,
    schedule_at: Nullable(DateTime('When it starts, once it is sent; at once when null.')),
    per_hour: Nullable(Type.Integer({ description: about.per_hour })),
    state: Enum(broadcastStates, {
      description:
        '`draft` until it is sent, `scheduled` until its time, `sending` until every recipient was handed over, then `sent`; `paused` and `cancelled` on request.',
    }),
    paused_by: Nullable(
      Type.String({
        description:
          'Why it is paused: `request`, or the code of the problem that its mails meet, such as `plan_send_limit_exceeded`. Solve it and resume.',
        examples: ['request'],
      }),
    ),
    progress: Progress,
    custom_group_code: Type.String({
      description: 'The group of its mails, by which lists, exports and statistics of mails find them.',
    }),
    created_at: DateTime('When it was created.'),
    updated_at: DateTime('When it last changed.'),
    started_at: Nullable(DateTime('When its recipients were found.')),
    finished_at: Nullable(DateTime('When the last mail was accepted, or when it was cancelled.')),
  },
  { $id: 'Broadcast' },
);
export type Broadcast = Static<typeof Broadcast>;
