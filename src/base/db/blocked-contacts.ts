/**
 * SQL conditions by which lists and exports leave out persons who are blocked at their own request (contract §15). `instance`
 * is a parameter: then both questions are asked once per statement, and the second only where somebody is blocked. For
 * everybody else a list costs one probe of an index.
 */
export const isAnybodyBlocked = (instance: string): string =>
  `exists (select from suppressed_contacts b where b.instance_id = ${instance} and b.kind = 'blocked')`;

const blockedOf = (instance: string): string => `array(
  select c ->> 'contact' from suppressed_contacts b join rights_requests r on r.id = b.request_id
  cross join jsonb_array_elements(r.contacts) as c where b.instance_id = ${instance} and b.kind = 'blocked')`;

/** That what `isOf` says of the blocked contacts, an array, is not so. */
export function unlessBlocked(isOf: (contacts: string) => string, instance = '?'): string {
  return `(not ${isAnybodyBlocked(instance)} or not ${isOf(blockedOf(instance))})`;
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
