import { Type, type Static, type TObject, type TProperties } from 'typebox';
import { PageQuery } from '../base/http/pagination.ts';
import { DateTime, Enum, Id, Nullable } from '../base/http/schemas.ts';
import {
  complaintTypes,
  maxDetailCharacters,
  restrictionReasons,
  unsubscribeMethods,
} from './suppression.ts';

const text = (description: string) => Nullable(Type.String({ description }));
const mail_id = Type.String({ description: 'Identifier of the mail that it came by.' });
const ofMail = {
  msg_id: text('Identifier of its message.'),
  to: text('Recipient of the mail.'),
  sender: text('Address of its sender.'),
};
const sent_at = Nullable(DateTime('Delivery of the mail to the server of the recipient.'));

export const Complaint = Type.Object(
  {
    mail_id,
    ...ofMail,
    complained_at: Nullable(DateTime('When the recipient complained.')),
    type: Nullable(Enum(complaintTypes, { description: 'What the complaint is about.' })),
    comment: text('What the recipient, or their provider, said.'),
    sent_at,
  },
  { $id: 'MailComplaint' },
);
export type Complaint = Static<typeof Complaint>;

export const Unsubscribe = Type.Object(
  {
    mail_id,
    ...ofMail,
    unsubscribed_at: DateTime('When the recipient unsubscribed.'),
    resubscribed_at: Nullable(DateTime('When the recipient came back; null while broadcasts are withheld.')),
    lifted_for: Type.Array(
      Type.Object({
        purpose_id: Id('The purpose.'),
        purpose: Type.String({ description: 'Name of the purpose.' }),
        consent_event_id: Type.Integer({ description: 'The confirmed double opt-in that proves it.' }),
      }),
      {
        description:
          'Purposes that the recipient has agreed to since, by double opt-in: broadcasts of their senders are sent. All others are withheld.',
      },
    ),
    method: Enum(unsubscribeMethods, {
      description:
        '`one_click`: the button of a mail program (RFC 8058); `page`: the hosted page; `mailto`: a mail.',
    }),
    reason: text('In the words of the recipient.'),
    sent_at,
  },
  { $id: 'MailUnsubscribe' },
);
export type Unsubscribe = Static<typeof Unsubscribe>;

export const Restriction = Type.Object(
  {
    id: Id('Identifier of the restriction.'),
    recipient: Type.String({ description: 'The address that is not written to.' }),
    reason: Enum(restrictionReasons, { description: 'Why it is not written to.' }),
    mail_id: text('The mail that bounced or was complained about.'),
    detail: text('More about it.'),
    created_at: DateTime('Since when.'),
  },
  { $id: 'MailRestriction' },
);
export type Restriction = Static<typeof Restriction>;

const address = Type.String({ minLength: 3, maxLength: 320, description: 'The address.' });
export const NewRestriction = Type.Object(
  {
    recipient: address,
    detail: Type.Optional(Nullable(Type.String({ maxLength: maxDetailCharacters, description: 'Why.' }))),
  },
  { $id: 'NewMailRestriction' },
);
export type NewRestriction = Static<typeof NewRestriction>;

/** In one call, added and removed together. */
export const maxRestrictionChanges = 1_000;

export const RestrictionChanges = Type.Object(
  {
    add: Type.Optional(
      Type.Array(NewRestriction, {
        maxItems: maxRestrictionChanges,
        description: 'Addresses that are not written to from now on.',
      }),
    ),
    remove: Type.Optional(
      Type.Array(address, {
        maxItems: maxRestrictionChanges,
        description: 'Addresses that are written to again, whatever they were restricted for.',
      }),
    ),
  },
  { $id: 'MailRestrictionChanges' },
);
export type RestrictionChanges = Static<typeof RestrictionChanges>;

export const RestrictionCounts = Type.Object(
  {
    added: Type.Integer({ description: 'Addresses that are restricted now.' }),
    already_restricted: Type.Integer({
      description: 'Of `add`, those that were before, or stand in it twice.',
    }),
    removed: Type.Integer({ description: 'Restrictions that were lifted.' }),
    not_restricted: Type.Integer({
      description: 'Of `remove`, those without one, or that stand in it twice.',
    }),
  },
  { $id: 'MailRestrictionCounts' },
);
export type RestrictionCounts = Static<typeof RestrictionCounts>;

export const ImportReport = Type.Object({
  rows: Type.Integer({ description: 'Rows of the file, without its names and blank lines.' }),
  added: Type.Integer({ description: 'Addresses that are restricted now.' }),
  already_restricted: Type.Integer({
    description: 'Those that were before, or stand in the file more than once.',
  }),
  refused: Type.Array(
    Type.Object({
      line: Type.Integer({ description: 'Line of the file, counted from 1.' }),
      value: Type.String({ description: 'What stands where the address should.' }),
      reason: Enum(['invalid_email', 'unknown_reason'] as const),
    }),
    { description: 'Every row that was left out, and why.' },
  ),
});
export type ImportReport = Static<typeof ImportReport>;

const filter = (description: string) => Type.Optional(Nullable(Type.String({ maxLength: 254, description })));
const filters = {
  recipient: filter(
    'Part of the address, in either case. Longer addresses match too: to decide about one, compare each result.',
  ),
  start_date: filter('First local date, `YYYY-MM-DD`. Without dates everything is listed, however old.'),
  end_date: filter('Last local date, inclusive.'),
  tz: filter('IANA zone of the dates; that of the instance by default.'),
} satisfies TProperties;
const sender_id = Type.Optional(Nullable(Id('Identifier of the sender.')));

export const complaintFilters = {
  ...filters,
  sender_id,
  type: Type.Optional(Nullable(Enum(complaintTypes, { description: 'What it is about.' }))),
} satisfies TProperties;
export const unsubscribeFilters = {
  ...filters,
  sender_id,
  method: Type.Optional(Nullable(Enum(unsubscribeMethods, { description: 'How it was done.' }))),
} satisfies TProperties;
export const restrictionFilters = {
  ...filters,
  reason: Type.Optional(Nullable(Enum(restrictionReasons, { description: 'Why it is not written to.' }))),
} satisfies TProperties;
export type ComplaintFilters = Static<TObject<typeof complaintFilters>>;
export type UnsubscribeFilters = Static<TObject<typeof unsubscribeFilters>>;
export type RestrictionFilters = Static<TObject<typeof restrictionFilters>>;
export const ComplaintsQuery = PageQuery(complaintFilters);
export const UnsubscribesQuery = PageQuery(unsubscribeFilters);
export const RestrictionsQuery = PageQuery({
  ...restrictionFilters,
  sort: Type.Optional(Nullable(Enum(['newest', 'oldest', 'recipient'], { description: 'Order.' }))),
});
export type ComplaintsQuery = Static<typeof ComplaintsQuery>;
export type UnsubscribesQuery = Static<typeof UnsubscribesQuery>;
export type RestrictionsQuery = Static<typeof RestrictionsQuery>;

const example = {
  mail_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a7a',
  msg_id: '019a84f2-7c00-7000-8000-2f6d1c3b5a79',
  to: 'ana@example.com',
  sender: 'news@mail.example.com',
};
export const complaintExample = {
  ...example,
  complained_at: '2026-12-01T15:30:00.000Z',
  type: 'spam',
  comment: 'I never asked for this.',
  sent_at: '2026-12-01T12:00:00.400Z',
};
export const unsubscribeExample = {
  ...example,
  unsubscribed_at: '2026-12-01T15:30:00.000Z',
  resubscribed_at: null,
  lifted_for: [{ purpose_id: 2, purpose: 'Newsletter', consent_event_id: 70 }],
  method: 'one_click',
  reason: null,
  sent_at: '2026-12-01T12:00:00.400Z',
};
export const restrictionExample = {
  id: 42,
  recipient: 'ana@example.com',
  reason: 'hard_bounce',
  mail_id: example.mail_id,
  detail: '550 5.1.1 No such user',
  created_at: '2026-12-01T12:00:00.400Z',
};
export const importReportExample = {
  rows: 3,
  added: 1,
  already_restricted: 1,
  refused: [{ line: 4, value: 'ana@', reason: 'invalid_email' }],
};
