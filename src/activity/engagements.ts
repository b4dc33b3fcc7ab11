import { Conditions } from '../base/db/conditions.ts';
import type { ExportColumn, ExportSelection } from '../exports/index.ts';
import type { EngagementFilters, Grouping } from './engagement-schemas.ts';
import { addMailFilters, ofEvents, rangeOf, recipientNotBlocked, type Listing } from './mail-filters.ts';
import { firstEventOf } from './mail-id.ts';
import { markColumns } from './mails.ts';

/** Opens or clicks, and their names. */
export interface EngagementKind {
  event: 'opened' | 'clicked';
  /** Column of the mail. */
  counter: 'opens' | 'clicks';
  count: 'open_count' | 'click_count';
  recipients: 'recipients_opened' | 'recipients_clicked';
}

export const opened: EngagementKind = {
  event: 'opened',
  counter: 'opens',
  count: 'open_count',
  recipients: 'recipients_opened',
};
export const clicked: EngagementKind = {
  event: 'clicked',
  counter: 'clicks',
  count: 'click_count',
  recipients: 'recipients_clicked',
};

export interface EngagementListing extends Listing<EngagementFilters> {
  /** Whether a grouped list should start from events, because there are few. */
  starts_from_events?: boolean;
}

const uuid = (name: string, sql: string): ExportColumn => ({ name, sql, kind: 'uuid' });
const text = (name: string, sql: string): ExportColumn => ({ name, sql, kind: 'text' });
const number = (name: string, sql: string): ExportColumn => ({ name, sql, kind: 'number' });
const date = (name: string, sql: string): ExportColumn => ({ name, sql, kind: 'date_time' });

const is_machine = `coalesce((e.data ->> 'is_machine')::boolean, false)`;

/** Machine visits are left out of rows and counts alike, or included in both. */
export function selectEngagements(kind: EngagementKind, listing: EngagementListing): ExportSelection {
  const selections: Record<Grouping, () => ExportSelection> = {
    none: () => selectEach(kind, listing),
    mail_id: () => selectByMail(kind, listing),
    msg_id: () => selectByMessage(kind, listing),
  };
  return selections[listing.query.group_by ?? 'none']();
}

/** Condition on `events e` for people or all visitors. */
function visitors({ query }: EngagementListing): string {
  return query.include_machine === true ? 'true' : `not ${is_machine}`;
}

/** Conditions on `events e`. */
function eventConditions({ event }: EngagementKind, listing: EngagementListing): Conditions {
  const { from, until, kept } = rangeOf(listing);
  return new Conditions()
    .where(`e.instance_id = ? and e.event = '${event}' and ${visitors(listing)}`, listing.instance.id)
    .where('e.event_id >= uuid_at(?::timestamptz)', from)
    .where('e.event_id < uuid_at(?::timestamptz)', until)
    .where('e.mail_id >= uuid_at(?::timestamptz)', kept);
}

function selectEach(kind: EngagementKind, listing: EngagementListing): ExportSelection {
  const events = eventConditions(kind, listing);
  const mails = addMailFilters(new Conditions(events.values), listing);
  const at = `${kind.event}_at`;
  return {
    columns: [
      uuid('mail_id', 'm.mail_id'),
      uuid('msg_id', 'm.msg_id'),
      text('to', 'm.recipient'),
      text('sender', 'm.sender_email'),
      date(at, 'e.at'),
      ...(kind.event === 'clicked' ? [text('url', `e.data ->> 'url'`)] : []),
      text('user_agent', `e.data ->> 'user_agent'`),
      { name: 'is_machine', sql: is_machine, kind: 'boolean' },
      number(kind.count, 'e.visits'),
      date('sent_at', 'm.sent_at'),
      text('custom_msg_id', 'm.custom_msg_id'),
      text('custom_group_code', 'm.custom_group_code'),
      ...markColumns('m'),
    ],
    ...ofEvents(events, mails, listing.instance.id),
    order_by: 'e.event_id desc',
  };
}

/**
 * From the newest mail on, each with its events: a page reads as many mails as it has rows, however many events there
 * are. The counter of the mail, which counts people, selects the mails.
 */
function mailsWithEvents(
  kind: EngagementKind,
  listing: EngagementListing,
): { sql: string; values: unknown[] } {
  const { from, until, kept } = rangeOf(listing);
  const engaged = listing.query.include_machine === true ? 'true' : `m.${kind.counter} > 0`;
  const conditions = new Conditions([from, until])
    .where('m.instance_id = ?', listing.instance.id)
    .where(`m.mail_id >= uuid_at(?::timestamptz) and ${engaged}`, kept)
    .where('m.mail_id < uuid_at(?::timestamptz)', until);
  addMailFilters(conditions, listing).where(recipientNotBlocked, listing.instance.id);
  return {
    sql: `from ${listing.starts_from_events ? mailsOfEvents(kind) : 'mails m'} cross join lateral (
        select sum(e.visits) as count, min(e.at) as first, max(e.at) as last from events e
        where e.mail_id = m.mail_id and e.event = '${kind.event}' and ${visitors(listing)}
          and e.event_id >= uuid_at($1::timestamptz) and e.event_id < uuid_at($2::timestamptz)
          and e.event_id >= ${firstEventOf('m.mail_id')}
      ) as o where o.count > 0 and ${conditions.sql()}`,
    values: conditions.values,
  };
}

/** The mails of the events in the range. */
function mailsOfEvents({ event }: EngagementKind): string {
  return `(
    select distinct mail_id from events where instance_id = $3 and event = '${event}'
      and event_id >= uuid_at($1::timestamptz) and event_id < uuid_at($2::timestamptz)
  ) as few join mails m on m.mail_id = few.mail_id`;
}

function selectByMail(kind: EngagementKind, listing: EngagementListing): ExportSelection {
  const { sql, values } = mailsWithEvents(kind, listing);
  return {
    columns: [
      uuid('mail_id', 'g.mail_id'),
      uuid('msg_id', 'g.msg_id'),
      text('to', 'g.recipient'),
      text('sender', 'g.sender_email'),
      number(kind.count, 'g.count'),
      date(`first_${kind.event}_at`, 'g.first'),
      date(`last_${kind.event}_at`, 'g.last'),
      date('sent_at', 'g.sent_at'),
      text('custom_msg_id', 'g.custom_msg_id'),
      text('custom_group_code', 'g.custom_group_code'),
      ...markColumns('g'),
    ],
    source: `from (select m.*, o.* ${sql}) as g`,
    order_by: 'g.mail_id desc',
    values,
  };
}

function selectByMessage(kind: EngagementKind, listing: EngagementListing): ExportSelection {
  const { sql, values } = mailsWithEvents(kind, listing);
  return {
    columns: [
      uuid('msg_id', 'g.msg_id'),
      text('sender', 'g.sender'),
      text('subject', 'g.subject'),
      number(kind.count, 'g.count'),
      number(kind.recipients, 'g.recipients'),
      number('rcpt_count', '(select rcpt_count from messages where msg_id = g.msg_id)'),
      date(`first_${kind.event}_at`, 'g.first'),
      date(`last_${kind.event}_at`, 'g.last'),
      text('custom_msg_id', 'g.custom_msg_id'),
      text('custom_group_code', 'g.custom_group_code'),
      ...markColumns('g'),
    ],
    source: `from (
      select m.msg_id, min(m.sender_email) as sender, min(m.subject) as subject, sum(o.count)::bigint as count,
        count(*) as recipients, min(o.first) as first, max(o.last) as last, min(m.custom_msg_id) as custom_msg_id,
        min(m.custom_group_code) as custom_group_code, min(m.category_id) as category_id, bool_or(m.test_mode) as test_mode,
        (array_agg(m.tags))[1] as tags
      ${sql} group by m.msg_id order by m.msg_id desc
    ) as g`,
    order_by: 'g.msg_id desc',
    values,
  };
}
