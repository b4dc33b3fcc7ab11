import { addressKey } from '../base/db/address-key.ts';
import { createBatcher, look_up_early } from '../base/db/batcher.ts';
import { arrayLiteral, columnsOf } from '../base/db/columns.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { Lookup } from './address-lookup.ts';
import type { ContactHashes } from './contact-hash.ts';

/** Why no sender may send to an address, from the weakest to the strongest. */
export type SuppressionReason = 'recipient_restricted' | 'recipient_blocked' | 'recipient_erased';

/** By address in lower case. */
export type SuppressionLookup = (lookup: Lookup) => Promise<ReadonlyMap<string, SuppressionReason>>;

/** Restrictions are found by address; contacts that were erased or blocked by their keyed hash. */
const find: Statement = {
  name: 'restrictions.find',
  text: `
    select wanted.number, 'recipient_restricted' as reason
    from unnest($1::integer[], $2::bigint[], $3::text[]) as wanted (number, instance_id, recipient)
    join restrictions r on r.instance_id = wanted.instance_id
      and r.recipient_key = ${addressKey('wanted.recipient')}
    union all
    select wanted.number, 'recipient_' || s.kind
    from unnest($1::integer[], $2::bigint[], $4::text[]) as wanted (number, instance_id, hash)
    join suppressed_contacts s on s.instance_id = wanted.instance_id and s.hash = decode(wanted.hash, 'hex')
    order by 2 desc`,
};

/** Addresses that no sender may send to. Concurrent look-ups share a query. */
export function createSuppressionLookup(db: Queryable, hashes: ContactHashes): SuppressionLookup {
  const run = async (lookups: Lookup[]): Promise<Map<string, SuppressionReason>[]> => {
    const results = lookups.map(() => new Map<string, SuppressionReason>());
    const wanted = lookups.flatMap(({ instance_id, addresses }, position) =>
      addresses.map((address) => ({ position, instance_id, address })),
    );
    const rows = await db.query<{ number: number; reason: SuppressionReason }>(find, [
      arrayLiteral(wanted.map((_, number) => number)),
      ...columnsOf(wanted, ['instance_id', 'address']),
      arrayLiteral(
        wanted.map(({ instance_id, address }) => hashes.ofAddress(instance_id, address).toString('hex')),
      ),
    ]);
    // Sorted so that the strongest comes last: restricted, erased, blocked.
    for (const { number, reason } of rows) {
      const { position = -1, address = '' } = wanted[number] ?? {};
      const found = results[position];
      if (found?.get(address.toLowerCase()) !== 'recipient_erased') found?.set(address.toLowerCase(), reason);
    }
    return results;
  };
  return createBatcher({ run, max_items: 250, early: look_up_early }).add;
}
