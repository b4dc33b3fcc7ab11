import { isUsable, type TlsaRecord } from '../protocol/dane/check-certificate.ts';
import { policyNames, type MtaStsPolicy } from '../protocol/mta-sts/parse-policy.ts';
import type { MailHost } from './route/resolve-hosts.ts';

/**
 * Required security of a connection: `opportunistic`; `encrypted` (the host has TLSA records, but none is usable);
 * `verified`, with a valid certificate for the host name (MTA-STS); `dane`, with a certificate that matches its TLSA records.
 */
export type TlsNeed = 'opportunistic' | 'encrypted' | 'verified' | 'dane';

export interface Target {
  host: string;
  address: string;
  tls: TlsNeed;
  /** Local address to connect from; chosen by the operating system when absent. */
  source?: { address: string; ehlo_name: string } | undefined;
  /** What the certificate is verified against under `dane`. */
  dane?: { records: readonly TlsaRecord[]; names: readonly string[] } | undefined;
}

/** Addresses tried in one attempt. */
const maxTargets = 4;

interface Destination {
  domain: string;
  policy: MtaStsPolicy | undefined;
}

/**
 * The addresses to try, in order. TLSA records take precedence over an MTA-STS policy (RFC 8461 §2); otherwise an enforced
 * policy restricts the hosts to those it names, with verified certificates (RFC 8461 §5).
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
    .slice(0, maxTargets);
}
