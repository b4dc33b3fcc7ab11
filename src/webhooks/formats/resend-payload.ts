import type { MailEvent } from '../payload.ts';
import { textOf } from './marks.ts';

const failures: ReadonlySet<string> = new Set([
  'attachments_over_limit',
  'cancelled',
  'instance_disabled',
  'message_expired',
  'template_failed',
]);
const bounceTypes: Readonly<Record<string, string>> = { hard: 'Permanent', soft: 'Transient' };

/** `{ type, created_at, data }`; `to` has the one recipient that the event is about. */
export function resendPayload(event: MailEvent) {
  const { at, msg_id, to, sender, subject, tags } = event;
  const [type, details] = kindOf(event);
  const domain = sender?.split('@').at(-1) ?? '';
  return {
    type,
    created_at: at.toISOString(),
    data: {
      email_id: msg_id,
      message_id: `<${msg_id}@${domain}>`,
      created_at: acceptedAt(msg_id).toISOString(),
      from: sender ?? '',
      to: to === null ? [] : [to],
      subject: subject ?? '',
      tags: tags ?? {},
      ...details,
    },
  };
}

/** The time inside a UUIDv7. */
function acceptedAt(msgId: string): Date {
  return new Date(Number.parseInt(msgId.replaceAll('-', '').slice(0, 12), 16));
}

function kindOf({ event, at, reason, data }: MailEvent): [type: string, details: object] {
  const message = textOf(data, 'response') || textOf(data, 'detail') || (reason ?? '');
  const isFailure = reason !== null && failures.has(reason);
  switch (event) {
    case 'sent':
      return ['email.delivered', {}];
    case 'deferred':
      return ['email.delivery_delayed', {}];
    case 'bounced': {
      if (isFailure) return ['email.failed', { failed: { reason } }];
      const type = bounceTypes[textOf(data, 'type')] ?? 'Undetermined';
      return ['email.bounced', { bounce: { type, subType: 'General', message } }];
    }
    case 'dropped':
      return isFailure
        ? ['email.failed', { failed: { reason } }]
        : ['email.suppressed', { suppressed: { type: reason ?? '', message } }];
    case 'opened':
      return ['email.opened', {}];
    case 'clicked': {
      // Addresses of visitors are not collected.
      const click = { ipAddress: '', link: textOf(data, 'url'), timestamp: at.toISOString() };
      return ['email.clicked', { click: { ...click, userAgent: textOf(data, 'user_agent') } }];
    }
    case 'complained':
      return ['email.complained', {}];
    default:
      return [`email.${event}`, {}];
  }
}
