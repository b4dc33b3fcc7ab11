import { Type, type TProperties } from 'typebox';
import type { PublishedWebhook } from '../base/openapi/document.ts';
import { DateTime, Enum, Nullable } from '../base/http/schemas.ts';
import { Tags } from '../mails/index.ts';
import { receivedEventMembers, receivedMailExample } from '../received/index.ts';
import { alertTypes, type AlertEventType, type NoticeType } from '../announce/index.ts';
import { mailTypes, type MailEventType } from './event-types.ts';
import { publishedPersonEvents } from './person-payload-schemas.ts';

const text = (description: string, example?: string) =>
  Nullable(Type.String({ description, ...(example === undefined ? {} : { examples: [example] }) }));
const smtp_code = Nullable(Type.Integer({ description: 'Reply code of the server.', examples: [250] }));
const remote_host = text('Name of the server that was asked.', 'mx.example.com');
const enhanced_code = text('Enhanced status code (RFC 3463).', '5.1.1');
const diagnostic = text('What the server said.');
const user_agent = text('What the visitor said it is.');
const is_machine = Type.Boolean({
  description: 'A privacy proxy or a scanner, not a person: left out of all counts.',
});

/** Members of `data` that all types share. */
const Mail = Type.Object(
  {
    mail_id: Type.String({ description: 'The mail: one per recipient of a send.' }),
    msg_id: Type.String({ description: 'The message, as sending answered it.' }),
    to: text('The recipient.', 'ana@example.com'),
    sender: text('Address of the sender.', 'hello@mail.example.com'),
    subject: text('Null when the mail is past its retention.', 'Your order 1001'),
    custom_msg_id: text('Your identifier.'),
    custom_group_code: text('Your label of a group.'),
    category: text('Its category.'),
    test_mode: Nullable(Type.Boolean({ description: 'Whether it was sent in test mode.' })),
    tags: Nullable(Tags),
  },
  { $id: 'MailOfEvent' },
);

interface TypeDescription {
  summary: string;
  details: TProperties;
  example: Record<string, unknown>;
}

/** Contract §7: when each type is sent, and its own members of `data`. */
const descriptions: Record<MailEventType, TypeDescription> = {
  'mail.sent': {
    summary: 'The server of the recipient took the mail',
    details: { remote_host, smtp_code, response: text('What it said.', '250 2.0.0 OK') },
    example: { remote_host: 'mx.example.com', smtp_code: 250, response: '250 2.0.0 OK' },
  },
  'mail.bounced': {
    summary: 'The mail was permanently rejected, or bounced later',
    details: {
      type: Nullable(
        Enum(['hard', 'soft', 'block'] as const, {
          description:
            '`hard`: the address will never work, and is restricted. `soft`: temporary failures lasted too long. `block`: policy or reputation.',
        }),
      ),
      reason: text('Why, as a stable word.', 'no_such_user'),
      remote_host,
      smtp_code,
      enhanced_code,
      diagnostic,
    },
    example: {
      type: 'hard',
      reason: 'no_such_user',
      remote_host: 'mx.example.com',
      smtp_code: 550,
      enhanced_code: '5.1.1',
      diagnostic: '550 5.1.1 No such user here',
    },
  },
  'mail.dropped': {
    summary: 'The mail was accepted but not sent',
    details: { reason: text('Why, as a stable word.', 'recipient_restricted') },
    example: { reason: 'recipient_restricted' },
  },
  'mail.opened': {
    summary: 'The mail was opened, each time',
    details: { user_agent, is_machine },
    example: { user_agent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', is_machine: false },
  },
  'mail.clicked': {
    summary: 'A link was followed, each time',
    details: { url: text('Where it leads.', 'https://example.com/orders/1001'), user_agent, is_machine },
    example: {
      url: 'https://example.com/orders/1001',
      user_agent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)',
      is_machine: false,
    },
  },
  'mail.unsubscribed': {
    summary: 'The recipient wants no more broadcasts',
    details: {
      method: Nullable(
        Enum(['one_click', 'page', 'mailto', 'reply'] as const, { description: 'How they unsubscribed.' }),
      ),
      reason: text('Why, in their words.'),
    },
    example: { method: 'one_click', reason: null },
  },
  'mail.resubscribed': { summary: 'The recipient came back', details: {}, example: {} },
  'mail.complained': {
    summary: 'The recipient, or their provider, reported the mail',
    details: {
      type: text('What it is reported as, such as `spam` or `fraud`.', 'spam'),
      comment: text('In their words.'),
    },
    example: { type: 'spam', comment: null },
  },
  'mail.deferred': {
    summary: 'An attempt failed for now: the first one of a mail, then at most one an hour',
    details: {
      reason: text('Why, as a stable word.', 'greylisted'),
      attempt: Nullable(Type.Integer({ description: 'Which attempt it was.' })),
      next_attempt_at: Nullable(DateTime('When the mail is tried again.')),
      remote_host,
      smtp_code,
      enhanced_code,
      diagnostic,
    },
    example: {
      reason: 'greylisted',
      attempt: 1,
      next_attempt_at: '2026-12-01T12:05:00.000Z',
      remote_host: 'mx.example.com',
      smtp_code: 451,
      enhanced_code: '4.7.1',
      diagnostic: '451 4.7.1 Greylisted, try again in 300 seconds',
    },
  },
};

const mailExample = {
  mail_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a7a',
  msg_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a79',
  to: 'ana@example.com',
  sender: 'hello@mail.example.com',
  subject: 'Your order 1001',
  custom_msg_id: 'order-1001',
  custom_group_code: null,
  category: 'orders',
  test_mode: false,
  tags: { customer: '4711' },
};

function published(type: MailEventType): PublishedWebhook {
  const { summary, details, example } = descriptions[type];
  const name = type.replace(/^mail\.(.)/, (_match, first: string) => `Mail${first.toUpperCase()}`);
  return {
    name: type,
    summary,
    schema: Type.Object(
      {
        type: Enum([type] as const),
        timestamp: DateTime('When it happened.'),
        data: Type.Intersect([Mail, Type.Object(details)]),
      },
      { $id: `${name}Event` },
    ),
    example: { type, timestamp: '2026-12-01T12:00:00.400Z', data: { ...mailExample, ...example } },
  };
}

/** `docs/alerts.md` has the kinds. */
function publishedAlert(type: AlertEventType): PublishedWebhook {
  const isRaised = type === 'alert.raised';
  return {
    name: type,
    summary: isRaised ? 'Something of the instance needs attention' : 'The cause of an alert is gone',
    schema: Type.Object(
      {
        type: Enum([type] as const),
        timestamp: DateTime('When it happened.'),
        data: Type.Object({
          mail_id: Nullable(Type.String({ description: 'Always null: it is about no mail.' })),
          alert_id: Type.Integer({ description: 'The alert, as the API lists it.' }),
          kind: Type.String({ description: 'What it is about.', examples: ['bounce_rate'] }),
          object_id: text('The webhook, domain or privacy request; null: the instance.'),
          object_name: text('What it is called.'),
          value: Nullable(Type.Number({ description: 'The last value, in the unit of the threshold.' })),
          threshold: Nullable(Type.Number({ description: 'Of the rule when the alert was raised.' })),
        }),
      },
      { $id: isRaised ? 'AlertRaisedEvent' : 'AlertResolvedEvent' },
    ),
    example: {
      type,
      timestamp: '2026-12-01T12:00:00.000Z',
      data: {
        mail_id: null,
        alert_id: 12,
        kind: 'bounce_rate',
        object_id: null,
        object_name: null,
        value: isRaised ? 0.07 : 0.01,
        threshold: 0.05,
      },
    },
  };
}

const broadcastFinished: PublishedWebhook = {
  name: 'broadcast.finished',
  summary: 'A broadcast was handed over to the last recipient, or cancelled',
  schema: Type.Object(
    {
      type: Enum(['broadcast.finished'] as const),
      timestamp: DateTime('When it was finished.'),
      data: Type.Object({
        mail_id: Nullable(Type.String({ description: 'Always null: it is about no mail.' })),
        broadcast_id: Type.Integer({ description: 'The broadcast.' }),
        name: Type.String({ description: 'Its name.' }),
        state: Type.String({ description: '`sent` or `cancelled`.', examples: ['sent'] }),
        recipients: Type.Integer({ description: 'Everyone who was in the audience when it started.' }),
        accepted: Type.Integer({ description: 'How many mails were accepted for delivery.' }),
        left_out: Type.Array(
          Type.Object({ reason: Type.String(), count: Type.Integer({ description: 'How many.' }) }),
          { description: 'Recipients who got no mail, by reason.' },
        ),
        custom_group_code: Type.String({ description: 'The group of its mails.' }),
      }),
    },
    { $id: 'BroadcastFinishedEvent' },
  ),
  example: {
    type: 'broadcast.finished',
    timestamp: '2026-12-01T12:30:00.000Z',
    data: {
      mail_id: null,
      broadcast_id: 5,
      name: 'Spring news',
      state: 'sent',
      recipients: 600_000,
      accepted: 599_988,
      left_out: [{ reason: 'consent_revoked', count: 12 }],
      custom_group_code: 'broadcast-7Q2mXb9vLk3w',
    },
  },
};

const receivedEvent: PublishedWebhook = {
  name: 'mail.received',
  summary: 'Mail came in for a route whose action is webhook',
  schema: Type.Object(
    {
      type: Enum(['mail.received'] as const),
      timestamp: DateTime('When it came in.'),
      data: Type.Object({
        mail_id: Nullable(Type.String({ description: 'Always null: it is about no mail that was sent.' })),
        ...receivedEventMembers,
      }),
    },
    { $id: 'MailReceivedEvent' },
  ),
  example: {
    type: 'mail.received',
    timestamp: receivedMailExample.received_at,
    data: {
      mail_id: null,
      ...receivedMailExample,
      attachments: receivedMailExample.attachments.map((file) => ({ ...file, content: 'JVBERi0xLjcK…' })),
    },
  },
};

const testEvent: PublishedWebhook = {
  name: 'webhook.test',
  summary: 'Sent when a webhook is tested',
  schema: Type.Object(
    {
      type: Enum(['webhook.test'] as const),
      timestamp: DateTime('When it was sent.'),
      data: Type.Object({
        mail_id: Nullable(Type.String({ description: 'Always null: it is about no mail.' })),
        webhook_id: Type.Integer({ description: 'The webhook that is tested.' }),
      }),
    },
    { $id: 'WebhookTestEvent' },
  ),
  example: {
    type: 'webhook.test',
    timestamp: '2026-12-01T12:00:00.000Z',
    data: { mail_id: null, webhook_id: 4 },
  },
};

/** All event types, for the OpenAPI document. */
export const publishedEvents: PublishedWebhook[] = [
  ...mailTypes.map(published),
  receivedEvent,
  ...alertTypes.map(publishedAlert),
  broadcastFinished,
  ...publishedPersonEvents,
  testEvent,
];

/** The members of `data` that an event of that type has of its own, as the guide shows them. */
export function exampleDataOf(type: MailEventType): Record<string, unknown> {
  return descriptions[type].example;
}

/** The `data` of an event that is about no mail, as the guide shows it. */
export function noticeExampleOf(type: NoticeType): unknown {
  const event = publishedEvents.find(({ name }) => name === type);
  return (event?.example as { data?: unknown } | undefined)?.data;
}
