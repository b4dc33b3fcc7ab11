import { Type, type Static } from 'typebox';
import { DateTime, Enum, Nullable } from '../base/http/schemas.ts';
import { NullableStatusName } from '../mails/index.ts';

const events = [
  'received',
  'queued',
  'sent',
  'deferred',
  'bounced',
  'dropped',
  'held',
  'released',
  'opened',
  'clicked',
  'unsubscribed',
  'resubscribed',
  'complained',
  'replied',
] as const;

const text = (description: string) => Nullable(Type.String({ description }));
const number = (description: string) => Nullable(Type.Integer({ description }));

export const MailLog = Type.Object(
  {
    id: Type.String({ description: 'Identifier of the line.' }),
    mail_id: Type.String(),
    msg_id: Type.String(),
    at: DateTime('When it happened.'),
    event: Enum(events, { description: 'What happened.' }),
    status: number('Delivery status after it.'),
    status_name: NullableStatusName,
    reason: text(
      'Why, as a stable word: the reason of a drop, a bounce or a deferral, the method of an unsubscribe, the type of a complaint, `machine` for an open or a click that no person made, `auto_reply` for an answer by a program.',
    ),
    detail: text('Why, in words; of a click, where its link leads.'),
    attempt: number('Which attempt it was.'),
    remote_host: text('Name of the server that was asked.'),
    remote_ip: text('Its address.'),
    local_ip: text('Our address in that connection.'),
    tls: text('Protocol and cipher; null without encryption.'),
    smtp_code: number('Reply code of the server.'),
    enhanced_code: text('Its enhanced status code (RFC 3463).'),
    response: text('The reply as the server gave it.'),
    received_mail_id: text('Of `replied`: the answer that came in.'),
    duration_ms: number('How long the attempt took.'),
    next_attempt_at: Nullable(DateTime('When a deferred mail is tried again.')),
    schedule_at: Nullable(DateTime('When a queued mail is to be sent, if not at once.')),
  },
  { $id: 'MailLog' },
);
export type MailLog = Static<typeof MailLog>;

const empty = {
  status: null,
  status_name: null,
  reason: null,
  detail: null,
  attempt: null,
  remote_host: null,
  remote_ip: null,
  local_ip: null,
  tls: null,
  smtp_code: null,
  enhanced_code: null,
  response: null,
  received_mail_id: null,
  duration_ms: null,
  next_attempt_at: null,
  schedule_at: null,
};
const mail_id = '019a84f2-7c00-7000-8000-2f6d1c3b5a7a';
const msg_id = '019a84f2-7c00-7000-8000-2f6d1c3b5a79';

export const mailLogExamples = [
  {
    ...empty,
    id: `${mail_id}.1`,
    mail_id,
    msg_id,
    at: '2026-12-01T12:00:00.000Z',
    event: 'received',
    status: 1,
    status_name: 'received',
  },
  {
    ...empty,
    id: `${mail_id}.2`,
    mail_id,
    msg_id,
    at: '2026-12-01T12:00:00.000Z',
    event: 'queued',
    status: 2,
    status_name: 'queued',
  },
  {
    ...empty,
    id: '019a84f2-7d90-7000-8000-5e0f6a7b8c9d',
    mail_id,
    msg_id,
    at: '2026-12-01T12:00:00.400Z',
    event: 'sent',
    status: 3,
    status_name: 'sent',
    attempt: 1,
    remote_host: 'mx.example.com',
    remote_ip: '192.0.2.25',
    local_ip: '203.0.113.5',
    tls: 'TLSv1.3 TLS_AES_256_GCM_SHA384',
    smtp_code: 250,
    enhanced_code: '2.0.0',
    response: '250 2.0.0 OK',
    duration_ms: 312,
  },
];
