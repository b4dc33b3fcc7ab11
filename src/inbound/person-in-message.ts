import { canonicalContact } from '../base/contacts.ts';
import type { Queryable } from '../base/db/database.ts';
import { addressesIn, type Recognises } from '../base/recognise.ts';
import { canonicalDomain } from '../protocol/address/domain-name.ts';

export interface MessageHead {
  recipient: string;
  mail_from: string | null;
  header_from: string;
  subject: string;
}

/** Mailboxes of a domain (RFC 2142), and of its reports: every report about its mail has them. */
const mailboxes: ReadonlySet<string> = new Set(['postmaster', 'abuse', 'hostmaster', 'fbl', 'dmarc']);

/** What the instance sends from. */
export async function findOwnAddresses(db: Queryable, instanceId: number): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ email: string }>(
    'select distinct email_address as email from senders where instance_id = $1',
    [instanceId],
  );
  return new Set(
    rows.map(({ email }) => canonicalContact({ contact_type: 'email_address', contact: email })),
  );
}

interface Reading {
  recognises: Recognises;
  own: ReadonlySet<string>;
  text?: string;
}

/**
 * Whether a message is from a person, or has their address in its text. The mailbox that it was written to, and the addresses that
 * the instance sends from, are looked for in its sender only: nearly every message has them in its text.
 */
export function namesPerson(
  { recipient, mail_from, header_from, subject }: MessageHead,
  { recognises, own, text = '' }: Reading,
): boolean {
  const senders = `${mail_from ?? ''}\n${header_from}`;
  if (addressesIn(senders, recognises).length > 0) return true;
  const domain = domainOf(recipient);
  const isOfPerson: Recognises = (given) => {
    const address = canonicalContact(given);
    const isMailbox =
      domainOf(address) === domain && mailboxes.has(address.slice(0, address.lastIndexOf('@')));
    return !isMailbox && !own.has(address) && recognises(given);
  };
  return addressesIn(`${subject}\n${text}`, isOfPerson).length > 0;
}

function domainOf(address: string): string | undefined {
  return canonicalDomain(address.slice(address.lastIndexOf('@') + 1));
}
