import { isIP } from 'node:net';
import { isPublicAddress } from '../protocol/address/public-address.ts';
import { isReservedName } from '../protocol/dns/reserved-names.ts';

/** Whether people elsewhere could open a URL, as far as its host tells. */
export function isPublicUrl(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(host) !== 0) return isPublicAddress(host);
  return host.includes('.') && !isReservedName(host);
}
