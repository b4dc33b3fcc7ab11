import { addressKey } from '../base/db/address-key.ts';
import { createBatcher, look_ups } from '../base/db/batcher.ts';
import { arrayLiteral, columnsOf } from '../base/db/columns.ts';
import type { Queryable, Statement } from '../base/db/database.ts';

export interface Lookup {
  instance_id: number;
  addresses: string[];
}

export type AddressLookup = (lookup: Lookup) => Promise<Set<string>>;

/**
 * Returns those of the addresses, in lower case, that a statement finds. Concurrent look-ups share a query. The
 * database lower-cases addresses: its Unicode version and this process's may differ.
 */
function createAddressLookup(db: Queryable, find: Statement): AddressLookup {
  const run = async (lookups: Lookup[]): Promise<Set<string>[]> => {
    const results = lookups.map(() => new Set<string>());
    const wanted = lookups.flatMap(({ instance_id, addresses }, position) =>
      addresses.map((address) => ({ position, instance_id, address })),
    );
    const rows = await db.query<{ number: number }>(find, [
      arrayLiteral(wanted.map((_, number) => number)),
      ...columnsOf(wanted, ['instance_id', 'address']),
    ]);
    for (const { number } of rows) {
      const { position = -1, address = '' } = wanted[number] ?? {};
      results[position]?.add(address.toLowerCase());
    }
    return results;
  };
  return createBatcher({ run, ...look_ups }).add;
}

/** Addresses that broadcast senders may not send to. */
export function createUnsubscribeLookup(db: Queryable): AddressLookup {
  return createAddressLookup(db, {
    name: 'unsubscribes.find',
    // An address may have several unsubscribes.
    text: `
      select wanted.number
      from unnest($1::integer[], $2::bigint[], $3::text[]) as wanted (number, instance_id, recipient)
      where exists (
        select from unsubscribes u where u.instance_id = wanted.instance_id
          and u.recipient_key = ${addressKey('wanted.recipient')} and u.resubscribed_at is null)`,
  });
}
