import { isIP } from 'node:net';
import type { TlsaRecord } from '../../protocol/dane/check-certificate.ts';
import type { DnsError } from '../../protocol/dns/client/dns-exchange.ts';
import { cutAtOurselves, type Exchanger } from './mx-order.ts';
import { canonicalAddress, pickAddresses } from './pick-addresses.ts';
import type { LookUp } from '../../protocol/dns/client/record-lookup.ts';

export interface MailHost extends Exchanger {
  /** IPv6 first. Never empty. */
  addresses: string[];
  /** TLSA records of its port; only when they, the MX and the host are DNSSEC-validated (RFC 7672 §2.2). */
  tlsa: TlsaRecord[];
}

export interface ResolveOptions {
  lookUp: LookUp;
  mx_allow_private: boolean;
  own_addresses: ReadonlySet<string>;
  random: () => number;
  /** Whether the names of the hosts are DNSSEC-validated. */
  authentic: boolean;
  port: number;
}

export interface ResolvedHosts {
  hosts: MailHost[];
  /** Hosts left out because they are our own, or because they have no address that mail may be sent to. */
  ours: number;
  not_public: number;
  error: DnsError | undefined;
}

interface Resolved extends MailHost {
  is_ours: boolean;
  not_public: boolean;
  error: DnsError | undefined;
}

/** Resolves all hosts in parallel, two lookups per host. Hosts without a usable address are left out. */
export async function resolveHosts(
  exchangers: readonly Exchanger[],
  options: ResolveOptions,
): Promise<ResolvedHosts> {
  const all = await Promise.all(exchangers.map(async (exchanger) => await resolveHost(exchanger, options)));
  const others = cutAtOurselves(all, (host) => host.is_ours);
  return {
    hosts: others
      .filter(({ addresses }) => addresses.length > 0)
      .map(({ name, preference, addresses, tlsa }) => ({ name, preference, addresses, tlsa })),
    ours: all.length - others.length,
    not_public: others.filter((host) => host.not_public).length,
    error: others.find((host) => host.error !== undefined)?.error,
  };
}

async function resolveHost(exchanger: Exchanger, options: ResolveOptions): Promise<Resolved> {
  // An MX that names an address breaks RFC 1035 §3.3.9: there is nothing to look up.
  const lookups =
    isIP(exchanger.name) === 0
      ? await Promise.all([options.lookUp(exchanger.name, 'AAAA'), options.lookUp(exchanger.name, 'A')])
      : [];
  const found = lookups.flatMap((lookup) => (lookup.kind === 'found' ? lookup.records : []));
  const addresses = pickAddresses(found, options);
  const isAuthentic =
    options.authentic && lookups.every((lookup) => lookup.kind !== 'error' && lookup.authentic);
  const tlsa = isAuthentic && addresses.length > 0 ? await findTlsa(exchanger.name, options) : [];
  if ('kind' in tlsa) return { ...unusable(exchanger), error: tlsa.reason };
  const error = lookups.find((lookup) => lookup.kind === 'error');
  return {
    ...exchanger,
    addresses,
    tlsa,
    is_ours: found.some((address) => options.own_addresses.has(canonicalAddress(address))),
    not_public: found.length > 0 && addresses.length === 0,
    error: addresses.length === 0 && error?.kind === 'error' ? error.reason : undefined,
  };
}

/** A failed lookup makes the host unusable: otherwise an attacker could suppress the records (RFC 7672 §2.1.2). */
async function findTlsa(
  host: string,
  { lookUp, port }: ResolveOptions,
): Promise<TlsaRecord[] | { kind: 'error'; reason: DnsError }> {
  const lookup = await lookUp(`_${port}._tcp.${host}`, 'TLSA');
  if (lookup.kind === 'error') return lookup;
  return lookup.kind === 'found' && lookup.authentic ? lookup.records : [];
}

function unusable(exchanger: Exchanger): Omit<Resolved, 'error'> {
  return { ...exchanger, addresses: [], tlsa: [], is_ours: false, not_public: false };
}
