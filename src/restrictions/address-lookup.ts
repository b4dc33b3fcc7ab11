import { createBatcher, look_up_early } from '../base/db/batcher.ts';
import { arrayLiteral, columnsOf } from '../base/db/columns.ts';
import type { Queryable, Statement } from '../base/db/database.ts';

interface Question {
  instance_id: number;
  addresses: string[];
}

export type AddressLookup = (question: Question) => Promise<Set<string>>;

/**
 * Those of the addresses, in lower case, that a statement finds. Questions of one moment share a query, which is given
 * numbers, instances and addresses and answers with numbers. The addresses are put into lower case by the database, as
 * those it holds were: the two of us need not know the same letters.
 */
export function createAddressLookup(db: Queryable, find: Statement): AddressLookup {
  const run = async (questions: Question[]): Promise<Set<string>[]> => {
    const answers = questions.map(() => new Set<string>());
    const asked = questions.flatMap(({ instance_id, addresses }, position) =>
      addresses.map((address) => ({ position, instance_id, address })),
    );
    const rows = await db.query<{ number: number }>(find, [
      arrayLiteral(asked.map((_, number) => number)),
      ...columnsOf(asked, ['instance_id', 'address']),
    ]);
    for (const { number } of rows) {
      const { position = -1, address = '' } = asked[number] ?? {};
      answers[position]?.add(address.toLowerCase());
    }
    return answers;
  };
  return createBatcher({ run, max_items: 250, early: look_up_early }).add;
}
