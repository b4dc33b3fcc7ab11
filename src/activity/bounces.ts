import { Conditions } from '../base/db/conditions.ts';
import type { ExportColumn, ExportSelection } from '../exports/index.ts';
import type { BounceFilters } from './bounce-schemas.ts';
import { addMailFilters, ofEvents, rangeOf, type Listing } from './mail-filters.ts';
import { markColumns } from './mails.ts';

const columns: ExportColumn[] = [
  { name: 'mail_id', sql: 'm.mail_id', kind: 'uuid' },
  { name: 'msg_id', sql: 'm.msg_id', kind: 'uuid' },
  { name: 'to', sql: 'm.recipient', kind: 'text' },
  { name: 'sender', sql: 'm.sender_email', kind: 'text' },
  { name: 'subject', sql: 'm.subject', kind: 'text' },
  { name: 'bounced_at', sql: 'e.at', kind: 'date_time' },
  { name: 'type', sql: `e.data ->> 'type'`, kind: 'text' },
  { name: 'smtp_code', sql: `(e.data ->> 'smtp_code')::integer`, kind: 'number' },
  { name: 'enhanced_code', sql: `e.data ->> 'enhanced_code'`, kind: 'text' },
  {
    name: 'diagnostic',
    sql: `coalesce(e.data ->> 'response', e.data ->> 'detail', e.reason)`,
    kind: 'text',
  },
  { name: 'remote_host', sql: `e.data ->> 'remote_host'`, kind: 'text' },
  { name: 'sent_at', sql: 'm.sent_at', kind: 'date_time' },
  { name: 'custom_msg_id', sql: 'm.custom_msg_id', kind: 'text' },
  { name: 'custom_group_code', sql: 'm.custom_group_code', kind: 'text' },
  ...markColumns('m'),
];

/** Newest first. */
export function selectBounces(listing: Listing<BounceFilters>): ExportSelection {
  const { from, until, kept } = rangeOf(listing);
  const events = new Conditions()
    .where(`e.event = 'bounced' and e.instance_id = ?`, listing.instance.id)
    .where('e.event_id >= uuid_at(?::timestamptz)', from)
    .where('e.event_id < uuid_at(?::timestamptz)', until)
    .where('e.mail_id >= uuid_at(?::timestamptz)', kept)
    .where(`e.data ->> 'type' = ?`, listing.query.type);
  const mails = addMailFilters(new Conditions(events.values), listing);
  return {
    columns,
    ...ofEvents(events, mails, listing.instance.id),
    order_by: 'e.event_id desc',
  };
}
