import { addressKey } from '../base/db/address-key.ts';
import type { Queryable } from '../base/db/database.ts';
import { createAddressLookup, type AddressLookup } from './address-lookup.ts';

/** Finds who must not be written to by broadcast senders. */
export function createUnsubscribeLookup(db: Queryable): AddressLookup {
  return createAddressLookup(db, {
    name: 'unsubscribes.find',
    // An address may have unsubscribed by several mails.
    text: `
      select asked.number
      from unnest($1::integer[], $2::bigint[], $3::text[]) as asked (number, instance_id, recipient)
      where exists (
        select from unsubscribes u where u.instance_id = asked.instance_id
          and u.recipient_key = ${addressKey('asked.recipient')} and u.resubscribed_at is null)`,
  });
}
