import { addressKey } from '../base/db/address-key.ts';
import { createBatcher, lookUps } from '../base/db/batcher.ts';
import { arrayLiteral, columnsOf } from '../base/db/columns.ts';
import type { Queryable, Statement } from '../base/db/database.ts';
import type { Lookup } from './address-lookup.ts';
import type { ContactHashes } from '../base/contact-hash.ts';
import type { SuppressionKind } from './suppressed-contacts.ts';

/** What keeps an address from being sent to. */
export interface Suppressed {
  is_restricted?: true;
  is_blocked?: true;
  /** `back`: by their own act, for what they agree to since. */
  erased?: 'gone' | 'back';
}

/** By address in lower case. */
export type SuppressionLookup = (lookup: Lookup) => Promise<ReadonlyMap<string, Suppressed>>;

interface Recipient {
  instance_id: number;
  address: string;
  found: Map<string, Suppressed>;
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
  text: `
    select wanted.number, s.kind, s.returned_at is not null as is_back
    from unnest($1::integer[], $2::bigint[], $3::text[]) as wanted (number, instance_id, hash)
    join suppressed_contacts s on s.instance_id = wanted.instance_id and s.hash = decode(wanted.hash, 'hex')`,
};

/**
 * Addresses that no sender may send to. Concurrent look-ups share a query. Contacts that were erased or blocked are known
 * by their keyed hash; it is computed only for instances that have any, since hash and search take 30 µs per recipient.
 */
export function createSuppressionLookup(db: Queryable, hashes: ContactHashes): SuppressionLookup {
  const run = async (lookups: Lookup[]): Promise<Map<string, Suppressed>[]> => {
    const results = lookups.map(() => new Map<string, Suppressed>());
    const recipients = lookups.flatMap(({ instance_id, addresses }, position) =>
      addresses.map((address) => ({ instance_id, address, found: results[position] as Recipient['found'] })),
    );
    const suppressing = await findRestricted(db, recipients);
    const suppressible = recipients.filter(({ instance_id }) => suppressing.has(instance_id));
    if (suppressible.length > 0) await findSuppressed(db, hashes, suppressible);
    return results;
  };
  return createBatcher({ run, ...lookUps }).add;
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
    else add(recipients[number ?? -1], { is_restricted: true });
  }
  return instances;
}

interface FoundHash {
  [name: string]: unknown;
  number: number;
  kind: SuppressionKind;
  is_back: boolean;
}

async function findSuppressed(db: Queryable, hashes: ContactHashes, recipients: Recipient[]): Promise<void> {
  const rows = await db.query<FoundHash>(find_suppressed, [
    numbersOf(recipients),
    ...columnsOf(recipients, ['instance_id']),
    arrayLiteral(
      recipients.map(({ instance_id, address }) => hashes.ofAddress(instance_id, address).toString('hex')),
    ),
  ]);
  for (const { number, kind, is_back } of rows) {
    add(
      recipients[number],
      kind === 'blocked' ? { is_blocked: true } : { erased: is_back ? 'back' : 'gone' },
    );
  }
}

function numbersOf(recipients: Recipient[]): string {
  return arrayLiteral(recipients.map((_, number) => number));
}

function add(recipient: Recipient | undefined, fact: Suppressed): void {
  if (!recipient) return;
  const key = recipient.address.toLowerCase();
  recipient.found.set(key, { ...recipient.found.get(key), ...fact });
}
