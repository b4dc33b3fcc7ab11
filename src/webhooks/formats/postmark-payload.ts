import type { MailEvent } from '../payload.ts';
import { bounceIdOf } from './bounce-id.ts';
import { bounceTypeOf, bounceTypes } from './bounce-type.ts';
import { tagName, textOf } from './marks.ts';

/** One event, told apart by `RecordType`. Nothing is said of the place and the program of a visitor: it is not collected. */
export function postmarkPayload(event: MailEvent): Record<string, unknown> {
  const { msg_id, to, tags } = event;
  const { [tagName]: Tag = '', ...Metadata } = tags ?? {};
  const common = {
    MessageID: msg_id,
    Tag,
    Metadata,
    ServerID: 0,
    MessageStream: event.stream === 'broadcast' ? 'broadcast' : 'outbound',
  };
  return { ...detailsOf(event, to ?? ''), ...common };
}

function detailsOf(event: MailEvent, recipient: string): Record<string, unknown> {
  const { at, data } = event;
  const moment = at.toISOString();
  switch (event.event) {
    case 'sent':
      return {
        RecordType: 'Delivery',
        Recipient: recipient,
        DeliveredAt: moment,
        Details: textOf(data, 'response'),
      };
    case 'bounced':
    case 'deferred':
      return { RecordType: 'Bounce', ...bounceOf(event, recipient) };
    case 'complained':
      return { RecordType: 'SpamComplaint', ...bounceOf(event, recipient) };
    case 'opened':
      return {
        RecordType: 'Open',
        Recipient: recipient,
        ReceivedAt: moment,
        UserAgent: textOf(data, 'user_agent'),
      };
    case 'clicked':
      return {
        RecordType: 'Click',
        Recipient: recipient,
        ReceivedAt: moment,
        OriginalLink: textOf(data, 'url'),
        ClickLocation: 'HTML',
        UserAgent: textOf(data, 'user_agent'),
      };
    default:
      return {
        RecordType: 'SubscriptionChange',
        Recipient: recipient,
        ChangedAt: moment,
        Origin: 'Recipient',
        SuppressSending: event.event === 'unsubscribed',
        SuppressionReason: event.event === 'unsubscribed' ? 'ManualSuppression' : null,
      };
  }
}

/** A deferral is a bounce of type Transient there. */
function bounceOf({ event_id, event, at, reason, data, sender, subject }: MailEvent, recipient: string) {
  const known = bounceTypeOf({ event, type: textOf(data, 'type') || null, reason });
  const [TypeCode, Name, Description] =
    event === 'deferred'
      ? ([2, 'Message delayed', 'The server could not temporarily deliver your message.'] as const)
      : bounceTypes[known];
  const isInactive = event === 'complained' || known === 'HardBounce';
  return {
    ID: bounceIdOf(event_id),
    Type: event === 'deferred' ? 'Transient' : known,
    TypeCode,
    Name,
    Description,
    Details: textOf(data, 'response') || textOf(data, 'detail') || (reason ?? ''),
    Email: recipient,
    From: sender ?? '',
    BouncedAt: at.toISOString(),
    DumpAvailable: false,
    Inactive: event !== 'deferred' && isInactive,
    CanActivate: event !== 'deferred' && isInactive,
    Subject: subject ?? '',
  };
}
