import { validationProblem } from '../base/errors/problem.ts';
import type { MxRecord, Resolver } from '../protocol/dns/client/resolver.ts';
import { validateNewDomain } from './domain-name.ts';
import { boundedValue, canonicalName, type Lookup } from './verification/check-result.ts';
import { type DnsProvider, providerOf } from './verification/dns-provider.ts';
import { findZone, type FoundZone } from './verification/find-zone.ts';
import { withinDeadline } from './verification/within-deadline.ts';
import { platformNames } from './zone/platform-names.ts';

const deadlineMs = 5_000;
const maxMailServers = 10;
/** Subdomains to offer in place of a name that is in use, the first that is free. */
const alternatives = ['mail', 'send', 'notify'];

export interface NameInDns extends FoundZone {
  domain: string;
  provider: DnsProvider | null;
  mail_servers: MxRecord[];
  receives_mail_elsewhere: boolean | null;
  alias_of: string | null;
  suggested_domain: string | null;
}

interface Looking {
  platform_domain: string;
  resolver: Resolver;
}

/**
 * What DNS says about a name before it is registered. Its MX must be the platform's, so a name whose
 * mailboxes are elsewhere would lose its mail.
 */
export async function lookUpName(name: string, { platform_domain, resolver }: Looking): Promise<NameInDns> {
  const validated = validateNewDomain(name, platform_domain);
  if ('violation' in validated)
    throw validationProblem([{ ...validated.violation, pointer: '/domain_name' }]);
  const { domain } = validated;
  return await withinDeadline(deadlineMs, async (signal) => {
    const lookup = { resolver, signal };
    const [use, zone] = await Promise.all([
      lookUpUse(domain, platform_domain, lookup),
      findZone(domain, lookup),
    ]);
    const suggested_domain = isFree(use) ? null : await findFree(domain, platform_domain, lookup);
    return { domain, ...zone, provider: providerOf(zone.name_servers) ?? null, ...use, suggested_domain };
  });
}

type Use = Pick<NameInDns, 'mail_servers' | 'receives_mail_elsewhere' | 'alias_of'>;

async function lookUpUse(domain: string, platformDomain: string, lookup: Lookup): Promise<Use> {
  const { resolver, signal } = lookup;
  const [mx, cname] = await Promise.all([
    resolver.mx(domain, { signal }),
    resolver.cname(domain, { signal }),
  ]);
  const alias = cname.kind === 'found' ? cname.records[0] : undefined;
  const alias_of = alias === undefined ? null : boundedValue(canonicalName(alias));
  if (mx.kind === 'error') return { mail_servers: [], receives_mail_elsewhere: null, alias_of };
  const records = mx.kind === 'found' ? mx.records : [];
  // The null MX receives nothing (RFC 7505).
  const servers = records.filter(({ exchange }) => exchange !== '');
  const ours = platformNames(platformDomain).mx;
  return {
    mail_servers: servers
      .toSorted((a, b) => a.priority - b.priority)
      .slice(0, maxMailServers)
      .map(({ exchange, priority }) => ({ exchange: boundedValue(canonicalName(exchange)), priority })),
    receives_mail_elsewhere: servers.some(({ exchange }) => canonicalName(exchange) !== ours),
    alias_of,
  };
}

/** Beside a CNAME there can be no MX and no TXT (RFC 1034 §3.6.2). */
function isFree({ receives_mail_elsewhere, alias_of }: Use): boolean {
  return receives_mail_elsewhere !== true && alias_of === null;
}

async function findFree(domain: string, platformDomain: string, lookup: Lookup): Promise<string | null> {
  const names = alternatives
    .map((label) => `${label}.${domain}`)
    .filter((name) => 'domain' in validateNewDomain(name, platformDomain));
  const uses = await Promise.all(
    names.map(async (name) => ({ name, use: await lookUpUse(name, platformDomain, lookup) })),
  );
  return uses.find(({ use }) => use.receives_mail_elsewhere === false && isFree(use))?.name ?? null;
}
