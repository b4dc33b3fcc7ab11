import { Type, type Static } from 'typebox';
import { TemplateAlias, TemplateVariables } from '../templates/index.ts';
import { Enum, Id, Nullable } from '../base/http/schemas.ts';
import { Tags } from '../mails/index.ts';

const mebibyte = 1024 * 1024;

/** Unknown members are refused, so that no caller relies on an option that does not exist (contract §6). */
const closed = { additionalProperties: false };

/** Contract §6. */
export const sendLimits = {
  body_bytes: 20 * mebibyte,
  content_bytes: 5 * mebibyte,
  attachments: 20,
  attachment_bytes: 10 * mebibyte,
  filename: 255,
  message_bytes: 15 * mebibyte,
  recipients: 50,
  /** Items of a list, repeated recipients included. */
  list_items: 1_000,
  reply_to: 10,
  subject: 254,
};

const mailbox = {
  email: Type.String({ format: 'email', maxLength: 320, examples: ['ana@example.com'] }),
  name: Type.Optional(Nullable(Type.String({ maxLength: 255, examples: ['Ana Pérez'] }))),
};

const Recipient = Type.Object(
  {
    ...mailbox,
    variables: Type.Optional(
      Nullable(TemplateVariables('Laid over `template_variables` for this recipient, name by name.')),
    ),
  },
  { $id: 'Recipient', ...closed },
);

const ReplyTo = Type.Object(mailbox, { $id: 'ReplyTo', ...closed });

/** No `Nullable`, which would make a union in a union. */
const ReplyToOneOrMore = Type.Unsafe<Static<typeof ReplyTo> | Static<typeof ReplyTo>[] | null>({
  anyOf: [ReplyTo, Type.Array(ReplyTo, { maxItems: sendLimits.reply_to }), Type.Null()],
  description: 'Where replies go, one address or a list of up to 10; to the sender when left out.',
});

const Tracking = Type.Object(
  {
    opens: Type.Optional(Type.Boolean({ description: '`false`: no pixel in this message.' })),
    clicks: Type.Optional(Type.Boolean({ description: '`false`: links of this message stay as they are.' })),
  },
  {
    ...closed,
    description:
      'Switches tracking off for this message. The sender switches it on: `true` is refused where the sender does not track.',
  },
);

const AttachmentInput = Type.Object(
  {
    type: Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'MIME type.',
      examples: ['application/pdf'],
    }),
    content: Type.String({ minLength: 1, description: 'Strict base64.', examples: ['JVBERi0xLjQK'] }),
    filename: Type.String({ minLength: 1, maxLength: sendLimits.filename, examples: ['invoice.pdf'] }),
    content_id: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 254,
          description:
            'What the HTML calls it: `logo` for `<img src="cid:logo">`. Letters, digits and `_.+=@~-`, once in a message.',
          examples: ['logo'],
        }),
      ),
    ),
    disposition: Type.Optional(
      Nullable(
        Enum(['inline', 'attachment'], {
          description:
            'Whether it is shown in the message or offered as a file; `inline` with a `content_id`, else `attachment`, when left out.',
        }),
      ),
    ),
  },
  { $id: 'AttachmentInput', ...closed },
);

const more = (description: string) =>
  Type.Optional(Nullable(Type.Array(Recipient, { description, maxItems: sendLimits.list_items })));
const content = (description: string) => Type.Optional(Nullable(Type.String({ minLength: 1, description })));
const label = (description: string, maxLength: number) =>
  Type.Optional(Nullable(Type.String({ maxLength, description })));

export const SendMail = Type.Object(
  {
    sender_email: Type.String({
      format: 'email',
      maxLength: 320,
      description: 'Address of a registered sender, or any address of a domain with `any_sender`.',
      examples: ['test@demo.sandbox.test'],
    }),
    to: Type.Array(Recipient, {
      minItems: 1,
      maxItems: sendLimits.list_items,
      description: '`to`, `cc` and `bcc` together have at most 50 different recipients.',
    }),
    template_id: Type.Optional(
      Nullable(
        Id(
          'A saved template in place of `subject`, `html` and `text`, which must then be left out. Where its content cannot be made for a recipient, that mail bounces with the reason `template_failed`.',
        ),
      ),
    ),
    template_alias: Type.Optional(
      Nullable(TemplateAlias('The alias of a saved template, in place of its `template_id`.')),
    ),
    template_variables: Type.Optional(
      Nullable(
        TemplateVariables(
          'What `{{ name }}` and `{{ a.b }}` of the template stand for, escaped in HTML. Only with a template. The names `recipient`, `unsubscribe_url` and `view_url` are taken. Missing ones are empty.',
        ),
      ),
    ),
    strict_variables: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Refuse the send with 422 when the template reads a variable that is not given, for everyone or for one recipient.',
      }),
    ),
    subject: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: sendLimits.subject,
          description: 'Required without a template.',
        }),
      ),
    ),
    html: content(
      'HTML content, at most 5 MB in UTF-8. Required without a template. Kept as it is, apart from tracking.',
    ),
    text: content('Plain-text alternative, at most 5 MB in UTF-8; made from the HTML when left out.'),
    cc: more('Recipients of a visible copy.'),
    bcc: more('Recipients of a hidden copy.'),
    headers: Type.Optional(
      Nullable(
        Type.Record(Type.String(), Type.String(), {
          description:
            'At most 15 headers of your own. Names have up to 126 printable ASCII characters, values up to 995, both together up to 996. Headers that the service writes are refused.',
        }),
      ),
    ),
    attachments: Type.Optional(
      Nullable(
        Type.Array(AttachmentInput, {
          maxItems: sendLimits.attachments,
          description: 'At most 20 files and 10 MB decoded in all.',
        }),
      ),
    ),
    recipients_visible: Type.Optional(
      Nullable(
        Enum(['all', 'self'], {
          description:
            'Whom the message names. `all`: everyone sees `to` and `cc`. `self`: each recipient sees their own address only; the default when a recipient has `variables`, and the only value of a broadcast sender.',
        }),
      ),
    ),
    category: label('One label per message, stored as a slug.', 255),
    sender_name: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'Name that recipients see in `From`; the name of the sender when left out.',
          examples: ['Ana from Acme'],
        }),
      ),
    ),
    reply_to: Type.Optional(ReplyToOneOrMore),
    reply_token: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Reply-To becomes an address of the domain of the sender that names the mail of each recipient, so that answers are received and tied to it. Not together with `reply_to`.',
      }),
    ),
    tracking: Type.Optional(Nullable(Tracking)),
    schedule_at: Type.Optional(
      Nullable(
        Type.String({
          format: 'date-time',
          maxLength: 64,
          description:
            'When to send it, with an offset, at most 60 days ahead. Until then the mail is queued. A time that has passed means now.',
          examples: ['2026-12-01T09:00:00-03:00'],
        }),
      ),
    ),
    test_mode: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Delivered, but marked and counted as a test; takes draft templates and skips consent.',
      }),
    ),
    custom_msg_id: label(
      'Your identifier, returned in reports. It does not deduplicate: `Idempotency-Key` does.',
      254,
    ),
    custom_group_code: label('Your label for a group of mails, such as a campaign.', 254),
    tags: Type.Optional(Nullable(Tags)),
  },
  { $id: 'NewMessage', ...closed },
);
export type SendMail = Static<typeof SendMail>;

export const SendResult = Type.Object(
  { message_id: Type.String({ description: 'Identifier of the message: `msg_id` in reports.' }) },
  { $id: 'SendResult' },
);
