import { Type, type Static, type TObject, type TProperties } from 'typebox';
import { PageQuery } from '../base/http/pagination.ts';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';
import { NullableStatusName, StatusesFilter, StatusFilter, TagFilter, Tags } from '../mails/index.ts';

/** How the sender marked the mail, in every list. */
export const marks = {
  category: Nullable(Type.String({ description: 'Slug of its category.' })),
  test_mode: Type.Boolean({
    description: 'Sent in `test_mode`.',
  }),
  tags: Tags,
} satisfies TProperties;

export const MailRecord = Type.Object(
  {
    mail_id: Type.String({ description: 'One per recipient of a send.' }),
    msg_id: Nullable(Type.String({ description: 'Shared by all recipients of one send.' })),
    to: Type.String({ description: 'The recipient.' }),
    subject: Type.String(),
    sender: Nullable(Type.String({ description: 'Address of the sender.' })),
    status: Nullable(
      Type.Integer({
        description: '1 received, 2 queued, 3 sent, 4 dropped, 5 deferred, 6 bounced, 7 onhold.',
      }),
    ),
    opens: Type.Integer({ description: 'Opens recorded.' }),
    clicks: Type.Integer({ description: 'Clicks recorded.' }),
    received_at: Nullable(DateTime('Reception.')),
    queued_at: Nullable(DateTime('When it was queued.')),
    sent_at: Nullable(DateTime('Delivery to the server of the recipient.')),
    schedule_at: Nullable(DateTime('When it is or was to be sent; null for mail that was sent at once.')),
    delay: Nullable(Type.Number({ description: 'Seconds from reception to `sent_at`.' })),
    custom_msg_id: Nullable(Type.String({ description: 'Your identifier.' })),
    custom_group_code: Nullable(Type.String({ description: 'Your label of a group.' })),
    ...marks,
    status_name: NullableStatusName,
  },
  { $id: 'MailRecord' },
);
export type MailRecord = Static<typeof MailRecord>;

const filter = (description: string, maxLength = 254) =>
  Type.Optional(Nullable(Type.String({ maxLength, description })));
const openedFilter = ['all', 'opened', 'unopened'] as const;

/** Shared by all lists. */
export const mailFilters = {
  start_date: filter('First local date, `YYYY-MM-DD`; three months ago when left out.'),
  end_date: filter('Last local date, inclusive; today when left out.'),
  tz: filter('IANA zone of the dates; that of the instance by default.'),
  msg_id: filter('The `message_id` of a send.'),
  mail_id: filter('Identifier of the mail.'),
  sender_id: Type.Optional(Nullable(Id('Identifier of the sender.'))),
  domain_id: Type.Optional(Nullable(Id('Of the sender.'))),
  recipient: filter('Whole address, in either case, its domain in any spelling.', 320),
  custom_msg_id: filter('Your identifier.'),
  custom_group_code: filter('Your label of a group.'),
  subject: filter('Part of the subject, in either case.'),
  category: filter('A category, as it was given or as its slug.', 255),
  tag: Type.Optional(TagFilter),
  test_mode: Type.Optional(
    Nullable(Type.Boolean({ description: 'Only mail sent in `test_mode`, or only other mail.' })),
  ),
} satisfies TProperties;

const stateFilters = {
  sandbox: Type.Optional(
    Nullable(Type.Boolean({ description: 'Only mail to the sandbox, or only other mail.' })),
  ),
  status: StatusFilter,
  statuses: StatusesFilter,
  opened: Type.Optional(
    Nullable(
      Enum(openedFilter, {
        description: '`opened`: at least once; `unopened`: delivered and not opened; `all`: no filter.',
      }),
    ),
  ),
} satisfies TProperties;

export const recipientOperator = {
  recipient_operator: Type.Optional(
    Nullable(
      Enum(['eq', 'starts_with'] as const, {
        description: 'Whether `recipient` is the whole address or the beginning of it.',
      }),
    ),
  ),
} satisfies TProperties;

export const sentFilters = { ...mailFilters, ...stateFilters, ...recipientOperator };
export const SentQuery = PageQuery(sentFilters);
export type SentFilters = Static<TObject<typeof sentFilters>>;
export type MailFilters = Static<TObject<typeof mailFilters & typeof recipientOperator>>;

export const mailExample = {
  mail_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a7a',
  msg_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a79',
  to: 'ana@example.com',
  subject: 'Your order 1001',
  sender: 'hello@mail.example.com',
  status: 3,
  opens: 0,
  clicks: 0,
  received_at: '2026-12-01T12:00:00.000Z',
  queued_at: '2026-12-01T12:00:00.000Z',
  sent_at: '2026-12-01T12:00:00.400Z',
  schedule_at: null,
  delay: 0.4,
  custom_msg_id: 'order-1001',
  custom_group_code: null,
  category: 'orders',
  test_mode: false,
  tags: { customer: '4711' },
  status_name: 'sent',
};
