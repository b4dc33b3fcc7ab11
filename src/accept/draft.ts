import type { IdempotentCall } from '../base/http/operation.ts';
import type { Tags, TrackedEvent } from '../mails/index.ts';
import type { TemplateContent, Variables } from '../templates/index.ts';
import type { Attachment, Mailbox } from '../protocol/mime/outgoing-message.ts';

export interface DraftRecipient extends Mailbox {
  kind: 'to' | 'cc' | 'bcc';
  domain: string;
  /** Laid over those of the message. */
  variables?: Variables | undefined;
  /** Where the body names it: `/to/0`. */
  pointer?: string;
}

/** How a send names its template. */
export type TemplateName = { id: number } | { alias: string };

export type RecipientsVisible = 'all' | 'self';

export interface DraftCommon {
  instance_id: number;
  source: 'http' | 'smtp' | 'form';
  sender_email: string;
  /** By a key that may write to sandbox recipients only. */
  sandbox_only?: boolean;
  /** The caller's span, by W3C Trace Context. */
  traceparent?: string | undefined;
  /** Of an SMTP message that names one in its header. */
  idempotent?: IdempotentCall | undefined;
  /** Distinct, at most 50, in the order given. */
  recipients: DraftRecipient[];
  /** Whom To and Cc name; by the sender's stream and the variables of recipients when absent. */
  recipients_visible?: RecipientsVisible | undefined;
  /** What the send asks for; `true` is refused where the sender does not do it. */
  tracking?: Partial<Record<TrackedEvent, boolean>> | undefined;
  /** Whether Reply-To names the mail, so that an answer finds it. */
  reply_token?: boolean | undefined;
  /** The send is refused when its sender has another. */
  required_stream?: 'transactional' | 'broadcast' | undefined;
  /** The send is refused when its sender does not require consent for this purpose. */
  required_purpose?: number | undefined;
  /** Recipients must have agreed to it, whatever the sender requires, and unsubscribing withdraws it: mail of a broadcast. */
  consent_purpose_id?: number | undefined;
  /** Leaves half of the instance's bandwidth to other mail. */
  is_background?: true;
  /** The send is refused when its template has stylesheets: they are sent as they are. */
  without_stylesheets?: boolean | undefined;
  category: string | null;
  test_mode: boolean;
  custom_msg_id: string | null;
  custom_group_code: string | null;
  /** None when absent. */
  tags?: Tags | null;
  /** In the future; at once when absent. */
  schedule_at?: Date | null;
}

/** What is not submitted as a whole message. */
interface DraftParts {
  /** In place of the name of the sender. */
  sender_name?: string | undefined;
  reply_to: Mailbox[];
  headers: [name: string, value: string][];
  attachments: Attachment[];
}

/** A mail as submitted over any interface: valid in itself, not yet accepted. */
export type Draft = DraftCommon &
  (
    | (DraftParts & { kind: 'content'; subject: string; html: string; text: string | null })
    | (DraftParts & {
        kind: 'template';
        template: TemplateName;
        /** In place of what is saved: a test of what is being edited. */
        content?: TemplateContent;
        template_variables: Variables;
        /** Refuse the send when the template reads a variable without a value. */
        strict_variables: boolean;
      })
    | {
        kind: 'raw';
        subject: string;
        from_name: string | undefined;
        to: Mailbox[];
        cc: Mailbox[];
        raw: Buffer;
        /** Decoded octets of the attachments in `raw`. */
        attachment_bytes: number;
      }
  );
