import type { Phase } from '../classify/basic-codes.ts';
import type { Field } from '../mime/read-fields.ts';

/** RFC 3464 §2.3.3. */
export const actions = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const;
export type Action = (typeof actions)[number];

/** What a report says of one address. */
export interface ReportedRecipient {
  action: Action;
  final_recipient: string | undefined;
  /** As the message was addressed, when the report tells it apart from where it went. */
  original_recipient: string | undefined;
  /** RFC 3463, such as `5.1.1`: the most telling of those that the report names. */
  status: string | undefined;
  smtp_code: number | undefined;
  /** What the server that refused said, in one line. */
  diagnostic: string | undefined;
  remote_mta: string | undefined;
  /** The command that was refused, when the report tells. */
  refused_at: Phase | undefined;
}

export interface BounceReport {
  kind: 'bounce';
  recipients: ReportedRecipient[];
}

export interface ComplaintReport {
  kind: 'complaint';
  /** RFC 5965 §7.3, in lower case: `abuse`, `fraud`, `virus`, `not-spam`, … */
  feedback_type: string;
  original_mail_from: string | undefined;
  user_agent: string | undefined;
  /** Header of the message complained about. */
  original: Field[];
}

/** What a message that came back is. */
export type Report = BounceReport | ComplaintReport | { kind: 'auto_reply' } | { kind: 'other' };
