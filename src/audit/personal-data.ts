import type { Queryable } from '../base/db/database.ts';
import {
  type Collection,
  erasedText,
  type ErasedBatch,
  type Person,
  type PersonalData,
  type PersonalRow,
} from '../base/personal-data.ts';
import { recogniserOf } from '../base/recognise.ts';
import { linesOf, nextLines } from './naming-lines.ts';
import { withoutPerson } from './person-in-line.ts';

/** Who did it, what and when is of the sender's people, and is not given out. */
const said: Collection = {
  name: 'audit_events',
  about: 'What the log of the sender’s actions says about the person.',
  columns: {
    id: 'Identifier of the line.',
    said: 'What it says: each place in the line, with its text.',
  },
  async *rows(db, person) {
    const recognises = recogniserOf(person);
    for await (const lines of linesOf(db, person.instance_id)) {
      yield lines.flatMap((line): PersonalRow[] => {
        const named = withoutPerson(line, recognises, '');
        return named ? [{ id: line.id, said: named.said }] : [];
      });
    }
  },
};

/**
 * Actor, action, object and time stay, and every detail that is not about the person. What no user did was asked for from the
 * person's own network address.
 */
async function erase(tx: Queryable, person: Person, before: string | undefined): Promise<ErasedBatch> {
  const { instance_id } = person;
  const recognises = recogniserOf(person);
  const { lines, next } = await nextLines(tx, { instance_id, before });
  const erased = lines.flatMap((line) => {
    const named = withoutPerson(line, recognises, erasedText);
    return named ? [{ id: line.id, ...named.words }] : [];
  });
  await tx.query(
    `update audit_events a set object_id = e.object_id, details = e.details::jsonb,
       address = case when a.actor_kind <> 'system' then a.address end
     from unnest($2::bigint[], $3::text[], $4::text[]) as e (id, object_id, details)
     where a.id = e.id and a.instance_id = $1`,
    [
      instance_id,
      erased.map(({ id }) => id),
      erased.map(({ object_id }) => object_id),
      erased.map(({ details }) => JSON.stringify(details)),
    ],
  );
  return { rows: erased.length, next };
}

export const personalData: PersonalData = { tables: ['audit_events'], collect: [said], erase };
