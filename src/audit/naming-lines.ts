import type { Queryable } from '../base/db/database.ts';
import type { LineWords } from './person-in-line.ts';

/** Lines looked through at once, by the index of the instance. */
const scannedRows = 2_000;

/** Lines that can name a person: others are many, and need not leave the database. */
const mayName = `(a.object_kind = 'contact' or a.details::text like '%@%'
  or a.details::text like any (array['%"contact"%', '%"phone"%', '%"phone_number"%', '%"uniquecode"%']))`;

const newest = '9223372036854775807';

export interface Line extends LineWords {
  id: number;
}

interface Range {
  instance_id: number;
  /** Lines with a lower identifier. */
  before: string | undefined;
}

/** The lines of one range that may name a person, the newest first, and where the next range begins. */
export async function nextLines(
  db: Queryable,
  { instance_id, before = newest }: Range,
): Promise<{ lines: Line[]; next: string | undefined }> {
  const [range] = await db.query<{ first: string | null; count: number }>(
    `select min(id)::text as first, count(*) from (
       select id from audit_events where instance_id = $1 and id < $2 order by id desc limit ${scannedRows}) as next`,
    [instance_id, before],
  );
  if (!range || range.first === null) return { lines: [], next: undefined };
  const lines = await db.query<Line & Record<string, unknown>>(
    `select a.id, a.object_kind, a.object_id, a.details from audit_events a
     where a.instance_id = $1 and a.id >= $2 and a.id < $3 and ${mayName} order by a.id desc`,
    [instance_id, range.first, before],
  );
  return { lines, next: range.count < scannedRows ? undefined : range.first };
}

/** Every line of an instance that may name a person, the newest first. */
export async function* linesOf(db: Queryable, instance_id: number): AsyncGenerator<Line[]> {
  let before: string | undefined;
  do {
    const { lines, next } = await nextLines(db, { instance_id, before });
    if (lines.length > 0) yield lines;
    before = next;
  } while (before !== undefined);
}
