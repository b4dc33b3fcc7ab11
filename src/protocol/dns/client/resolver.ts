import ipaddr from 'ipaddr.js';
import type { DnsError } from './dns-exchange.ts';
import { createRecordLookup, type Lookup, type LookupOptions } from './record-lookup.ts';

export type DnsOutcome<T> =
  | { kind: 'found'; records: T[] }
  | { kind: 'missing' }
  | { kind: 'error'; reason: DnsError };

export interface MxRecord {
  exchange: string;
  priority: number;
}

export interface Resolver {
  mx(name: string, options?: LookupOptions): Promise<DnsOutcome<MxRecord>>;
  /** One string per record: the character-strings of a TXT are joined without a space (RFC 7208 §3.3). */
  txt(name: string, options?: LookupOptions): Promise<DnsOutcome<string>>;
  /** IPv6 and IPv4 addresses of a host, in that order. */
  addresses(name: string, options?: LookupOptions): Promise<DnsOutcome<string>>;
  /** The first hop only. */
  cname(name: string, options?: LookupOptions): Promise<DnsOutcome<string>>;
  /** Name servers of a zone, without a trailing dot. */
  ns(name: string, options?: LookupOptions): Promise<DnsOutcome<string>>;
  /** Names of an IP address, without a trailing dot. */
  ptr(address: string, options?: LookupOptions): Promise<DnsOutcome<string>>;
}

export interface ResolverOptions {
  /** `ip:port` or `[v6]:port`; the system's resolvers when there are none. */
  servers?: string[];
  /** Of one query, retries included. */
  timeout_ms: number;
}

/** Uncached lookups of the types that verification needs: it must see DNS as it is now. */
export function createResolver(options: ResolverOptions): Resolver {
  const lookUp = createRecordLookup({ ...options, trust_ad: 'never' });
  return {
    async mx(name, query) {
      const outcome = outcomeOf(await lookUp(name, 'MX', query));
      if (outcome.kind !== 'found') return outcome;
      // The root, which a null MX names (RFC 7505), is the empty string.
      const records = outcome.records.map(({ exchange, preference }) => ({
        exchange: exchange.replace(/\.$/, ''),
        priority: preference,
      }));
      return { kind: 'found', records };
    },
    txt: async (name, query) => outcomeOf(await lookUp(name, 'TXT', query)),
    async addresses(name, query) {
      const outcomes = await Promise.all([
        lookUp(name, 'AAAA', query).then(outcomeOf),
        lookUp(name, 'A', query).then(outcomeOf),
      ]);
      const records = outcomes.flatMap((outcome) => (outcome.kind === 'found' ? outcome.records : []));
      if (records.length > 0) return { kind: 'found', records };
      return outcomes.find(({ kind }) => kind === 'error') ?? { kind: 'missing' };
    },
    cname: async (name, query) => outcomeOf(await lookUp(name, 'CNAME', query)),
    ns: async (name, query) => withoutFinalDots(outcomeOf(await lookUp(name, 'NS', query))),
    ptr: async (address, query) =>
      withoutFinalDots(outcomeOf(await lookUp(reverseName(address), 'PTR', query))),
  };
}

/** RFC 1035 §3.5 and RFC 3596 §2.5. */
function reverseName(address: string): string {
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return `${parsed.octets.toReversed().join('.')}.in-addr.arpa`;
  const digits = parsed.toByteArray().flatMap((byte) => [byte >> 4, byte & 15]);
  return `${digits
    .toReversed()
    .map((digit) => digit.toString(16))
    .join('.')}.ip6.arpa`;
}

function withoutFinalDots(outcome: DnsOutcome<string>): DnsOutcome<string> {
  if (outcome.kind !== 'found') return outcome;
  return { kind: 'found', records: outcome.records.map((name) => name.replace(/\.$/, '')) };
}

function outcomeOf<T>(lookup: Lookup<T>): DnsOutcome<T> {
  if (lookup.kind === 'found') return { kind: 'found', records: lookup.records };
  return lookup.kind === 'missing' ? { kind: 'missing' } : lookup;
}
