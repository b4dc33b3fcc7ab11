import type { Database, Queryable } from '../base/db/database.ts';
import type { PageOf, PageRequest } from '../base/http/pagination.ts';
import { listByStats } from './list-by-stats.ts';
import { listCountable, listUncounted } from './list-by-index.ts';
import type { Listing } from './mail-filters.ts';
import type { MailRecord, SentFilters } from './mail-schemas.ts';
import { selectMails } from './mails.ts';
import { searchSubjects } from './search-subjects.ts';
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
  const { source: sql, values } = selectMails(listing);
  const counted = await listCountable(db, { sql, values }, listing.query);
  return counted ?? (await listUncounted(db, { sql, values }, { ...listing.query, total_items: null }));
}
