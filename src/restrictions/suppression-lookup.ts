import { addressKey } from '../base/db/address-key.ts';
import { createBatcher, look_ups } from '../base/db/batcher.ts';
import { arrayLiteral, columnsOf } from '../base/db/columns.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { Lookup } from './address-lookup.ts';
import type { ContactHashes } from './contact-hash.ts';

/** Why no sender may send to an address, from the weakest to the strongest. */
export type SuppressionReason = 'recipient_restricted' | 'recipient_blocked' | 'recipient_erased';

/** By address in lower case. */
export type SuppressionLookup = (lookup: Lookup) => Promise<ReadonlyMap<string, SuppressionReason>>;

interface Recipient {
  instance_id: number;
  address: string;
  /** Gets the reason. */
  found: Map<string, SuppressionReason>;
}

/** Rows with a number are restricted recipients; the others are instances that have suppressed contacts. */
const find_restricted: Statement = {
  name: 'restrictions.find',
  text: `
    select wanted.number, null::bigint as instance_id
    from unnest($1::integer[], $2::bigint[], $3::text[]) as wanted (number, instance_id, recipient)
    join restrictions r on r.instance_id = wanted.instance_id
      and r.recipient_key = ${addressKey('wanted.recipient')}
    union all
    select null, instance.id from unnest($4::bigint[]) as instance (id)
    where exists (select from suppressed_contacts s where s.instance_id = instance.id)`,
};

const find_suppressed: Statement = {
  name: 'suppressed_contacts.find',
  // Who is both blocked and erased counts as erased, which comes last.
  text: `
    select wanted.number, 'recipient_' || s.kind as reason
    from unnest($1::integer[], $2::bigint[], $3::text[]) as wanted (number, instance_id, hash)
    join suppressed_contacts s on s.instance_id = wanted.instance_id and s.hash = decode(wanted.hash, 'hex')
    order by s.kind`,
};

/**
 * Addresses that no sender may send to. Concurrent look-ups share a query. Contacts that were erased or blocked are known
 * by their keyed hash; it is computed only for instances that have any, since hash and search take 30 µs per recipient.
 */
export function createSuppressionLookup(db: Queryable, hashes: ContactHashes): SuppressionLookup {
  const run = async (lookups: Lookup[]): Promise<Map<string, SuppressionReason>[]> => {
    const results = lookups.map(() => new Map<string, SuppressionReason>());
    const recipients = lookups.flatMap(({ instance_id, addresses }, position) =>
      addresses.map((address) => ({ instance_id, address, found: results[position] as Recipient['found'] })),
    );
    const suppressing = await findRestricted(db, recipients);
    const suppressible = recipients.filter(({ instance_id }) => suppressing.has(instance_id));
    if (suppressible.length > 0) await findSuppressed(db, hashes, suppressible);
    return results;
  };
  return createBatcher({ run, ...look_ups }).add;
}

/** Returns the instances that have suppressed contacts. */
async function findRestricted(db: Queryable, recipients: Recipient[]): Promise<Set<number>> {
  const rows = await db.query<{ number: number | null; instance_id: number | null }>(find_restricted, [
    numbersOf(recipients),
    ...columnsOf(recipients, ['instance_id', 'address']),
    arrayLiteral([...new Set(recipients.map(({ instance_id }) => instance_id))]),
  ]);
  const instances = new Set<number>();
  for (const { number, instance_id } of rows) {
    if (instance_id !== null) instances.add(instance_id);
    else setReason(recipients[number ?? -1], 'recipient_restricted');
  }
  return instances;
}

async function findSuppressed(db: Queryable, hashes: ContactHashes, recipients: Recipient[]): Promise<void> {
  const rows = await db.query<{ number: number; reason: SuppressionReason }>(find_suppressed, [
    numbersOf(recipients),
    ...columnsOf(recipients, ['instance_id']),
    arrayLiteral(
      recipients.map(({ instance_id, address }) => hashes.ofAddress(instance_id, address).toString('hex')),
    ),
  ]);
  for (const { number, reason } of rows) setReason(recipients[number], reason);
}

function numbersOf(recipients: Recipient[]): string {
  return arrayLiteral(recipients.map((_, number) => number));
}

function setReason(recipient: Recipient | undefined, reason: SuppressionReason): void {
  recipient?.found.set(recipient.address.toLowerCase(), reason);
}
