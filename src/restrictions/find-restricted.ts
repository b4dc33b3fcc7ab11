import { createBatchLoader } from '../base/db/batch-loader.ts';
import type { Queryable, Statement } from '../base/db/database.ts';

interface Question {
  instance_id: number;
  /** In lower case. */
  addresses: string[];
}

const find: Statement = {
  name: 'restrictions.find',
  text: `
    select asked.position, asked.recipient
    from unnest($1::integer[], $2::bigint[], $3::text[]) as asked (position, instance_id, recipient)
    join restrictions r on r.instance_id = asked.instance_id and lower(r.recipient) = asked.recipient`,
};

/** Which of these addresses must not be written to. Questions asked at the same moment share a query. */
export function createRestrictionLookup(db: Queryable): (question: Question) => Promise<Set<string>> {
  return createBatchLoader(async (questions: Question[]) => {
    const answers = questions.map(() => new Set<string>());
    const pairs = questions.flatMap(({ instance_id, addresses }, position) =>
      addresses.map((address) => ({ position, instance_id, address })),
    );
    const rows = await db.query<{ position: number; recipient: string }>(find, [
      pairs.map(({ position }) => position),
      pairs.map(({ instance_id }) => instance_id),
      pairs.map(({ address }) => address),
    ]);
    for (const { position, recipient } of rows) answers[position]?.add(recipient);
    return answers;
  }, 250);
}
