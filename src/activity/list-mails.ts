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
 * One of three ways, by what the filters are: pages of what is counted anyway are found by the statistics, parts of
 * subjects by their trigrams, and everything else by the index of one of its filters.
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
