import type { Attachment, Mailbox } from '../protocol/mime/outgoing-message.ts';
import type { Tags } from './tags.ts';

/** Visible headers of the message, stored as JSON and rendered at delivery. */
export interface Envelope {
  from: Mailbox;
  to: Mailbox[];
  cc: Mailbox[];
  /** One as it is, several as a list. */
  reply_to?: Mailbox | Mailbox[] | undefined;
  subject: string;
  headers: [name: string, value: string][];
  /** `self`: To names each recipient to themselves only. Everyone in To and Cc when absent. */
  recipients_visible?: 'self' | undefined;
  /** What the send switched off, whatever its sender does. */
  untracked?: TrackedEvent[] | undefined;
  /** Whether Reply-To is an address of the sender's domain that names the mail, so that an answer finds it. */
  reply_token?: true | undefined;
}

export type TrackedEvent = 'opens' | 'clicks';

export const dropReasons = [
  'attachments_over_limit',
  'cancelled',
  'consent_missing',
  'consent_revoked',
  'recipient_blocked',
  'recipient_erased',
  'recipient_restricted',
  'recipient_unsubscribed',
] as const;
export type DropReason = (typeof dropReasons)[number];

export interface NewMail {
  mail_id: string;
  recipient: string;
  recipient_name: string | null;
  recipient_kind: 'to' | 'cc' | 'bcc';
  destination: string;
  subject: string;
  drop_reason: DropReason | null;
}

/** The columns of a message that its content is in. */
export interface StoredContent {
  content_kind: 'parts' | 'liquid' | 'raw';
  envelope: Envelope;
  html: Buffer | null;
  text: Buffer | null;
  raw: Buffer | null;
  /** Of a template: JSON. */
  variables: Buffer | null;
}

/** One send, ready to be stored. */
export interface NewMessage extends StoredContent {
  msg_id: string;
  instance_id: number;
  sender_id: number;
  sender_email: string;
  category_id: number | null;
  template_id: number | null;
  source: 'http' | 'smtp' | 'form';
  stream: 'transactional' | 'broadcast';
  test_mode: boolean;
  custom_msg_id: string | null;
  custom_group_code: string | null;
  /** Null when there are none. */
  tags: Tags | null;
  size_bytes: number;
  /** Of these, what is for one recipient each. */
  personal_bytes: number;
  attachments: Attachment[];
  received_at: Date;
  /** That recipients must have agreed to, where it is not that of the sender. */
  consent_purpose_id: number | null;
  /** In the future; null when it is to be sent at once. */
  schedule_at: Date | null;
  mails: NewMail[];
}
