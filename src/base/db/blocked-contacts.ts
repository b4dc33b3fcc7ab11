/**
 * SQL conditions by which lists and exports leave out persons who are blocked at their own request (contract §15). `instance`
 * is a parameter: then the contacts are read once per statement, and rows are compared only where somebody is blocked.
 */
const blockedOf = (instance: string): string => `(select blocked_contacts(${instance}))`;

export const isAnybodyBlocked = (instance: string): string => `${blockedOf(instance)} is not null`;

/** That what `isOf` says of the blocked contacts, an array, is not so. */
export function unlessBlocked(isOf: (contacts: string) => string, instance = '?'): string {
  const contacts = blockedOf(instance);
  return `(${contacts} is null or not ${isOf(`${contacts}::text[]`)})`;
}

/** `key` is a contact in canonical form: an address in lower case. */
export function notBlocked(key: string, instance = '?'): string {
  return unlessBlocked((contacts) => `${key} = any (${contacts})`, instance);
}

/** Of a mail whose recipient is not at hand. */
export function mailNotBlocked(mailId: string, instance = '?'): string {
  const isOf = (
    contacts: string,
  ): string => `exists (select from mails blocked where blocked.mail_id = ${mailId}
    and lower(blocked.recipient collate "und-x-icu") collate "C" = any (${contacts}))`;
  return unlessBlocked(isOf, instance);
}

/** That a text has no blocked contact as a whole word: `ana@example.com` is not in `susana@example.com`. */
export function namesNobodyBlocked(text: string, instance = '?'): string {
  const pattern = String.raw`'(^|[^[:alnum:].+_-])' || regexp_replace(contact, '([^[:alnum:]])', '\\\1', 'g') || '($|[^[:alnum:]-])'`;
  const isOf = (contacts: string): string =>
    `exists (select from unnest(${contacts}) as given (contact) where ${text} ~* (${pattern}))`;
  return unlessBlocked(isOf, instance);
}
