import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Whom an address is counted as: one IPv4 address, or the /64 in which one IPv6 host picks addresses at will. */
export function sourceOf(address: string): string {
  if (isIPv4(address) || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return parsed.toByteArray().slice(0, 8).join(':');
}

/**
 * What one customer of an access provider has at most (RFC 6177): an IPv4 /24, an IPv6 /56. Addresses within it cost an
 * attacker nothing.
 */
export function networkOf(address: string): string {
  // For every connection: parsing takes 20 µs.
  if (isIPv4(address)) return address.slice(0, address.lastIndexOf('.'));
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  return parsed
    .toByteArray()
    .slice(0, parsed.kind() === 'ipv4' ? 3 : 7)
    .join(parsed.kind() === 'ipv4' ? '.' : ':');
}

export function isLoopback(address: string): boolean {
  if (isIPv4(address)) return address.startsWith('127.');
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
