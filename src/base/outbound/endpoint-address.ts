import { isIP } from 'node:net';
import type { DnsOutcome } from '../../protocol/dns/client/resolver.ts';
import { isPublicAddress } from '../../protocol/address/public-address.ts';

export interface EndpointPolicy {
  /** For tests: allows http and private addresses. */
  allow_insecure: boolean;
  addresses: (host: string) => Promise<DnsOutcome<string>>;
}

export type EndpointAddresses = { ok: true; addresses: string[] } | { ok: false; reason: string };

/** The endpoint must not be connected to; `reason` is a stable word for the log. */
export class EndpointRefused extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.name = 'EndpointRefused';
    this.reason = reason;
  }
}

const maxAddresses = 16;

export function mayConnectTo(address: string, { allow_insecure }: EndpointPolicy): boolean {
  return allow_insecure ? isIP(address) !== 0 : isPublicAddress(address);
}

/**
 * Resolves the host of a URL. All addresses must be allowed: with one private address among public ones, repeated attempts
 * would reach it (SSRF). `host` comes from `new URL()`, which has normalized IPv4 notations and put IPv6 in brackets.
 */
export async function findEndpoint(host: string, policy: EndpointPolicy): Promise<EndpointAddresses> {
  const name = host.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const found = await lookUp(name, policy);
  if (!found.ok) return found;
  if (!found.addresses.every((address) => mayConnectTo(address, policy))) {
    return { ok: false, reason: 'address_not_allowed' };
  }
  return { ok: true, addresses: found.addresses.slice(0, maxAddresses) };
}

async function lookUp(name: string, policy: EndpointPolicy): Promise<EndpointAddresses> {
  if (isIP(name) !== 0) return { ok: true, addresses: [name] };
  // RFC 6761 §6.3: always loopback; many resolvers do not know the name.
  if (/(?:^|\.)localhost$/.test(name)) return { ok: true, addresses: ['127.0.0.1', '::1'] };
  const outcome = await policy.addresses(name);
  if (outcome.kind === 'found') return { ok: true, addresses: outcome.records };
  return { ok: false, reason: outcome.kind === 'missing' ? 'host_not_found' : `dns_${outcome.reason}` };
}
