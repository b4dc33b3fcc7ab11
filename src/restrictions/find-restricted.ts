import { addressKey } from '../base/db/address-key.ts';
import type { Queryable } from '../base/db/database.ts';
import { createAddressLookup, type AddressLookup } from './address-lookup.ts';

/** Finds who must not be written to at all. */
export function createRestrictionLookup(db: Queryable): AddressLookup {
  return createAddressLookup(db, {
    name: 'restrictions.find',
    text: `
      select asked.number
      from unnest($1::integer[], $2::bigint[], $3::text[]) as asked (number, instance_id, recipient)
      join restrictions r on r.instance_id = asked.instance_id
        and r.recipient_key = ${addressKey('asked.recipient')}`,
  });
}
