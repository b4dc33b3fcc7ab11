import ipaddr from 'ipaddr.js';
import type { Violation } from '../base/errors/problem.ts';

export type IpRange = [ipaddr.IPv4 | ipaddr.IPv6, number];

/** Throws on anything that is no CIDR or plain address. */
export function parseRange(text: string): IpRange {
  if (text.includes('/')) return ipaddr.parseCIDR(text);
  const address = ipaddr.parse(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** An empty list allows every address. IPv4 callers on an IPv6 socket are judged as IPv4. */
export function addressAllowed(address: string, ranges: IpRange[]): boolean {
  if (ranges.length === 0) return true;
  if (!ipaddr.isValid(address)) return false;
  const caller = ipaddr.process(address);
  return ranges.some(([network, bits]) => caller.kind() === network.kind() && caller.match(network, bits));
}

export function judgeRanges(ranges: string[]): Violation[] {
  return ranges.flatMap((range, index) => {
    try {
      parseRange(range);
      return [];
    } catch {
      const message = `'${range}' is no address range such as 203.0.113.0/24 or 2001:db8::/32`;
      return [{ pointer: `/ip_allowlist/${index}`, code: 'value_error.cidr', message }];
    }
  });
}

/** SQL for a parameter of ranges: `network` clears the host bits that the cidr type does not take. */
export function networks(parameter: string): string {
  return `(select coalesce(array_agg(network(range::inet)), '{}') from unnest(${parameter}::text[]) as range)`;
}
