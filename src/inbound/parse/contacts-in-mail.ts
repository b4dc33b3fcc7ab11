import { canonicalContact } from '../../base/contacts.ts';
import { addressesIn } from '../../base/recognise.ts';
import type { Addresses } from '../../received/index.ts';

interface NamedIn {
  mail_from: string | null;
  recipient: string;
  addresses: Addresses;
  subject: string | null;
  text: string | null;
  html: string | null;
}

const maxContacts = 500;
/** Of text and HTML each. What is behind it is found in the source only. */
const maxSearched = 256 * 1024;
/** An address is shorter; the pieces overlap by as much. */
const pieceLength = 16 * 1024;
const overlap = 400;

const canonical = (contact: string): string => canonicalContact({ contact_type: 'email_address', contact });

/** Everybody that a mail names, in canonical form, except the mailbox that it is for. */
export function contactsIn({ mail_from, recipient, addresses, subject, text, html }: NamedIn): string[] {
  const found = new Set<string>();
  if (mail_from !== null) found.add(canonical(mail_from));
  const { from, reply_to, to, cc } = addresses;
  for (const { email } of [...from, ...reply_to, ...to, ...cc]) found.add(canonical(email));
  for (const each of [subject, text, html]) addNamed(found, (each ?? '').slice(0, maxSearched));
  found.delete(canonical(recipient));
  return [...found].filter((contact) => contact !== '' && contact.length <= 320).slice(0, maxContacts);
}

/** In pieces: a text of nothing but addresses ends with the first few. */
function addNamed(found: Set<string>, text: string): void {
  for (let at = 0; at < text.length && found.size <= maxContacts; at += pieceLength) {
    addressesIn(text.slice(at, at + pieceLength + overlap), ({ contact }) => {
      found.add(canonical(contact));
      return false;
    });
  }
}
