import { mailNotBlocked } from '../base/db/blocked-contacts.ts';
import { Conditions } from '../base/db/conditions.ts';
import type { ExportSelection } from '../exports/index.ts';
import { isSelective, rangeOf, recipientNotBlocked, type Listing } from './mail-filters.ts';
import type { SentFilters } from './mail-schemas.ts';
import { mailColumns, mailConditions } from './mails.ts';

/** Newest first. The instance and both ends of the time range come first in the values. */
export function selectMails(listing: Listing<SentFilters>): ExportSelection {
  const { tag = [], ...others } = listing.query;
  const isByTags = tag.length > 0 && !isSelective(others);
  return isByTags ? selectTagged(listing) : selectInRange(listing);
}

/** A time range is a range of ids, so only its partitions are read. */
function selectInRange(listing: Listing<SentFilters>): ExportSelection {
  const { from, until } = rangeOf(listing);
  const conditions = new Conditions()
    .where('m.instance_id = ?', listing.instance.id)
    .where('m.mail_id >= uuid_at(?::timestamptz)', from)
    .where('m.mail_id < uuid_at(?::timestamptz)', until)
    .where(recipientNotBlocked, listing.instance.id);
  mailConditions(conditions, listing);
  return {
    columns: mailColumns,
    source: `from mails m where ${conditions.sql()}`,
    order_by: 'm.mail_id desc',
    values: conditions.values,
  };
}

/**
 * By the index of tags, which has the mails of each in order of time, and each mail by its key: where another condition is met by
 * few mails, the planner would walk through all of the range.
 */
function selectTagged(listing: Listing<SentFilters>): ExportSelection {
  const { query, instance } = listing;
  const { tag = [], ...others } = query;
  const { from, until } = rangeOf(listing);
  const conditions = new Conditions([instance.id, from, until]);
  const [first = '', ...more] = Array.from(
    new Set(tag),
    (each) => `select mail_id from mail_tags where instance_id = $1 and tag = ${conditions.value(each)}
      and mail_id >= uuid_at($2::timestamptz) and mail_id < uuid_at($3::timestamptz)`,
  );
  const all = [first, ...more.map((each) => `mail_id in (${each})`)].join(' and ');
  const tagged = `(${all} order by mail_id desc offset 0)`;
  const isAlone = mailConditions(conditions, { query: others, instance }).sql() === 'true';
  return {
    columns: mailColumns,
    source: `from ${tagged} as tagged cross join lateral (
        select * from mails m where m.mail_id = tagged.mail_id and ${conditions.sql()}
          and ${recipientNotBlocked.replaceAll('?', '$1')}
        offset 0
      ) as m`,
    count_source: isAlone ? `from ${tagged} as m where ${mailNotBlocked('m.mail_id', '$1')}` : undefined,
    order_by: 'tagged.mail_id desc',
    values: conditions.values,
  };
}
