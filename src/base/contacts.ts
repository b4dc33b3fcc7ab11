import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import { canonicalDomain } from '../protocol/address/domain-name.ts';

export const contactTypes = ['email_address', 'phone_number', 'uniquecode'] as const;
export type ContactType = (typeof contactTypes)[number];

export interface Contact {
  contact_type: ContactType;
  contact: string;
}

/** The form in which a contact is stored and compared. */
export function canonicalContact({ contact_type, contact }: Contact): string {
  if (contact_type === 'uniquecode') return contact;
  if (contact_type === 'phone_number') return canonicalPhone(contact.trim());
  return (canonicalAddress(contact)?.address ?? contact.trim()).toLowerCase();
}

/** E.164 without blanks, dots, hyphens and brackets; a leading 00 becomes +. */
function canonicalPhone(text: string): string {
  const number = text.replaceAll(/[\s().\-\u2010-\u2015/]/g, '').replace(/^00(?=[1-9])/, '+');
  return isPhoneNumber(number) ? number : text;
}

export interface ContactFault {
  code: string;
  message: string;
}

const faults = {
  email_address: { code: 'value_error.email', message: 'This is not an email address' },
  phone_number: {
    code: 'value_error.phone',
    message: 'This is not a phone number in international form, such as +56912345678',
  },
  uniquecode: {
    code: 'value_error.uniquecode',
    message: 'A code has 3 to 100 letters, digits and characters of . _ : / + # = -',
  },
} as const satisfies Record<ContactType, ContactFault>;

/** E.164: a country code, which never begins with 0, and at most 15 digits in all. */
const international = /^\+[1-9]\d{6,14}$/;
const codeAlphabet = /^[\p{L}\p{N}._:/+#=-]{3,100}$/u;

/** Why a text does not identify a person (contract §15); undefined when it does. */
export function faultOfIdentifier(given: Contact): ContactFault | undefined {
  const { contact_type } = given;
  const contact = canonicalContact(given);
  const isIdentifier = {
    email_address: () => canonicalAddress(contact) !== undefined,
    phone_number: () => international.test(contact),
    uniquecode: () => codeAlphabet.test(contact),
  }[contact_type]();
  return isIdentifier ? undefined : faults[contact_type];
}

/**
 * Why a text cannot be a contact of its type at all; undefined when it can. Consents are taken more freely than identifiers of a
 * person, since refusing one would lose a withdrawal: a code is any text, a number may lack its country code, and an address may be
 * longer than mail servers take (contract §17).
 */
export function faultOfContact(given: Contact): ContactFault | undefined {
  const { contact_type } = given;
  const contact = canonicalContact(given);
  const isPossible = {
    email_address: () => isAddressLike(contact),
    phone_number: () => isPhoneNumber(contact),
    uniquecode: () => true,
  }[contact_type]();
  if (isPossible) return undefined;
  const message = 'This is not a phone number';
  return contact_type === 'phone_number' ? { ...faults.phone_number, message } : faults[contact_type];
}

function isAddressLike(text: string): boolean {
  const at = text.lastIndexOf('@');
  return at > 0 && canonicalDomain(text.slice(at + 1))?.includes('.') === true;
}

/** Whether a canonical text is a number, with or without its country code. */
export function isPhoneNumber(text: string): boolean {
  return /^\+?\d{6,15}$/.test(text);
}
