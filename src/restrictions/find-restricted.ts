import { createBatchLoader } from '../base/db/batch-loader.ts';
import type { Queryable, Statement } from '../base/db/database.ts';

interface Question {
  instance_id: number;
  addresses: string[];
}

const find: Statement = {
  name: 'restrictions.find',
  text: `
    select asked.number
    from unnest($1::integer[], $2::bigint[], $3::text[]) as asked (number, instance_id, recipient)
    join restrictions r on r.instance_id = asked.instance_id and lower(r.recipient) = asked.recipient`,
};

/** Those of the addresses, in lower case, that must not be written to. Questions of one moment share a query. */
export function createRestrictionLookup(db: Queryable): (question: Question) => Promise<Set<string>> {
  return createBatchLoader(async (questions: Question[]) => {
    const answers = questions.map(() => new Set<string>());
    const asked = questions.flatMap(({ instance_id, addresses }, position) =>
      addresses.flatMap((address) =>
        spellings(address).map((spelling) => ({ position, instance_id, address, spelling })),
      ),
    );
    const rows = await db.query<{ number: number }>(find, [
      asked.map((_, number) => number),
      asked.map(({ instance_id }) => instance_id),
      asked.map(({ spelling }) => spelling),
    ]);
    for (const { number } of rows) {
      const { position = -1, address = '' } = asked[number] ?? {};
      answers[position]?.add(address.toLowerCase());
    }
    return answers;
  }, 250);
}

/** In lower case as we see it, and as a database of the collation C does, which knows no letters beyond ASCII. */
function spellings(address: string): string[] {
  const ascii = address.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const all = address.toLowerCase();
  return ascii === all ? [all] : [all, ascii];
}
