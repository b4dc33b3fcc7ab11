import type { Database, Queryable } from '../base/db/database.ts';
import type { PageOf, PageRequest } from '../base/http/pagination.ts';
import { listByStats } from './list-by-stats.ts';
import { listCountable, listUncounted } from './list-by-index.ts';
import { isSelective, type Listing } from './mail-filters.ts';
import type { MailRecord, SentFilters } from './mail-schemas.ts';
import { searchSubjects } from './search-subjects.ts';
import { selectMails } from './select-mails.ts';
import { withinTime } from './within-time.ts';

type MailListing = Listing<SentFilters & PageRequest>;

/**
 * Three strategies: statistics for what is counted anyway, trigrams for subjects, and an index of one filter for the
 * rest.
 */
export async function listMails(db: Database, listing: MailListing): Promise<PageOf<MailRecord>> {
  const counted = await listByStats(db, listing);
  if (counted) return counted;
  return await withinTime(
    db,
    async (tx) => (await searchSubjects(tx, listing)) ?? (await listByIndex(tx, listing)),
  );
}

async function listByIndex(db: Queryable, listing: MailListing): Promise<PageOf<MailRecord>> {
  const { source, count_source, order_by, values } = selectMails(listing);
  const sql =
    listing.query.test_mode === true && !isSelective(listing.query) ? ofQuartersWithTests(source) : source;
  const found = { sql, ids: count_source, order_by, values };
  const counted = await listCountable(db, found, listing.query);
  return counted ?? (await listUncounted(db, found, { ...listing.query, total_items: null }));
}

/** Tests are few and have no index: only the quarters of an hour are read in which the statistics count some. */
function ofQuartersWithTests(mails: string): string {
  const counted = 'test > 0 and instance_id = $1 and quarter >= $2 and quarter < $3';
  return `from (
      select quarter from stats_quarters where not is_detail and sender_id = 0 and category_id = 0 and ${counted}
      union
      select quarter from stats_deltas where ${counted}
    ) as q cross join lateral (
      select * ${mails} and m.mail_id >= uuid_at(q.quarter) and m.mail_id < uuid_at(q.quarter + interval '15 minutes')
      -- Or the planner would read all quarters.
      offset 0
    ) as m`;
}
