import { addressKey } from '../base/db/address-key.ts';
import { createBatcher, lookUps } from '../base/db/batcher.ts';
import { arrayLiteral, columnsOf } from '../base/db/columns.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import { isStanding } from './standing-unsubscribe.ts';

export interface Lookup {
  instance_id: number;
  addresses: string[];
}

interface BroadcastLookup extends Lookup {
  /** Of the sender; null when it has none. */
  purpose_id: number | null;
}

/** Addresses, in lower case, that a broadcast sender may not send to. */
export type UnsubscribeLookup = (lookup: BroadcastLookup) => Promise<Set<string>>;

const find: Statement = {
  name: 'unsubscribes.find',
  // An address may have several unsubscribes.
  text: `
    select wanted.number
    from unnest($1::integer[], $2::bigint[], $3::text[], $4::bigint[]) as wanted (number, instance_id, recipient, purpose_id)
    where exists (
      select from unsubscribes u where u.instance_id = wanted.instance_id
        and u.recipient_key = ${addressKey('wanted.recipient')} and ${isStanding('wanted.purpose_id')})`,
};

/**
 * Concurrent look-ups share a query. The database lower-cases addresses: its Unicode version and this process's may differ.
 */
export function createUnsubscribeLookup(db: Queryable): UnsubscribeLookup {
  const run = async (lookups: BroadcastLookup[]): Promise<Set<string>[]> => {
    const results = lookups.map(() => new Set<string>());
    const wanted = lookups.flatMap(({ instance_id, addresses, purpose_id }, position) =>
      addresses.map((address) => ({ position, instance_id, address, purpose_id })),
    );
    const rows = await db.query<{ number: number }>(find, [
      arrayLiteral(wanted.map((_, number) => number)),
      ...columnsOf(wanted, ['instance_id', 'address', 'purpose_id']),
    ]);
    for (const { number } of rows) {
      const { position = -1, address = '' } = wanted[number] ?? {};
      results[position]?.add(address.toLowerCase());
    }
    return results;
  };
  return createBatcher({ run, ...lookUps }).add;
}
