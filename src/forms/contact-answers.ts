import { addressKey } from '../base/db/address-key.ts';
import type { Queryable } from '../base/db/database.ts';
import type { Answer } from './read-answer.ts';
import { contactKeyOf, notBlocked } from './submission-conditions.ts';

/** What a contact told, by `field_key`. */
export type ContactAnswers = Record<string, Answer>;

/** One submission of a contact that counts, or what an import told. */
export interface ToldAnswers {
  submission_id: number;
  form_id: number | null;
  contact_import_id: number | null;
  answers: Record<string, Answer | null>;
  email: string;
  /** By double opt-in or by a link to the mailbox. */
  is_proven: boolean;
  created_at: Date;
}

const provenAtMost = 200;
/** Anybody can add to these. */
const othersAtMost = 50;

const answersQuery = `
  with told as (
    select s.id as submission_id, s.form_id, s.contact_import_id, s.answers, s.answers ->> 'EMAIL' as email,
      s.is_update or s.expires_at is not null as is_proven, s.created_at
    from form_submissions s
    where s.instance_id = $1 and s.status = 'confirmed' and ${contactKeyOf('s')} = ${addressKey('$2')} and ${notBlocked('$1')}
  )
  (select * from told where is_proven order by submission_id desc limit ${provenAtMost})
  union all
  (select * from told where not is_proven order by submission_id desc limit ${othersAtMost})`;

/**
 * What a contact told, what outweighs the rest first: what was told from the mailbox itself, by double opt-in or by a link to it,
 * outweighs what anybody may have typed, and newer outweighs older.
 */
export async function listToldAnswers(
  db: Queryable,
  instanceId: number,
  email: string,
): Promise<ToldAnswers[]> {
  const found = await db.query<ToldAnswers & Record<string, unknown>>(answersQuery, [instanceId, email]);
  return found.filter((each) => isSameMailbox(each.email, email));
}

/** What a contact told last, field by field; undefined where nothing counts that was filled in with the address. */
export async function findContactAnswers(
  db: Queryable,
  instanceId: number,
  email: string,
): Promise<ContactAnswers | undefined> {
  const theirs = await listToldAnswers(db, instanceId, email);
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
