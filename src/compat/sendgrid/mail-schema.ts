import { Type, type Static, type TProperties } from 'typebox';
import { Nullable } from '../../base/http/schemas.ts';

/** An unknown member would change what is sent, if it were ignored. */
const closed = { additionalProperties: false };
const text = Type.Optional(Nullable(Type.String()));
const flag = Type.Optional(Nullable(Type.Boolean()));
const texts = Type.Optional(Nullable(Type.Record(Type.String(), Type.String())));
const list = 1_000;

const Mailbox = Type.Object({ email: Type.String(), name: text }, closed);
const mailboxes = Type.Optional(Nullable(Type.Array(Mailbox, { maxItems: list })));
const moment = Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 253_402_300_799 })));

const Personalization = Type.Object(
  {
    to: Type.Array(Mailbox, { minItems: 1, maxItems: list }),
    cc: mailboxes,
    bcc: mailboxes,
    from: Type.Optional(Nullable(Mailbox)),
    subject: text,
    headers: texts,
    substitutions: texts,
    dynamic_template_data: Type.Optional(Nullable(Type.Record(Type.String(), Type.Unknown()))),
    custom_args: texts,
    send_at: moment,
  },
  closed,
);
export type Personalization = Static<typeof Personalization>;

const any = Type.Optional(Type.Unknown());
const setting = <Members extends TProperties>(members: Members) =>
  Type.Optional(Nullable(Type.Object({ enable: flag, ...members }, closed)));
const plain = setting({});

/** `POST /v3/mail/send`. */
export const SendGridMail = Type.Object(
  {
    personalizations: Type.Array(Personalization, { minItems: 1, maxItems: 1_000 }),
    from: Mailbox,
    reply_to: Type.Optional(Nullable(Mailbox)),
    reply_to_list: mailboxes,
    subject: text,
    content: Type.Optional(
      Nullable(
        Type.Array(Type.Object({ type: Type.String(), value: Type.String({ minLength: 1 }) }, closed), {
          maxItems: 10,
        }),
      ),
    ),
    attachments: Type.Optional(
      Nullable(
        Type.Array(
          Type.Object(
            {
              content: Type.String(),
              filename: Type.String(),
              type: text,
              disposition: text,
              content_id: text,
              contentId: text,
            },
            closed,
          ),
          { maxItems: list },
        ),
      ),
    ),
    template_id: text,
    headers: texts,
    categories: Type.Optional(Nullable(Type.Array(Type.String(), { maxItems: 10 }))),
    custom_args: texts,
    send_at: moment,
    batch_id: text,
    asm: Type.Optional(Nullable(Type.Record(Type.String(), Type.Unknown()))),
    ip_pool_name: text,
    sections: texts,
    mail_settings: Type.Optional(
      Nullable(
        Type.Object(
          {
            bypass_list_management: plain,
            bypass_spam_management: plain,
            bypass_bounce_management: plain,
            bypass_unsubscribe_management: plain,
            bcc: setting({ email: any }),
            footer: setting({ text: any, html: any }),
            spam_check: setting({ threshold: any, post_to_url: any }),
            sandbox_mode: plain,
          },
          closed,
        ),
      ),
    ),
    tracking_settings: Type.Optional(
      Nullable(
        Type.Object(
          {
            click_tracking: setting({ enable_text: flag }),
            open_tracking: setting({ substitution_tag: text }),
            subscription_tracking: setting({ text: any, html: any, substitution_tag: any }),
            ganalytics: setting({
              utm_source: any,
              utm_medium: any,
              utm_term: any,
              utm_content: any,
              utm_campaign: any,
            }),
          },
          closed,
        ),
      ),
    ),
  },
  closed,
);
export type SendGridMail = Static<typeof SendGridMail>;
