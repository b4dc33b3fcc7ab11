import { Type, type Static } from 'typebox';
import { Nullable } from '../../base/http/schemas.ts';

/** An unknown member would change what is sent, if it were ignored. */
const closed = { additionalProperties: false };
const text = Type.Optional(Nullable(Type.String()));
const list = 1_000;

const common = {
  From: text,
  To: text,
  Cc: text,
  Bcc: text,
  ReplyTo: text,
  MessageStream: text,
  Tag: text,
  Metadata: Type.Optional(Nullable(Type.Record(Type.String(), Type.String()))),
  TrackOpens: Type.Optional(Nullable(Type.Boolean())),
  TrackLinks: text,
  Headers: Type.Optional(
    Nullable(
      Type.Array(Type.Object({ Name: Type.String(), Value: Type.String() }, closed), { maxItems: list }),
    ),
  ),
  Attachments: Type.Optional(
    Nullable(
      Type.Array(
        Type.Object(
          {
            Name: Type.String(),
            Content: Type.String(),
            ContentType: text,
            ContentID: text,
            ContentId: text,
            ContentLength: Type.Optional(Nullable(Type.Integer())),
            Disposition: text,
          },
          closed,
        ),
        { maxItems: list },
      ),
    ),
  ),
};

/** `POST /email`, and each item of a batch. */
export const PostmarkMessage = Type.Object(
  { ...common, Subject: text, HtmlBody: text, TextBody: text },
  closed,
);
export type PostmarkMessage = Static<typeof PostmarkMessage>;

/** `POST /email/withTemplate`. */
export const PostmarkTemplated = Type.Object(
  {
    ...common,
    TemplateId: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))),
    TemplateAlias: text,
    TemplateModel: Type.Optional(Nullable(Type.Record(Type.String(), Type.Unknown()))),
    InlineCss: Type.Optional(Nullable(Type.Boolean())),
  },
  closed,
);
export type PostmarkTemplated = Static<typeof PostmarkTemplated>;

export type PostmarkCommon = Pick<PostmarkMessage, keyof typeof common>;
