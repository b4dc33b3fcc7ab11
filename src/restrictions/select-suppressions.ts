import { addressKey } from '../base/db/address-key.ts';
import { notBlocked } from '../base/db/blocked-contacts.ts';
import { Conditions, escapeLike } from '../base/db/conditions.ts';
import { readDateRange } from '../base/http/date-range.ts';
import type { ExportColumn, ExportSelection } from '../exports/index.ts';
import type {
  ComplaintFilters,
  RestrictionFilters,
  RestrictionsQuery,
  UnsubscribeFilters,
} from './suppression-schemas.ts';

/** What a list and its export have in common. */
export interface Listing<Query> {
  query: Query;
  now: Date;
  timezone: string;
}

/** A mail can be reported while it is being recorded as sent; then its own row is more recent. */
const sentAt = (table: string): ExportColumn => ({
  name: 'sent_at',
  sql: `coalesce(${table}.sent_at, (select m.sent_at from mails m where m.mail_id = ${table}.mail_id))`,
  kind: 'date_time',
});
const ofMail: ExportColumn[] = [
  { name: 'mail_id', sql: 'mail_id', kind: 'uuid' },
  { name: 'msg_id', sql: 'msg_id', kind: 'uuid' },
  { name: 'to', sql: 'recipient', kind: 'text' },
  { name: 'sender', sql: 'sender', kind: 'text' },
];

export const complaintColumns: ExportColumn[] = [
  ...ofMail,
  { name: 'complained_at', sql: 'complained_at', kind: 'date_time' },
  { name: 'type', sql: 'type', kind: 'text' },
  { name: 'comment', sql: 'comment', kind: 'text' },
  sentAt('complaints'),
];

export const unsubscribeColumns: ExportColumn[] = [
  ...ofMail,
  { name: 'unsubscribed_at', sql: 'unsubscribed_at', kind: 'date_time' },
  { name: 'resubscribed_at', sql: 'resubscribed_at', kind: 'date_time' },
  { name: 'method', sql: 'method', kind: 'text' },
  { name: 'reason', sql: 'reason', kind: 'text' },
  {
    name: 'lifted_for',
    sql: `(select coalesce(jsonb_agg(jsonb_build_object('purpose_id', p.id, 'purpose', p.name,
        'consent_event_id', l.consent_event_id) order by p.id), '[]')
      from unsubscribe_lifts l join consent_purposes p on p.id = l.consent_purpose_id
      where l.mail_id = unsubscribes.mail_id)`,
    kind: 'json',
  },
  sentAt('unsubscribes'),
];

export const restrictionColumns: ExportColumn[] = [
  { name: 'id', sql: 'id', kind: 'number' },
  { name: 'recipient', sql: 'recipient', kind: 'text' },
  { name: 'reason', sql: 'reason', kind: 'text' },
  { name: 'mail_id', sql: 'mail_id', kind: 'uuid' },
  { name: 'detail', sql: 'detail', kind: 'text' },
  { name: 'created_at', sql: 'created_at', kind: 'date_time' },
];

/** Suppressions hold whatever their age, so there is no default date range. */
const wholePastMonths = 100 * 12;

type AnyFilters = ComplaintFilters | UnsubscribeFilters | RestrictionFilters;

/** Filters of all lists. The key is lower case, so a plain `like` is enough. */
function conditionsFor(instanceId: number, time: string, listing: Listing<AnyFilters>): Conditions {
  const { query, now, timezone } = listing;
  const conditions = new Conditions()
    .where('instance_id = ?', instanceId)
    .where(notBlocked('recipient_key'), instanceId);
  if (typeof query.recipient === 'string') {
    conditions.where(`recipient_key like ${addressKey('?')}`, `%${escapeLike(query.recipient)}%`);
  }
  if ((query.start_date ?? query.end_date ?? null) === null) return conditions;
  const { from, until } = readDateRange(query, { now, timezone, months: wholePastMonths });
  return conditions.where(`${time} >= ?`, from).where(`${time} < ?`, until);
}

export function selectComplaints(instanceId: number, listing: Listing<ComplaintFilters>): ExportSelection {
  const conditions = conditionsFor(instanceId, 'complained_at', listing)
    .where('sender_id = ?', listing.query.sender_id)
    .where('type = ?', listing.query.type);
  return {
    columns: complaintColumns,
    source: `from complaints where ${conditions.sql()}`,
    order_by: 'complained_at desc, mail_id desc',
    values: conditions.values,
  };
}

export function selectUnsubscribes(
  instanceId: number,
  listing: Listing<UnsubscribeFilters>,
): ExportSelection {
  const conditions = conditionsFor(instanceId, 'unsubscribed_at', listing)
    .where('sender_id = ?', listing.query.sender_id)
    .where('method = ?', listing.query.method);
  return {
    columns: unsubscribeColumns,
    source: `from unsubscribes where ${conditions.sql()}`,
    order_by: 'unsubscribed_at desc, mail_id desc',
    values: conditions.values,
  };
}

export function selectRestrictions(
  instanceId: number,
  listing: Listing<RestrictionFilters>,
  sort: RestrictionsQuery['sort'] = 'newest',
): ExportSelection {
  const conditions = conditionsFor(instanceId, 'created_at', listing).where(
    'reason = ?',
    listing.query.reason,
  );
  return {
    columns: restrictionColumns,
    source: `from restrictions where ${conditions.sql()}`,
    order_by: restrictionOrders[sort ?? 'newest'],
    values: conditions.values,
  };
}

/** Each is that of an index. */
const restrictionOrders = { newest: 'id desc', oldest: 'id', recipient: 'recipient_key' };
