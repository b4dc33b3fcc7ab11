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

interface DraftCommon {
  instance_id: number;
  source: 'http' | 'smtp' | 'form';
  sender_email: string;
  /** By a key that may write to sandbox recipients alone. */
  sandbox_only?: boolean;
  /** The caller's span, by W3C Trace Context. */
  traceparent?: string | undefined;
  /** Distinct, at most 50, in the order given. */
  recipients: DraftRecipient[];
  category: string | null;
  test_mode: boolean;
  custom_msg_id: string | null;
  custom_group_code: string | null;
}

/** What is not submitted as a whole message. */
interface DraftParts {
  reply_to: Mailbox | null;
  headers: [name: string, value: string][];
  attachments: Attachment[];
}

/** A mail as submitted over any interface: valid in itself, not yet accepted. */
export type Draft = DraftCommon &
  (
    | (DraftParts & { kind: 'content'; subject: string; html: string; text: string | null })
    | (DraftParts & {
        kind: 'template';
        template_id: number;
        /** In place of what is saved: a test of what is being edited. */
        content?: TemplateContent;
        template_variables: Variables;
        /** Refuse the send when the template reads something that nobody gives. */
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
