import { domainToUnicode } from 'node:url';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';

/** The address of an account: the same for all spellings of its domain (UTS 46) and in either case. */
export function accountEmail(text: string): string {
  return (canonicalAddress(text)?.address ?? text.trim()).toLowerCase();
}

/** As the account of an address may be stored: the command line used to keep domains as they were typed. */
export function storedEmails(text: string): string[] {
  const email = accountEmail(text);
  const at = email.lastIndexOf('@') + 1;
  return [email, `${email.slice(0, at)}${domainToUnicode(email.slice(at))}`];
}
