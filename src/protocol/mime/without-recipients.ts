import { canonicalAddress } from '../address/canonical-address.ts';
import { foldMailboxes } from './address-header.ts';
import { readHeaderBlock, rewriteFields, type HeaderField } from './header-block.ts';
import { readAddresses } from './read-addresses.ts';

const recipientFields: Record<string, 'To' | 'Cc'> = { to: 'To', cc: 'Cc' };
/** Fields that are not about recipients: who wrote, when, and how to read it. */
const kept = /^(?:from|sender|date|subject|message-id|mime-version|content-.*)$/;

const keyOf = (address: string): string => (canonicalAddress(address)?.address ?? address).toLowerCase();

/**
 * The message without some recipients, by their addresses in lower case: To and Cc lose them and keep the others, and any
 * other field that names one, such as Delivered-To, is taken out. The body stays.
 */
export function withoutRecipients(message: Buffer, addresses: ReadonlySet<string>): Buffer {
  const header = readHeaderBlock(message);
  if (!header) return message;
  return rewriteFields(message, header, (field) => rewrite(field, addresses));
}

function rewrite({ name, value }: HeaderField, addresses: ReadonlySet<string>): string | undefined {
  const list = recipientFields[name];
  if (list === undefined) {
    const text = value.toLowerCase();
    return !kept.test(name) && [...addresses].some((address) => text.includes(address)) ? '' : undefined;
  }
  const { mailboxes } = readAddresses(value);
  const others = mailboxes.filter(({ address }) => !addresses.has(keyOf(address)));
  if (others.length === mailboxes.length) return undefined;
  // What cannot be written again canonically is left out: who gets the message is said by the envelope.
  const writable = others.flatMap(({ address, name: phrase }) => {
    const canonical = canonicalAddress(address)?.address;
    return canonical === undefined ? [] : [{ address: canonical, name: phrase }];
  });
  return writable.length === 0 ? '' : foldMailboxes(list, writable);
}
