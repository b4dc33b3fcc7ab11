import { Type, type Static } from 'typebox';
import { Nullable } from '../../base/http/schemas.ts';

/** An unknown member would change what is sent, if it were ignored. */
const closed = { additionalProperties: false };
const text = (maxLength?: number) =>
  Type.Optional(Nullable(Type.String(maxLength === undefined ? {} : { maxLength })));
const list = 1_000;
const oneOrMore = Type.Optional(
  Type.Unsafe<string | string[] | null>({
    anyOf: [
      { type: 'string' },
      { type: 'array', items: { type: 'string' }, maxItems: list },
      { type: 'null' },
    ],
  }),
);

const ResendAttachment = Type.Object(
  {
    /** Base64, or a list of octets, as the clients for Go, Python and Ruby write it. */
    content: Type.Optional(
      Type.Unsafe<string | number[] | null>({
        anyOf: [{ type: 'string' }, { type: 'array' }, { type: 'null' }],
      }),
    ),
    filename: text(),
    path: text(),
    content_type: text(),
    content_id: text(),
    /** Of earlier clients. */
    inline_content_id: text(),
  },
  closed,
);

/** `POST /emails`, and each item of a batch. */
export const ResendEmail = Type.Object(
  {
    from: text(),
    to: oneOrMore,
    subject: text(),
    html: text(),
    text: text(),
    cc: oneOrMore,
    bcc: oneOrMore,
    reply_to: oneOrMore,
    headers: Type.Optional(Nullable(Type.Record(Type.String(), Type.String()))),
    attachments: Type.Optional(Nullable(Type.Array(ResendAttachment, { maxItems: list }))),
    tags: Type.Optional(
      Nullable(Type.Array(Type.Record(Type.String(), Type.String({ maxLength: 256 })), { maxItems: list })),
    ),
    scheduled_at: text(),
    template: Type.Optional(
      Nullable(
        Type.Object(
          {
            id: Type.String({ minLength: 1, maxLength: 255 }),
            variables: Type.Optional(Nullable(Type.Record(Type.String(), Type.Unknown()))),
          },
          closed,
        ),
      ),
    ),
    topic_id: text(),
  },
  closed,
);
export type ResendEmail = Static<typeof ResendEmail>;
