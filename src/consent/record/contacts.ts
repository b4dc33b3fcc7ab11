import { canonicalAddress } from '../../protocol/address/canonical-address.ts';
import type { Channel } from '../catalogue/term-schemas.ts';

export const contactTypes = ['email_address', 'phone_number', 'uniquecode'] as const;
export type ContactType = (typeof contactTypes)[number];

export interface Contact {
  contact_type: ContactType;
  contact: string;
}

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

/**
 * The form in which a contact is stored and compared. Invalid addresses and numbers are recorded too: refusing them
 * would lose the proof of a withdrawal.
 */
export function canonicalContact({ contact_type, contact }: Contact): string {
  if (contact_type === 'uniquecode') return contact;
  if (contact_type === 'phone_number') return canonicalPhone(contact.trim());
  return (canonicalAddress(contact)?.address ?? contact.trim()).toLowerCase();
}

/** E.164 without blanks, dots, hyphens and brackets; a leading 00 becomes +. */
function canonicalPhone(text: string): string {
  const number = text.replaceAll(/[\s().\-\u2010-\u2015/]/g, '').replace(/^00(?=[1-9])/, '+');
  return /^\+?\d{6,15}$/.test(number) ? number : text;
}

/** The canonical forms of a contact of unknown type. */
export function possibleContacts(contact: string | null | undefined): string[] | undefined {
  if (!contact) return undefined;
  return contactTypes.map((contact_type) => canonicalContact({ contact_type, contact }));
}
