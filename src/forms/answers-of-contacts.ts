import type { Queryable } from '../base/db/database.ts';
import type { ContactAnswers } from './contact-answers.ts';
import type { Answer } from './read-answer.ts';
import { contactKeyOf, notBlocked } from './submission-conditions.ts';
import { addressKey } from '../base/db/address-key.ts';

const email = `(s.answers ->> 'EMAIL')`;
/** Canonical consents have lower case. Beyond ASCII, letters have to be the same: see `contact-answers.ts`. */
const contact = `case when octet_length(${email}) = char_length(${email}) then lower(${email} collate "C") collate "default" else ${email} end`;
const isProven = '(s.is_update or s.expires_at is not null)';

/**
 * SQL: what every contact of an instance answered last to one field, `contact` and `value`, which is JSON; null where the answer was
 * taken back. What was told from the mailbox itself outweighs what anybody may have typed, as in `findContactAnswers`.
 */
export function newestAnswers(instance: string, field: string): string {
  return `
    select distinct on (told.contact) told.contact, nullif(told.value, 'null'::jsonb) as value
    from (
      select ${contact} as contact, s.answers -> ${field} as value, ${isProven} as is_proven, s.id
      from form_submissions s
      where s.instance_id = ${instance} and s.status = 'confirmed' and s.answers ? ${field} and ${notBlocked(instance)}
    ) as told
    order by told.contact, told.is_proven desc, told.id desc`;
}

/** Of one contact, newest first. More were hardly typed by one person. */
const submissionsAtMost = 50;

const among = `
  select given.contact, told.answers
  from unnest($2::text[]) as given (contact)
  cross join lateral (
    select s.answers, ${isProven} as is_proven, s.id
    from form_submissions s
    where s.instance_id = $1 and s.status = 'confirmed' and ${contactKeyOf('s')} = ${addressKey('given.contact')}
      and ${contact} = given.contact and ${notBlocked('$1')}
    order by s.id desc limit ${submissionsAtMost}
  ) as told
  order by told.is_proven desc, told.id desc`;

/** What each of these contacts, in canonical form, answered last, field by field. Who answered nothing is left out. */
export async function answersAmong(
  db: Queryable,
  instanceId: number,
  contacts: string[],
): Promise<Map<string, ContactAnswers>> {
  const rows = await db.query<{ contact: string; answers: Record<string, Answer | null> }>(among, [
    instanceId,
    contacts,
  ]);
  const told = Map.groupBy(rows, (row) => row.contact);
  return new Map([...told].map(([key, some]) => [key, newestOf(some.map(({ answers }) => answers))]));
}

/** The first that has a field wins; a null takes an earlier answer back. */
function newestOf(told: Record<string, Answer | null>[]): ContactAnswers {
  const merged = new Map<string, Answer | null>();
  for (const answers of told) {
    for (const [key, answer] of Object.entries(answers)) if (!merged.has(key)) merged.set(key, answer);
  }
  return Object.fromEntries([...merged].flatMap(([key, answer]) => (answer === null ? [] : [[key, answer]])));
}
