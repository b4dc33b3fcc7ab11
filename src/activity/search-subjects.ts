import { mailNotBlocked } from '../base/db/blocked-contacts.ts';
import { Conditions } from '../base/db/conditions.ts';
import type { Queryable } from '../base/db/database.ts';
import { maxCounted, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { listCountable, listUncounted, type MailSource } from './list-by-index.ts';
import {
  isSelective,
  patternOf,
  rangeOf,
  recipientNotBlocked,
  subjectContains,
  type Listing,
  type Range,
} from './mail-filters.ts';
import type { MailRecord, SentFilters } from './mail-schemas.ts';
import { mailConditions } from './mails.ts';

/** Newest mails sampled first: 2 µs each, mostly for case-insensitive comparison. */
const sample = 500;
/** From this share on, scanning mails finds 10,000 sooner than the index. */
const commonShare = 0.05;
/** Shorter patterns contain no trigram. */
const minCharacters = 3;

interface Search {
  listing: Listing<SentFilters & PageRequest>;
  range: Range;
  subject: string;
}

/**
 * Searches by a part of the subject. Frequent words are found by scanning the newest mails, rare ones by the trigram
 * index. PostgreSQL cannot estimate which, so the newest mails are sampled. Undefined when another filter is
 * selective.
 */
export async function searchSubjects(
  db: Queryable,
  listing: Listing<SentFilters & PageRequest>,
): Promise<PageOf<MailRecord> | undefined> {
  const { subject } = listing.query;
  if (typeof subject !== 'string' || isSelective(listing.query)) return undefined;
  const search = { listing, range: rangeOf(listing), subject };
  const newest = await readNewest(db, search);
  const isCommon = newest.is_all || newest.matching > sample * commonShare || subject.length < minCharacters;
  if (!isCommon) {
    const source = byTrigrams(search);
    const few = await listCountable(db, source, listing.query);
    return few ?? (await listUncounted(db, source, { ...listing.query, total_items: null }));
  }
  const source = oneByOne(search);
  const total = newest.is_all ? newest.matching : await count(db, source);
  const total_items = total > maxCounted ? null : total;
  return await listUncounted(db, source, { ...listing.query, total_items });
}

interface Newest {
  matching: number;
  is_all: boolean;
}

function inRange({ listing, range }: Search): Conditions {
  return new Conditions()
    .where('m.instance_id = ?', listing.instance.id)
    .where('m.mail_id >= uuid_at(?::timestamptz)', range.from)
    .where('m.mail_id < uuid_at(?::timestamptz)', range.until)
    .where(recipientNotBlocked, listing.instance.id);
}

async function readNewest(db: Queryable, search: Search): Promise<Newest> {
  const conditions = inRange(search);
  const range = conditions.sql();
  const matching = mailConditions(new Conditions(conditions.values), search.listing);
  const [row] = await db.query<{ matching: number; looked_at: number }>(
    `select count(*) filter (where ${matching.sql()}) as matching, count(*) as looked_at
     from (select * from mails m where ${range} order by mail_id desc limit ${sample}) as m`,
    matching.values,
  );
  if (!row) throw new Error('An aggregate gave no row.');
  return { matching: row.matching, is_all: row.looked_at < sample };
}

function oneByOne(search: Search): MailSource {
  const conditions = mailConditions(inRange(search), search.listing);
  return { sql: `from mails m where ${conditions.sql()}`, values: conditions.values };
}

/**
 * Indexed and pending mails; in one statement each mail is in one of both, or in the index twice after an indexer of
 * the version before. The pattern needs the collation of the index, or the index is not used.
 */
function byTrigrams(search: Search): MailSource {
  const { subject, ...others } = search.listing.query;
  const range = inRange(search);
  const conditions = mailConditions(new Conditions(range.values), {
    query: others,
    instance: search.listing.instance,
  });
  const { length } = conditions.values;
  const [instance, from, until, blockedOf] = [1, 2, 3, 4].map((number) => `$${number}`);
  const pattern = `$${length + 1}`;
  const ids = `select s.mail_id from mail_subjects s
    where s.instance_id = ${instance} and s.subject like lower(${pattern}::text collate "und-x-icu") collate "default"
      and s.mail_id >= uuid_at(${from}) and s.mail_id < uuid_at(${until})
    union
    select n.mail_id
    from mail_subjects_pending p cross join unnest(p.mail_ids) as given (mail_id) cross join lateral (
      select mail_id, subject from mails
      where mail_id = given.mail_id and mail_id >= uuid_at(${from}) and mail_id < uuid_at(${until})
      -- Each by its key: the planner does not know how few they are.
      offset 0
    ) as n
    where p.instance_id = ${instance} and ${subjectContains('n.subject', pattern)}`;
  return {
    sql: `from mails m where ${range.sql()} and ${conditions.sql()} and m.mail_id in (${ids})`,
    ...(conditions.sql() === 'true'
      ? { ids: `from (${ids}) as m where ${mailNotBlocked('m.mail_id', blockedOf)}` }
      : {}),
    values: [...conditions.values, patternOf(subject)],
  };
}

async function count(db: Queryable, { sql, values }: MailSource): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) from (select 1 ${sql} limit ${maxCounted + 1}) as found`,
    values,
  );
  return row?.count ?? 0;
}
