import type { Config } from '../../base/config.ts';
import type { Queryable } from '../../base/db/database.ts';
import { platformNames } from '../../domains/zone/platform-names.ts';
import { canonicalAddress } from '../../protocol/address/public-address.ts';
import { isReservedName } from '../../protocol/dns/reserved-names.ts';
import type { DnsOutcome, Resolver } from '../../protocol/dns/client/resolver.ts';
import { CheckFailure } from '../../installation/check.ts';
import { platformZoneData } from '../dns-listener.ts';
import { countRealDomains } from './real-domains.ts';

/** The names that customers' records lead to, asked for as the world asks. */
export async function checkZone(db: Queryable, config: Config, resolver: Resolver): Promise<string> {
  const { platform_domain, public_addresses } = config;
  if (isReservedName(platform_domain)) return await reserved(db, platform_domain);
  const names = platformNames(platform_domain);
  const [spf, mx] = await Promise.all([resolver.txt(names.spf), resolver.addresses(names.mx)]);
  const policies = requireFound(spf, names.spf, platform_domain);
  const addresses = requireFound(mx, names.mx, platform_domain);
  const published = `v=spf1 ${platformZoneData(config).spf_terms}`;
  if (!policies.includes(published)) {
    throw new CheckFailure(
      `${names.spf} says "${policies[0]?.slice(0, 200)}", but should say "${published}"`,
      'Publish the zone that `chasqui zonefile` prints, or set CHASQUI_PUBLIC_ADDRESSES alike on every node.',
    );
  }
  const ours = new Set(public_addresses.map(canonicalAddress));
  const strange = addresses.filter((address) => !ours.has(canonicalAddress(address)));
  if (strange.length > 0) {
    throw new CheckFailure(
      `${names.mx} leads to ${strange.slice(0, 5).join(', ')}, which CHASQUI_PUBLIC_ADDRESSES does not list`,
      'Bounces go there: correct the zone or CHASQUI_PUBLIC_ADDRESSES.',
    );
  }
  return `${platform_domain} is delegated: ${names.mx} is ${addresses.join(', ')}`;
}

async function reserved(db: Queryable, platform_domain: string): Promise<string> {
  const { first } = await countRealDomains(db);
  if (first === undefined)
    return `${platform_domain} is reserved for trying things out; no real domain sends`;
  throw new CheckFailure(
    `${platform_domain} is a reserved name, so the DKIM keys and the SPF record of ${first} resolve nowhere`,
    'Set CHASQUI_PLATFORM_DOMAIN to a domain of yours, delegate it, and publish the records of each domain again.',
  );
}

function requireFound<T>(outcome: DnsOutcome<T>, name: string, zone: string): T[] {
  if (outcome.kind === 'found') return outcome.records;
  throw new CheckFailure(
    outcome.kind === 'missing'
      ? `${name} does not exist for the world: ${zone} is not delegated here`
      : `${name} could not be resolved (${outcome.reason})`,
    `Add NS records for ${zone} at its parent zone, open port 53 (UDP and TCP) to role dns, or publish what \`chasqui zonefile\` prints.`,
  );
}
