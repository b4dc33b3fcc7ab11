import type { Queryable } from '../base/db/database.ts';
import {
  batchOf,
  type Collection,
  erasedAtOnce,
  erasedAddress,
  type ErasedBatch,
  type Person,
  type PersonalRow,
} from '../base/personal-data.ts';
import { addressesIn, type Recognises, recogniserOf, withMark } from '../base/recognise.ts';

interface KeptAnswer {
  key_digest: string;
  answer: string;
  created_at: Date;
}

const lastDigest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Of refusals of single mails, the only ones that repeat the caller's input: an address, never a code. Digests have no order of time. */
async function nextAnswers(
  db: Queryable,
  { instance_id }: Person,
  before = lastDigest,
): Promise<KeptAnswer[]> {
  return await db.query<KeptAnswer & Record<string, unknown>>(
    `select key_digest, answer, created_at from idempotency_keys
     where instance_id = $1 and has_errors and key_digest < $2 order by key_digest desc limit ${erasedAtOnce}`,
    [instance_id, before],
  );
}

/** Answers to repeatable calls that name a person. */
export const answers: Collection = {
  name: 'idempotency_keys',
  about:
    'Answers to sends that refused mail to the person and are kept for a day, in case that the call is repeated.',
  columns: { answer: 'The answer, as JSON.', created_at: 'When it was given.' },
  async *rows(db, person) {
    const recognises = recogniserOf(person);
    let before: string | undefined;
    do {
      const page = await nextAnswers(db, person, before);
      yield page
        .filter(({ answer }) => addressesIn(answer, recognises).length > 0)
        .map(({ answer, created_at }): PersonalRow => ({ answer, created_at }));
      before = batchOf(
        page.map(({ key_digest }) => key_digest),
        erasedAtOnce,
      ).next;
    } while (before !== undefined);
  },
};

/** The answer stays, so that a repeated call does not send again. */
export async function eraseInAnswers(
  tx: Queryable,
  person: Person,
  before: string | undefined,
): Promise<ErasedBatch> {
  const recognises = recogniserOf(person);
  const page = await nextAnswers(tx, person, before);
  const erased = page.flatMap(({ key_digest, answer }) => {
    const left = withoutAddresses(answer, recognises);
    return left === answer ? [] : [{ key_digest, left }];
  });
  await tx.query(
    `update idempotency_keys k set answer = e.answer from unnest($2::uuid[], $3::text[]) as e (key_digest, answer)
     where k.instance_id = $1 and k.key_digest = e.key_digest`,
    [person.instance_id, erased.map(({ key_digest }) => key_digest), erased.map(({ left }) => left)],
  );
  const { next } = batchOf(
    page.map(({ key_digest }) => key_digest),
    erasedAtOnce,
  );
  return { rows: erased.length, next };
}

function withoutAddresses(answer: string, recognises: Recognises): string {
  return withMark(answer, addressesIn(answer, recognises), erasedAddress);
}
