import type { ContactHashes } from '../contact-hash.ts';
import { type Contact, contactTypes, type ContactType } from '../contacts.ts';
import type { Recognises } from '../recognise.ts';
import type { Queryable, Statement } from './database.ts';

/**
 * SQL conditions by which lists and exports leave out people who are blocked at their own request (contract §15). `instance`
 * is a parameter: then the contacts are read once per statement, and rows are compared only if a person is blocked. Rows
 * have the contact itself, whole; which contacts are blocked is decided by their keyed hashes (`blocked_contacts`).
 */
const blockedOf = (instance: string, type: ContactType): string =>
  `(select blocked_contacts(${instance}, '${type}'))`;

export const isAnybodyBlocked = (instance: string): string =>
  `${blockedOf(instance, 'email_address')} is not null`;

/** That what `isOf` says of the blocked contacts of each type, arrays, is not so. */
function unlessBlocked(isOf: (contacts: Record<ContactType, string>) => string, instance: string): string {
  const contacts = Object.fromEntries(
    contactTypes.map((type) => [type, `${blockedOf(instance, type)}::text[]`]),
  ) as Record<ContactType, string>;
  return `(not ${isAnybodyBlocked(instance)} or not ${isOf(contacts)})`;
}

/** `key` is an address in lower case. */
export function notBlocked(key: string, instance = '?'): string {
  return unlessBlocked(({ email_address }) => `${key} = any (${email_address})`, instance);
}

/** Of rows that `exists` looks for: those that have a blocked contact, in canonical form and with its type. */
export function noneBlocked(
  exists: (isBlocked: string) => string,
  { type, contact }: { type: string; contact: string },
  instance = '?',
): string {
  return unlessBlocked((contacts) => {
    const isOne = contactTypes.map((each) => `${type} = '${each}' and ${contact} = any (${contacts[each]})`);
    return exists(`(${isOne.join(' or ')})`);
  }, instance);
}

/** Of a mail whose recipient is not at hand. */
export function mailNotBlocked(mailId: string, instance = '?'): string {
  return unlessBlocked(
    ({ email_address }) => `exists (select from mails blocked where blocked.mail_id = ${mailId}
    and lower(blocked.recipient collate "und-x-icu") collate "C" = any (${email_address}))`,
    instance,
  );
}

/** Of an object of answers by field. Codes and numbers are looked for in the fields that `holds` names for their type. */
export function answersNotBlocked(
  answers: string,
  holds: Record<'phone_number' | 'uniquecode', string>,
  instance = '?',
): string {
  return unlessBlocked(
    ({ email_address, phone_number, uniquecode }) => `exists (
      select from jsonb_each_text(${answers}) as answer (field_key, value)
      where lower(answer.value collate "und-x-icu") collate "default" = any (${email_address})
        or answer.field_key in (${holds.phone_number}) and answer.value = any (${phone_number})
        or answer.field_key in (${holds.uniquecode}) and answer.value = any (${uniquecode}))`,
    instance,
  );
}

const findBlocked: Statement = {
  name: 'suppressed_contacts.find_blocked',
  text: `
    select encode(s.hash, 'hex') as hash from unnest($2::text[]) as given (hash)
    join suppressed_contacts s on s.instance_id = $1 and s.kind = 'blocked' and s.hash = decode(given.hash, 'hex')`,
};

/** Recognises, by keyed hash, those who are blocked. */
export class BlockedPersons {
  readonly #db: Queryable;
  readonly #hashes: () => ContactHashes;

  /** The hashes are requested once a person is blocked: commands may run without the secret. */
  constructor(db: Queryable, hashes: () => ContactHashes) {
    this.#db = db;
    this.#hashes = hashes;
  }

  async isAnybody(instanceId: number): Promise<boolean> {
    const [row] = await this.#db.query<{ is_anybody: boolean }>(
      `select exists (select from suppressed_contacts where instance_id = $1 and kind = 'blocked') as is_anybody`,
      [instanceId],
    );
    return row?.is_anybody === true;
  }

  /**
   * Undefined if none of the examined people is blocked. These are examined with a recogniser that takes down every
   * contact it is asked about, so that only they are looked up, however many are blocked.
   */
  async among(
    instanceId: number,
    examine: (recognises: Recognises) => unknown,
  ): Promise<Recognises | undefined> {
    const known = new Map<string, boolean>();
    const hashes = this.#hashes();
    const hashOf = (contact: Contact): string => hashes.of(instanceId, contact).toString('hex');
    examine((contact) => {
      known.set(hashOf(contact), false);
      return false;
    });
    const blocked = await this.#db.query<{ hash: string }>(findBlocked, [instanceId, [...known.keys()]]);
    for (const { hash } of blocked) known.set(hash, true);
    return blocked.length === 0 ? undefined : (contact) => known.get(hashOf(contact)) === true;
  }
}
