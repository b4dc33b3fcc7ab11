import type { Queryable } from '../base/db/database.ts';
import type { EngagementKind, EngagementListing } from './engagements.ts';
import { isSelective, rangeOf } from './mail-filters.ts';

/** Counted within a millisecond or two; so many mails can be fetched one by one. */
const max_events = 2_000;

/**
 * Whether there are so few events that scanning mails would take long to find any: then the list starts from events.
 * A selective filter needs no such check.
 */
export async function hasFewEngagements(
  db: Queryable,
  { event }: EngagementKind,
  listing: EngagementListing,
): Promise<boolean> {
  if (isSelective(listing.query)) return false;
  const { from, until } = rangeOf(listing);
  const [row] = await db.query<{ count: number }>(
    `select count(*) from (
       select 1 from events where instance_id = $1 and event = '${event}'
         and event_id >= uuid_at($2::timestamptz) and event_id < uuid_at($3::timestamptz) limit ${max_events}
     ) as counted`,
    [listing.instance.id, from, until],
  );
  return (row?.count ?? 0) < max_events;
}
