import { isUsable, type TlsaRecord } from '../protocol/dane/check-certificate.ts';
import { policyNames, type MtaStsPolicy } from '../protocol/mta-sts/parse-policy.ts';
import type { MailHost } from './route/resolve-hosts.ts';

/**
 * How a connection has to be secured: if it can be; at any rate (the host has TLSA records, none of a known form); with
 * a valid certificate of the host's name (MTA-STS); or with one that its TLSA records describe (DANE).
 */
export type TlsNeed = 'opportunistic' | 'encrypted' | 'verified' | 'dane';

export interface Target {
  host: string;
  address: string;
  tls: TlsNeed;
  /** What to connect from; whichever the system chooses when there is none. */
  source?: { address: string; ehlo_name: string } | undefined;
  /** What the certificate is held against under `dane`. */
  dane?: { records: readonly TlsaRecord[]; names: readonly string[] } | undefined;
}

/** A mail is not tried at more places than this in one attempt: the next attempt goes on with the others. */
const max_places = 4;

interface Destination {
  domain: string;
  policy: MtaStsPolicy | undefined;
}

/**
 * The places to try, in order. TLSA records decide where a host has them, whatever a policy says (RFC 8461 §2); else a
 * policy in force leaves only the hosts it names, and asks for their certificates (RFC 8461 §5).
 */
export function targetsOf(hosts: readonly MailHost[], { domain, policy }: Destination): Target[] {
  const enforced = policy?.mode === 'enforce' ? policy : undefined;
  return hosts
    .filter(({ name, tlsa }) => tlsa.length > 0 || !enforced || policyNames(enforced, name))
    .flatMap(({ name: host, addresses, tlsa }) =>
      addresses.map((address): Target => {
        if (tlsa.some(isUsable))
          return { host, address, tls: 'dane', dane: { records: tlsa, names: [host, domain] } };
        if (tlsa.length > 0) return { host, address, tls: 'encrypted' };
        return { host, address, tls: enforced ? 'verified' : 'opportunistic' };
      }),
    )
    .slice(0, max_places);
}
