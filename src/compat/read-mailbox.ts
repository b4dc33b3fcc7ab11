import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import { readAddresses } from '../protocol/mime/read-addresses.ts';

export interface NamedAddress {
  email: string;
  name?: string;
}

/** A list would be refused anyway. */
const maxText = 64 * 1024;

/** `a@b.c` or `Ana <a@b.c>`; undefined for anything else. */
export function readMailbox(text: string): NamedAddress | undefined {
  if (text.length > maxText) return undefined;
  const plain = canonicalAddress(text);
  if (plain) return { email: plain.address };
  const { mailboxes, is_plain } = readAddresses(text, 2);
  const [only, another] = mailboxes;
  const address = only && canonicalAddress(only.address);
  if (!address || another || !is_plain) return undefined;
  return named(address.address, only.name);
}

/** Mailboxes with commas between them; or the first text that is not a mailbox. */
export function readMailboxes(text: string): NamedAddress[] | { invalid: string } {
  if (text.length > maxText) return { invalid: `${text.slice(0, 100)}…` };
  // Most lists are one address, which needs no grammar.
  const only = canonicalAddress(text);
  if (only) return [{ email: only.address }];
  const { mailboxes, is_plain } = readAddresses(text.trim().replace(/,$/, ''));
  if (!is_plain || mailboxes.length === 0) return { invalid: text };
  const read: NamedAddress[] = [];
  for (const { address: given, name } of mailboxes) {
    const address = canonicalAddress(given);
    if (!address) return { invalid: given };
    read.push(named(address.address, name));
  }
  return read;
}

function named(email: string, name: string): NamedAddress {
  return name.trim() === '' ? { email } : { email, name: name.trim() };
}
