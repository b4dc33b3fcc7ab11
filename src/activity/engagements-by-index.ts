import type { Queryable } from '../base/db/database.ts';
import type { EngagementKind, EngagementListing } from './engagements.ts';
import { rangeOf } from './mail-filters.ts';

/** So many events are counted in a millisecond or two; the mails of fewer can be fetched one by one. */
const few = 2_000;

/**
 * Whether there is so little that walking through the mails could take long to find any: then the list begins with the
 * events. A filter that finds few mails by itself needs no such look.
 */
export async function engagementsByIndex(
  db: Queryable,
  { event }: EngagementKind,
  listing: EngagementListing,
): Promise<boolean> {
  const { recipient, msg_id, mail_id, custom_msg_id, custom_group_code } = listing.query;
  const filters = [recipient, msg_id, mail_id, custom_msg_id, custom_group_code];
  if (filters.some((filter) => typeof filter === 'string')) return false;
  const { from, until } = rangeOf(listing);
  const [row] = await db.query<{ count: number }>(
    `select count(*) from (
       select 1 from events where instance_id = $1 and event = '${event}'
         and event_id >= uuid_at($2::timestamptz) and event_id < uuid_at($3::timestamptz) limit ${few}
     ) as counted`,
    [listing.instance.id, from, until],
  );
  return (row?.count ?? 0) < few;
}
