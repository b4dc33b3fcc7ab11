import type { MailEvent } from '../payload.ts';
import { categoriesOf, textOf } from './marks.ts';

const events: Readonly<Record<string, string>> = {
  sent: 'delivered',
  deferred: 'deferred',
  bounced: 'bounce',
  dropped: 'dropped',
  opened: 'open',
  clicked: 'click',
  complained: 'spamreport',
  unsubscribed: 'unsubscribe',
};

/** Members of its events: a tag of the same name is not laid over them. */
export function sendgridPayload(event: MailEvent): Record<string, unknown> {
  const { event_id, at, msg_id, to, sender, tags, custom_msg_id, custom_group_code } = event;
  const category = categoriesOf(tags ?? {});
  const names = Object.entries(tags ?? {}).filter(([name]) => !/^category(?:\.\d+)?$/.test(name));
  // Of a call in its form the identifier that the call was answered with.
  const isOfCall = custom_group_code !== null && custom_msg_id?.startsWith(`${custom_group_code}.`) === true;
  return {
    ...Object.fromEntries(names),
    email: to ?? '',
    timestamp: Math.floor(at.getTime() / 1000),
    'smtp-id': `<${msg_id}@${sender?.split('@').at(-1) ?? ''}>`,
    event: events[event.event] ?? event.event,
    ...(category.length === 0 ? {} : { category }),
    sg_event_id: event_id,
    sg_message_id: isOfCall ? custom_msg_id : msg_id,
    ...detailsOf(event),
  };
}

function detailsOf({ event, reason, data }: MailEvent): Record<string, unknown> {
  const said = textOf(data, 'response') || textOf(data, 'detail') || (reason ?? '');
  switch (event) {
    case 'sent':
      return { response: said };
    case 'deferred':
      return { response: said, attempt: JSON.stringify(data?.['attempt'] ?? 1) };
    case 'bounced': {
      const type = textOf(data, 'type') === 'block' ? 'blocked' : 'bounce';
      return { reason: said, status: textOf(data, 'enhanced_code'), type };
    }
    case 'dropped':
      return { reason: reason ?? '' };
    case 'opened':
      return { useragent: textOf(data, 'user_agent'), sg_machine_open: data?.['is_machine'] === true };
    case 'clicked':
      return { url: textOf(data, 'url'), useragent: textOf(data, 'user_agent') };
    default:
      return {};
  }
}
