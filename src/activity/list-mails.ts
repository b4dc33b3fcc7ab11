import type { Database, Queryable } from '../base/db/database.ts';
import type { PageOf, PageRequest } from '../base/http/pagination.ts';
import { listCounted } from './counted-mails.ts';
import { listFew, listMany } from './few-mails.ts';
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
  const counted = await listCounted(db, listing);
  if (counted) return counted;
  return await withinTime(
    db,
    async (tx) => (await searchSubjects(tx, listing)) ?? (await listByIndex(tx, listing)),
  );
}

async function listByIndex(db: Queryable, listing: MailListing): Promise<PageOf<MailRecord>> {
  const { source: sql, values } = selectMails(listing);
  const few = await listFew(db, { sql, values }, listing.query);
  return few ?? (await listMany(db, { sql, values }, { ...listing.query, total_items: null }));
}
