import ipaddr from 'ipaddr.js';
import { isPublicAddress } from '../../protocol/address/public-address.ts';
import { shuffle } from './mx-order.ts';

interface AddressRules {
  mx_allow_private: boolean;
  random: () => number;
}

/** Of a host. */
const maxAddresses = 8;

/** Never a mail server, not even with `mx_allow_private`. */
const neverHosts = new Set(['multicast', 'broadcast', 'unspecified']);

/** Whether mail may be sent to an address. Anyone can point an MX at 127.0.0.1 or 169.254.169.254 (SSRF). */
export function mayDeliverTo(address: string, allowPrivate: boolean): boolean {
  if (!allowPrivate) return isPublicAddress(address);
  return ipaddr.isValid(address) && !neverHosts.has(ipaddr.process(address).range());
}

/** One spelling per address, for comparison. */
export function canonicalAddress(address: string): string {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : address;
}

/**
 * The addresses to try: IPv6 before IPv4, each family in random order. Each family has addresses reserved: a host with a
 * dozen unresponsive IPv6 addresses is still reached over IPv4.
 */
export function pickAddresses(addresses: readonly string[], rules: AddressRules): string[] {
  const allowed = new Set(
    addresses.filter((address) => mayDeliverTo(address, rules.mx_allow_private)).map(canonicalAddress),
  );
  const shuffled = byFamily(shuffle([...allowed], rules.random));
  const v6 = shuffled.filter(isV6);
  const v4 = shuffled.slice(v6.length);
  const reserved = Math.min(v4.length, maxAddresses / 2);
  const first = v6.slice(0, maxAddresses - reserved);
  return [...first, ...v4.slice(0, maxAddresses - first.length)];
}

/** IPv6 first. */
export function byFamily(addresses: readonly string[]): string[] {
  return addresses.toSorted((one, other) => Number(isV6(other)) - Number(isV6(one)));
}

function isV6(address: string): boolean {
  return address.includes(':');
}
