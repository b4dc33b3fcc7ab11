import { firstEventOf } from '../../activity/index.ts';
import type { Queryable } from '../../base/db/database.ts';
import { bounceIdOf } from '../../webhooks/index.ts';
import type { FoundMessage } from '../find-messages.ts';

interface EventRow {
  event_id: string;
  mail_id: string;
  at: Date;
  event: 'sent' | 'deferred' | 'bounced' | 'opened' | 'clicked' | 'complained' | 'unsubscribed';
  reason: string | null;
  response: string | null;
  remote_host: string | null;
  remote_ip: string | null;
  url: string | null;
  user_agent: string | null;
}

const max_events = 1_000;

/** What happened to the mails of a message, oldest first. */
export async function messageEvents(db: Queryable, instanceId: number, { mails }: FoundMessage) {
  const recipients = new Map(mails.map(({ mail_id, recipient }) => [mail_id, recipient]));
  const ids = [...recipients.keys()];
  const rows = await db.query<EventRow & Record<string, unknown>>(
    `select event_id, mail_id, at, event, reason, coalesce(data ->> 'response', data ->> 'detail', reason) as response,
       data ->> 'remote_host' as remote_host, data ->> 'remote_ip' as remote_ip, data ->> 'url' as url,
       data ->> 'user_agent' as user_agent
     from events where mail_id = any ($1::uuid[]) and instance_id = $2 and event_id >= ${firstEventOf('$3::uuid')}
       and event in ('sent', 'deferred', 'bounced', 'opened', 'clicked', 'complained', 'unsubscribed')
       and not coalesce((data ->> 'is_machine')::boolean, false)
     order by at, event_id limit ${max_events}`,
    [ids, instanceId, ids[0]],
  );
  return rows.map((row) => ({
    Recipient: recipients.get(row.mail_id) ?? '',
    Type: types[row.event],
    ReceivedAt: row.at.toISOString(),
    Details: detailsOf(row),
  }));
}

const types = {
  sent: 'Delivered',
  deferred: 'Transient',
  bounced: 'Bounced',
  opened: 'Opened',
  clicked: 'LinkClicked',
  complained: 'SpamComplaint',
  unsubscribed: 'SubscriptionChanged',
} as const;

function detailsOf({ event, event_id, response, remote_host, remote_ip, url, user_agent }: EventRow) {
  const summary = response ?? '';
  switch (event) {
    case 'sent':
    case 'deferred':
      return {
        DeliveryMessage: summary,
        DestinationServer: remote_host ?? '',
        DestinationIP: remote_ip ?? '',
      };
    case 'bounced':
    case 'complained':
      return { Summary: summary, BounceID: bounceIdOf(event_id) };
    case 'clicked':
      return { Summary: `Tracked link ${url ?? ''} clicked`, Link: url ?? '', ClickLocation: 'HTML' };
    case 'opened':
      return { Summary: `Email opened with ${user_agent ?? 'an unknown client'}` };
    case 'unsubscribed':
    default:
      return { Summary: 'The recipient unsubscribed' };
  }
}
