import type { Queryable } from '../base/db/database.ts';
import type { Language } from '../base/http/preferred-language.ts';
import type { Collection, Person, PersonalRow } from '../base/personal-data.ts';
import { type ContentContext, messageSourcesOf } from '../deliver/index.ts';
import { mailsOf } from '../mails/index.ts';
import { csvLine } from '../protocol/csv/write-csv.ts';
import type { ZipFile } from '../protocol/zip/zip-stream.ts';
import { indexPage } from './archive-index.ts';
import { rooms } from './personal-data.ts';

export interface ArchiveContext {
  db: Queryable;
  /** Builds a message as its recipient gets it. */
  build: ContentContext['build'];
}

export interface ArchiveSubject {
  person: Person;
  /** The person's own words for themselves: what they asked about. */
  contacts: { contact: string }[];
  instance: { name: string };
  /** Of the person, in which the index is written. */
  language: Language;
  made_at: Date;
}

const collections: readonly Collection[] = rooms.flatMap(({ collect }) => collect);

/** Everything about a person, file by file. Each is read from the database while it is sent. */
export async function* archiveFiles(
  context: ArchiveContext,
  subject: ArchiveSubject,
): AsyncGenerator<ZipFile> {
  const counts = new Map<string, number>();
  for (const collection of collections) {
    const { name, columns } = collection;
    const pages = (): AsyncIterable<PersonalRow[]> => collection.rows(context.db, subject.person);
    yield { name: `${name}.json`, content: asJson(pages(), (rows) => count(counts, name, rows)) };
    yield { name: `${name}.csv`, content: asCsv(pages(), Object.keys(columns)) };
  }
  yield* messages(context, subject.person);
  yield { name: 'schema.json', content: Buffer.from(`${JSON.stringify(schema, undefined, 2)}\n`) };
  // Last, since only now it is known how much there is.
  yield { name: 'index.html', content: Buffer.from(indexPage(subject, collections, counts)) };
}

function count(counts: Map<string, number>, name: string, rows: number): void {
  counts.set(name, (counts.get(name) ?? 0) + rows);
}

/** What each file contains, for programs. */
const schema = {
  format: 'chasqui-personal-data',
  version: 1,
  about: 'Each file NAME.json is a list of objects; NAME.csv has the same rows. Times are RFC 3339 in UTC.',
  files: Object.fromEntries(collections.map(({ name, about, columns }) => [name, { about, columns }])),
};

async function* asJson(
  pages: AsyncIterable<PersonalRow[]>,
  counted: (rows: number) => void,
): AsyncGenerator<Buffer> {
  let before = '[\n';
  for await (const rows of pages) {
    if (rows.length === 0) continue;
    counted(rows.length);
    yield Buffer.from(before + rows.map((row) => JSON.stringify(row)).join(',\n'));
    before = ',\n';
  }
  yield Buffer.from(before === ',\n' ? '\n]\n' : '[]\n');
}

async function* asCsv(pages: AsyncIterable<PersonalRow[]>, columns: string[]): AsyncGenerator<Buffer> {
  // With a BOM, by which spreadsheets recognise UTF-8.
  yield Buffer.from(`\u{feff}${csvLine(columns)}`);
  for await (const rows of pages) {
    if (rows.length > 0)
      yield Buffer.from(rows.map((row) => csvLine(columns.map((name) => row[name]))).join(''));
  }
}

/** One message at a time is built. */
async function* messages(context: ArchiveContext, person: Person): AsyncGenerator<ZipFile> {
  for await (const page of mailsOf(context.db, person)) {
    for await (const { mail_id, raw } of messageSourcesOf(context, person.instance_id, page)) {
      yield { name: `mails/${mail_id}.eml`, content: raw };
    }
  }
}
