import { isIP } from 'node:net';
import type { NoRoute } from '../../events/index.ts';
import type { DnsError } from '../../protocol/dns/client/dns-exchange.ts';
import { cutAtOurselves, orderByPreference } from './mx-order.ts';
import { canonicalAddress } from './pick-addresses.ts';
import type { LookUp } from '../../protocol/dns/client/record-lookup.ts';
import { resolveHosts, type MailHost, type ResolvedHosts } from './resolve-hosts.ts';

export type Route =
  | { kind: 'hosts'; hosts: MailHost[] }
  /** Null MX (RFC 7505). */
  | { kind: 'rejects_mail' }
  /** `permanent`: no address of this domain can work. Otherwise its DNS is misconfigured and likely to be fixed. */
  | { kind: 'no_route'; reason: NoRoute; permanent: boolean }
  | { kind: 'error'; reason: DnsError };

export interface RouterOptions {
  /** Should be cached (`createLookupCache`): every route looks everything up. */
  lookUp: LookUp;
  /** For tests: allows loopback and private addresses. */
  mx_allow_private: boolean;
  /** Names under which MX records refer to us. */
  own_names: readonly string[];
  /** Addresses on which we receive mail. */
  own_addresses?: readonly string[];
  /** SMTP port of the hosts, which is part of the name of their TLSA records. */
  port?: number;
  random?: () => number;
  /** Timeout for one route. */
  deadline_ms?: number;
}

export interface Router {
  route(domain: string): Promise<Route>;
}

const permanent: ReadonlySet<NoRoute> = new Set([
  'address_literal',
  'bad_domain',
  'domain_not_found',
  'no_mail_host',
]);

/** Of a domain. */
const maxHosts = 20;

/** Finds the mail hosts of a domain, in the order in which to try them (RFC 5321 §5.1). */
export function createRouter(given: RouterOptions): Router {
  const options = {
    own_addresses: [],
    port: 25,
    random: Math.random,
    deadline_ms: 20_000,
    ...given,
  };
  const ownNames = new Set(options.own_names.map(hostName));
  const ownAddresses = new Set(options.own_addresses.map(canonicalAddress));

  async function find(domain: string): Promise<Route> {
    const mx = await options.lookUp(domain, 'MX');
    if (mx.kind === 'error') return mx;
    if (mx.kind === 'missing' && !mx.name_exists) return noRoute('domain_not_found');
    const exchangers =
      mx.kind === 'found'
        ? mx.records.map(({ exchange, preference }) => ({ name: hostName(exchange), preference }))
        : [{ name: domain, preference: 0 }]; // the implicit MX: the domain's own address
    const named = exchangers.filter(({ name }) => name !== '');
    if (named.length === 0) return { kind: 'rejects_mail' };
    const others = cutAtOurselves(named, ({ name }) => ownNames.has(name));
    if (others.length === 0) return noRoute('loops_to_us');
    const ordered = orderByPreference(others, options.random).slice(0, maxHosts);
    const resolved = await resolveHosts(ordered, {
      ...options,
      own_addresses: ownAddresses,
      authentic: mx.authentic,
    });
    return conclude(resolved, mx.kind === 'missing');
  }

  return {
    async route(asked) {
      if (isLiteral(asked)) return noRoute('address_literal');
      const domain = hostName(asked);
      if (!isHostName(domain)) return noRoute('bad_domain');
      const late: Route = { kind: 'error', reason: 'timeout' };
      return await within(options.deadline_ms, find(domain), late);
    },
  };
}

function conclude({ hosts, ours, not_public, error }: ResolvedHosts, isImplicit: boolean): Route {
  if (hosts.length > 0) return { kind: 'hosts', hosts };
  // The host whose lookup failed may be the one that accepts mail.
  if (error !== undefined) return { kind: 'error', reason: error };
  if (ours > 0) return noRoute('loops_to_us');
  if (not_public > 0) return noRoute('mx_not_public');
  return noRoute(isImplicit ? 'no_mail_host' : 'mx_without_address');
}

function noRoute(reason: NoRoute): Route {
  return { kind: 'no_route', reason, permanent: permanent.has(reason) };
}

/** The root, which a null MX names, becomes the empty string. */
function hostName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

function isLiteral(domain: string): boolean {
  return domain.startsWith('[') || isIP(domain) !== 0;
}

function isHostName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label));
}

async function within<T>(ms: number, work: Promise<T>, late: T): Promise<T> {
  const expiry = Promise.withResolvers<T>();
  const timer = setTimeout(() => expiry.resolve(late), ms);
  try {
    return await Promise.race([work, expiry.promise]);
  } finally {
    clearTimeout(timer);
  }
}
