import type { Queryable } from './db/database.ts';

/** One person in one instance, by their identifiers in canonical form. */
export interface Person {
  instance_id: number;
  /** In lower case, as the database writes it too. */
  emails: string[];
  phones: string[];
  codes: string[];
}

export type PersonalRow = Record<string, unknown>;

/** Personal data of a room in one table or view, as one file of an archive. */
export interface Collection {
  /** Name of the file, without extension. */
  name: string;
  /** What it is, for the schema inside the archive. */
  about: string;
  /** Members of a row, each with what it means. */
  columns: Record<string, string>;
  /** In pages, so that memory does not grow with the rows. */
  rows: (db: Queryable, person: Person) => AsyncIterable<PersonalRow[]>;
}

/** Mails of the person that are erased together, in one transaction. */
export interface ErasedMails {
  instance_id: number;
  mail_ids: string[];
  /** The messages of these mails, whose content goes with them. */
  msg_ids: string[];
  /** Mails of the same messages to others: what they repeat of the content goes too. */
  sibling_ids: string[];
}

/** What a room offers for privacy requests. Only the owner of a table reads and erases it. */
export interface PersonalData {
  /** The tables it answers for, as `database/personal-data.json` names them. */
  tables: readonly string[];
  /** What there is about a person. */
  collect: readonly Collection[];
  /** What belongs to mails of the person, in the transaction that erases these mails. */
  eraseOfMails?: (tx: Queryable, mails: ErasedMails) => Promise<void>;
  /**
   * Erases some of what is found by the person's identifiers: what stands before a place, the newest first. Safe to repeat.
   * Every batch begins where the last one ended, so that an erasure ends whatever it writes, and whatever is added meanwhile.
   */
  erase?: (tx: Queryable, person: Person, before: string | undefined) => Promise<ErasedBatch>;
}

export interface ErasedBatch {
  rows: number;
  /** Where the next batch begins; undefined at the end. */
  next: string | undefined;
}

/** Of rows that were found newest first: one batch more where there may be older ones. */
export function batchOf(ids: (number | string)[], limit: number): ErasedBatch {
  const last = ids.at(-1);
  return { rows: ids.length, next: ids.length < limit || last === undefined ? undefined : String(last) };
}

/** Stands where an address was. The domain is reserved for what never exists (RFC 2606). */
export const erasedAddress = 'erased@erased.invalid';
/** Replaces erased text. It is neither an address nor a number nor a code: brackets are not in their alphabet (`contacts.ts`). */
export const erasedText = '[erased]';

/** Rows of one transaction, few enough to hold no lock for long. */
export const erasedAtOnce = 500;

export const pageRows = 500;

/** Pages by a key that `read` continues after; the last page is not full. */
export async function* pagesBy<Row extends PersonalRow, Key>(
  read: (after: Key | undefined) => Promise<Row[]>,
  keyOf: (row: Row) => Key,
): AsyncGenerator<Row[]> {
  let after: Key | undefined;
  for (;;) {
    const rows = await read(after);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < pageRows) return;
    after = keyOf(last);
  }
}
