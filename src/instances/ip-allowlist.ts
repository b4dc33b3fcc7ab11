import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Violation } from '../base/errors/problem.ts';

export type IpRange = [ipaddr.IPv4 | ipaddr.IPv6, number];

/**
 * Throws for anything but a CIDR or address that PostgreSQL accepts: not octal, hexadecimal or shortened IPv4, nor
 * IPv6 zones. IPv4-mapped ranges (`::ffff:0:0/96`) become IPv4, as callers do.
 */
export function parseRange(text: string): IpRange {
  const match = /^([0-9a-f.:]+)(?:\/(\d{1,3}))?$/i.exec(text);
  if (!match?.[1] || isIP(match[1]) === 0) throw new TypeError(`no address range: ${text}`);
  const address = ipaddr.parse(match[1]);
  const longest = address.kind() === 'ipv4' ? 32 : 128;
  const bits = Number(match[2] ?? longest);
  if (bits > longest) throw new TypeError(`no address range: ${text}`);
  if (address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress() && bits >= 96) {
    return [address.toIPv4Address(), bits - 96];
  }
  return [address, bits];
}

/** An empty list allows every address. IPv4 callers on an IPv6 socket are compared as IPv4. */
export function addressAllowed(address: string, ranges: IpRange[]): boolean {
  if (ranges.length === 0) return true;
  if (isIP(address) === 0) return false;
  const caller = ipaddr.process(address);
  return ranges.some(([network, bits]) => caller.kind() === network.kind() && caller.match(network, bits));
}

/** Whether every address of the one is an address of the other. */
export function isWithin([network, bits]: IpRange, [outer, outerBits]: IpRange): boolean {
  return network.kind() === outer.kind() && bits >= outerBits && network.match(outer, outerBits);
}

export function validateRanges(ranges: string[]): Violation[] {
  return ranges.flatMap((range, index) => {
    try {
      parseRange(range);
      return [];
    } catch {
      const message = `'${range}' is not an address range such as 203.0.113.0/24 or 2001:db8::/32`;
      return [{ pointer: `/ip_allowlist/${index}`, code: 'value_error.cidr', message }];
    }
  });
}

/** Each as the database writes it, where it is a range: without host bits, with its length. */
export function canonicalRanges(ranges: string[]): string[] {
  return ranges.map((range) => {
    if (validateRanges([range]).length > 0) return range;
    const [address, bits] = parseRange(range);
    const network = address.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6;
    return `${network.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;
  });
}

/** SQL for a parameter of ranges: `network` clears host bits, which the type cidr refuses. */
export function networks(parameter: string): string {
  return `(select coalesce(array_agg(network(range::inet)), '{}') from unnest(${parameter}::text[]) as range)`;
}
