import { addressKey } from '../base/db/address-key.ts';
import type { Queryable } from '../base/db/database.ts';
import type { Answer } from './read-answer.ts';
import { contactKeyOf, notBlocked } from './submission-conditions.ts';

/** What a contact told, by `field_key`. */
export type ContactAnswers = Record<string, Answer>;

interface AnswerRow {
  answers: Record<string, Answer | null>;
  email: string;
  is_proven: boolean;
}

const provenAtMost = 200;
/** Anybody can add to these. */
const othersAtMost = 50;

const answersQuery = `
  with told as (
    select s.id, s.answers, s.answers ->> 'EMAIL' as email, s.is_update or s.expires_at is not null as is_proven
    from form_submissions s
    where s.instance_id = $1 and s.status = 'confirmed' and ${contactKeyOf('s')} = ${addressKey('$2')} and ${notBlocked('$1')}
  )
  (select answers, email, is_proven from told where is_proven order by id desc limit ${provenAtMost})
  union all
  (select answers, email, is_proven from told where not is_proven order by id desc limit ${othersAtMost})`;

/**
 * What a contact told last, field by field; undefined where nothing counts that was filled in with the address. What was told from the
 * mailbox itself, by double opt-in or by a link to it, outweighs what anybody may have typed.
 */
export async function findContactAnswers(
  db: Queryable,
  instanceId: number,
  email: string,
): Promise<ContactAnswers | undefined> {
  const found = await db.query<AnswerRow & Record<string, unknown>>(answersQuery, [instanceId, email]);
  const theirs = found.filter((each) => isSameMailbox(each.email, email));
  if (theirs.length === 0) return undefined;
  const merged = new Map<string, Answer | null>();
  for (const { answers } of theirs) {
    for (const [key, answer] of Object.entries(answers)) if (!merged.has(key)) merged.set(key, answer);
  }
  // A null takes an earlier answer back.
  return Object.fromEntries([...merged].flatMap(([key, answer]) => (answer === null ? [] : [[key, answer]])));
}

/** `K` and the sign for kelvin have one lower case, and may be two mailboxes: beyond ASCII, letters have to be the same. */
function isSameMailbox(one: string, other: string): boolean {
  if (one === other) return true;
  const isPlain = /^[\x20-\x7e]*$/;
  return isPlain.test(one) && isPlain.test(other) && one.toLowerCase() === other.toLowerCase();
}
