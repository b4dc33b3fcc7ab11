import type { Tags } from '../mails/index.ts';
import type { MailEventType } from './event-types.ts';

/** An event with the mail it is about. */
export interface MailEvent {
  event_id: string;
  event: string;
  at: Date;
  reason: string | null;
  data: Record<string, unknown> | null;
  mail_id: string;
  msg_id: string;
  to: string | null;
  sender: string | null;
  /** This and the following are null when the mail is past its retention: an unsubscribe may come years later. */
  subject: string | null;
  custom_msg_id: string | null;
  custom_group_code: string | null;
  category: string | null;
  test_mode: boolean | null;
  tags: Tags | null;
  stream: 'transactional' | 'broadcast' | null;
}

type Details = Record<string, unknown>;

/** The members of `data` that each type has of its own. */
const detailsOf: Record<MailEventType, (event: MailEvent, data: Details) => Details> = {
  'mail.sent': (_event, data) => pick(data, ['remote_host', 'smtp_code', 'response']),
  'mail.bounced': ({ reason }, data) => ({
    type: data['type'] ?? null,
    reason,
    ...pick(data, ['remote_host', 'smtp_code', 'enhanced_code']),
    diagnostic: data['response'] ?? data['detail'] ?? null,
  }),
  'mail.dropped': ({ reason }) => ({ reason }),
  'mail.opened': (_event, data) => ({
    ...pick(data, ['user_agent']),
    is_machine: data['is_machine'] === true,
  }),
  'mail.clicked': (_event, data) => ({
    ...pick(data, ['url', 'user_agent']),
    is_machine: data['is_machine'] === true,
  }),
  'mail.unsubscribed': (_event, data) => pick(data, ['method', 'reason']),
  'mail.resubscribed': () => ({}),
  'mail.complained': (_event, data) => pick(data, ['type', 'comment']),
  'mail.deferred': ({ reason }, data) => ({
    reason,
    ...pick(data, ['attempt', 'next_attempt_at', 'remote_host', 'smtp_code', 'enhanced_code']),
    diagnostic: data['response'] ?? data['detail'] ?? null,
  }),
};

/** The `webhook-id` header: derived from the event, so it is the same for every attempt and replay. */
export function messageId(eventId: string): string {
  return `msg_${eventId}`;
}

/** The body of a delivery. It is rendered from immutable rows in a fixed order, so it need not be stored. */
export function renderPayload(mailEvent: MailEvent): string {
  const { event, at, data, mail_id, msg_id, to, sender, subject } = mailEvent;
  const { custom_msg_id, custom_group_code, category, test_mode, tags } = mailEvent;
  const type = `mail.${event}` as MailEventType;
  return JSON.stringify({
    type,
    timestamp: at.toISOString(),
    data: {
      mail_id,
      msg_id,
      to,
      sender,
      subject,
      custom_msg_id,
      custom_group_code,
      category,
      test_mode,
      tags,
      ...detailsOf[type](mailEvent, data ?? {}),
    },
  });
}

function pick(data: Details, keys: string[]): Details {
  return Object.fromEntries(keys.map((key) => [key, data[key] ?? null]));
}
