import { canonicalContact, type ContactType, contactTypes } from '../../base/contacts.ts';
import type { Channel } from '../catalogue/term-schemas.ts';

/** Contact types of a channel (contract §17). */
const reachable: Record<Channel, readonly ContactType[]> = {
  mail: ['email_address', 'uniquecode'],
  sms: ['phone_number', 'uniquecode'],
  wsp: ['phone_number', 'uniquecode'],
  call: ['phone_number', 'uniquecode'],
  push: ['uniquecode'],
};

export function isReachable(channel: Channel, contactType: ContactType): boolean {
  return reachable[channel].includes(contactType);
}

/** The canonical forms of a contact of unknown type. */
export function possibleContacts(contact: string | null | undefined): string[] | undefined {
  if (!contact) return undefined;
  return contactTypes.map((contact_type) => canonicalContact({ contact_type, contact }));
}
