import type { Queryable } from '../base/db/database.ts';
import {
  type Collection,
  erased_address,
  erased_at_once,
  escapePattern,
  type Person,
  type PersonalData,
  type PersonalRow,
  wholeAddress,
} from '../base/personal-data.ts';

/** Lines looked through at once, by the index of the instance. */
const scanned_rows = 5_000;

/** Of the digits of a phone number, as people write them. */
const separators = String.raw`[\s()./\u2010-\u2015-]*`;

/**
 * A regular expression that finds whole identifiers, in any letters and as JSON writes them: `ana@example.com` is not found
 * in `susana@example.com`, and a code only where it is a whole value. Null, which finds nothing, for nobody: without
 * identifiers the expression would match every line.
 */
function patternOf({ emails, phones, codes }: Person): string | null {
  const escaped = (text: string): string => escapePattern(JSON.stringify(text).slice(1, -1));
  // Other texts may be long, and the expression is bounded.
  const digits = (text: string): string =>
    Array.from(/^\+?\d{6,15}$/.test(text) ? text : [text], escaped).join(separators);
  const patterns = [
    ...emails.map((text) => wholeAddress(escaped(text))),
    ...phones.map((text) => String.raw`(?<![0-9+])${digits(text)}(?![0-9])`),
    ...codes.map((text) => `(?<=")${escaped(text)}(?=")|^${escaped(text)}$`),
  ];
  return patterns.length > 0 ? `(?:${patterns.join('|')})` : null;
}

/** Names and numbers of the details are no identifiers, and neither are the numbers of other objects. */
const about = `(a.details::text ~* $2 and exists (
    select from jsonb_path_query(a.details, 'strict $.**') as value
    where jsonb_typeof(value) = 'string' and value::text ~* $2)
  or a.object_kind = 'contact' and a.object_id ~* $2)`;

const lines: Collection = {
  name: 'audit_events',
  about: 'What people and systems of the sender did that concerns the person.',
  columns: {
    id: 'Identifier of the line.',
    at: 'When.',
    action: 'What was done.',
    object_kind: 'To what kind of object.',
    object_id: 'To which one.',
    details: 'Details.',
  },
  async *rows(db, person) {
    for await (const [from, to] of ranges(db, person.instance_id)) {
      const rows = await db.query<PersonalRow>(
        `select a.id, a.at, a.action, a.object_kind, a.object_id, a.details from audit_events a
         where a.instance_id = $1 and a.id > $3 and a.id <= $4 and ${about} order by a.id`,
        [person.instance_id, patternOf(person), from, to],
      );
      if (rows.length > 0) yield rows;
    }
  },
};

/** Ranges of identifiers with so many lines each. */
async function* ranges(db: Queryable, instanceId: number): AsyncGenerator<[number, number]> {
  for (let from = 0; ;) {
    const [row] = await db.query<{ last: number | null; count: number }>(
      `select max(id) as last, count(*) from (
         select id from audit_events where instance_id = $1 and id > $2 order by id limit ${scanned_rows}) as next`,
      [instanceId, from],
    );
    if (!row || row.last === null) return;
    yield [from, row.last];
    from = row.last;
  }
}

/** That something was done stays; to whom, and what was said about them, does not. What no user did was asked for from the person's own address. */
async function erase(tx: Queryable, person: Person): Promise<number> {
  const rows = await tx.query(
    `update audit_events a set details = (
         select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(a.details)
         where jsonb_typeof(value) in ('number', 'boolean')),
       object_id = case when a.object_kind = 'contact' then regexp_replace(a.object_id, $2, $3, 'gi') else a.object_id end,
       address = case when a.actor_kind <> 'system' then a.address end
     where a.id in (select a.id from audit_events a where a.instance_id = $1 and ${about} order by a.id
       limit ${erased_at_once} for no key update)
     returning a.id`,
    [person.instance_id, patternOf(person), erased_address],
  );
  return rows.length;
}

export const personalData: PersonalData = { tables: ['audit_events'], collect: [lines], erase };
