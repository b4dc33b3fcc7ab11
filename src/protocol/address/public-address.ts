import ipaddr from 'ipaddr.js';

/** Global unicast (RFC 4291 §2.4): nothing else has been given out. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an address is one of the public internet's. The owner of a host name chooses where we connect to: it must
 * not be this machine, its network, or the metadata service of a cloud. IPv4 addresses inside IPv6 ones count as what
 * they are, and those behind translation (NAT64, 6to4, Teredo) are never public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast));
}

/** The one spelling of an address, to compare it with another. */
export function canonicalAddress(address: string): string {
  return ipaddr.process(address).toString();
}
