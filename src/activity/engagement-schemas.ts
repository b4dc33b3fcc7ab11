import { Type, type Static, type TObject, type TProperties } from 'typebox';
import { PageQuery } from '../base/http/pagination.ts';
import { DateTime, Enum, Nullable } from '../base/http/schemas.ts';
import { mailExample, mailFilters, marks, recipientOperator } from './mail-schemas.ts';

const groupings = ['none', 'mail_id', 'msg_id'] as const;
export type Grouping = (typeof groupings)[number];

export const engagementFilters = {
  ...mailFilters,
  ...recipientOperator,
  include_machine: Type.Optional(
    Nullable(
      Type.Boolean({
        description:
          'Whether what privacy proxies and scanners did is listed and counted too; left out unless `true`.',
      }),
    ),
  ),
  group_by: Type.Optional(
    Nullable(
      Enum(groupings, {
        description:
          '`none` (the default): a row per event; `mail_id`: per recipient; `msg_id`: per message. Filters apply before.',
      }),
    ),
  ),
} satisfies TProperties;
export type EngagementFilters = Static<TObject<typeof engagementFilters>>;
export const EngagementQuery = PageQuery(engagementFilters);

const text = (description: string) => Nullable(Type.String({ description }));
const mail = {
  mail_id: Type.String({ description: 'The mail.' }),
  msg_id: text('The message it belongs to.'),
  to: Type.String({ description: 'Its recipient.' }),
  sender: text('Address of the sender.'),
};
const labels = {
  custom_msg_id: text('Your identifier.'),
  custom_group_code: text('Your label of a group.'),
  ...marks,
};
const sent_at = Nullable(DateTime('When it was delivered.'));
const visitor = {
  user_agent: text('What the program called itself.'),
  is_machine: Type.Boolean({
    description:
      'Whether it was a privacy proxy or a scanner; those are listed only with `include_machine=true`.',
  }),
};
const url = text('The link that was followed.');

/** The three shapes of a list by `group_by`; `verb` is `opened` or `clicked`. */
function shapes(names: { verb: 'opened' | 'clicked'; count: string; recipients: string; id: string }) {
  const { verb, count, recipients, id } = names;
  const times = {
    [`first_${verb}_at`]: DateTime(`First time it was ${verb} in the range.`),
    [`last_${verb}_at`]: DateTime(`Last time it was ${verb} in the range.`),
  };
  const counted = {
    [count]: Type.Integer({ description: 'How often in the range: the sum of the single rows.' }),
  };
  return [
    Type.Object(
      {
        ...mail,
        [`${verb}_at`]: DateTime(`When it was ${verb}.`),
        ...(verb === 'clicked' ? { url } : {}),
        ...visitor,
        [count]: Type.Integer({
          description: `How often the row stands for: 1, or more in the last row of an hour in which the mail was ${verb} some hundred times.`,
        }),
        sent_at,
        ...labels,
      },
      { $id: id },
    ),
    Type.Object({ ...mail, ...counted, ...times, sent_at, ...labels }, { $id: `${id}sOfMail` }),
    Type.Object(
      {
        msg_id: Type.String({ description: 'The message.' }),
        sender: mail.sender,
        subject: text('Its subject.'),
        ...counted,
        [recipients]: Type.Integer({ description: `Recipients that ${verb} at least once.` }),
        rcpt_count: Nullable(Type.Integer({ description: 'All recipients of the message.' })),
        ...times,
        ...labels,
      },
      { $id: `${id}sOfMessage` },
    ),
  ];
}

export const Open = Type.Union(
  shapes({ verb: 'opened', count: 'open_count', recipients: 'recipients_opened', id: 'Open' }),
);
export const Click = Type.Union(
  shapes({ verb: 'clicked', count: 'click_count', recipients: 'recipients_clicked', id: 'Click' }),
);

const { mail_id, msg_id, to, sender, sent_at: delivered } = mailExample;
const { custom_msg_id, custom_group_code, category, test_mode, tags } = mailExample;
const user_agent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0';
const example = { mail_id, msg_id, to, sender };
const ending = (count: string) => ({
  user_agent,
  is_machine: false,
  [count]: 1,
  sent_at: delivered,
  custom_msg_id,
  custom_group_code,
  category,
  test_mode,
  tags,
});
const clickedUrl = 'https://example.com/orders/1001';
export const openExample = { ...example, opened_at: '2026-12-01T12:05:00.000Z', ...ending('open_count') };
export const clickExample = {
  ...example,
  clicked_at: '2026-12-01T12:05:10.000Z',
  url: clickedUrl,
  ...ending('click_count'),
};
