import { Type, type Static, type TObject, type TProperties } from 'typebox';
import { PageQuery } from '../base/http/pagination.ts';
import { DateTime, Enum, Nullable } from '../base/http/schemas.ts';
import { mailExample, mailFilters, marks, recipientOperator } from './mail-schemas.ts';

const types = ['hard', 'soft', 'block'] as const;
const meaning =
  '`hard`: the address will never work, and is restricted; `soft`: given up after temporary failures; `block`: refused for policy or reputation.';

export const bounceFilters = {
  ...mailFilters,
  ...recipientOperator,
  type: Type.Optional(Nullable(Enum(types, { description: meaning }))),
} satisfies TProperties;
export type BounceFilters = Static<TObject<typeof bounceFilters>>;
export const BouncesQuery = PageQuery(bounceFilters);

const text = (description: string) => Nullable(Type.String({ description }));

export const Bounce = Type.Object(
  {
    mail_id: Type.String({ description: 'The mail.' }),
    msg_id: text('The message it belongs to.'),
    to: Type.String({ description: 'Its recipient.' }),
    sender: text('Address of the sender.'),
    subject: Type.String(),
    bounced_at: DateTime('When it was given up.'),
    type: Nullable(Enum(types, { description: meaning })),
    smtp_code: Nullable(Type.Integer({ description: 'Reply code of the server.' })),
    enhanced_code: text('Its enhanced status code (RFC 3463).'),
    diagnostic: text('What the server said, or why it was given up.'),
    remote_host: text('Name of the server.'),
    sent_at: Nullable(DateTime('When it was delivered, where the failure was reported later.')),
    custom_msg_id: text('Your identifier.'),
    custom_group_code: text('Your label of a group.'),
    ...marks,
  },
  { $id: 'Bounce' },
);
export type Bounce = Static<typeof Bounce>;

const { mail_id, msg_id, to, sender, subject, custom_msg_id, custom_group_code, category, test_mode, tags } =
  mailExample;
export const bounceExample = {
  mail_id,
  msg_id,
  to,
  sender,
  subject,
  bounced_at: '2026-12-01T12:00:00.400Z',
  type: 'hard',
  smtp_code: 550,
  enhanced_code: '5.1.1',
  diagnostic: '550 5.1.1 no such user',
  remote_host: 'mx.example.com',
  sent_at: null,
  custom_msg_id,
  custom_group_code,
  category,
  test_mode,
  tags,
};
