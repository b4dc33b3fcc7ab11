import type { Clock } from '../base/clock.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Resolver } from '../protocol/dns/client/resolver.ts';
import { getDomain } from './domains.ts';
import { type DnsProvider, providerOf } from './verification/dns-provider.ts';
import { type LookedUpRecords, lookUpRecords } from './verification/look-up-records.ts';

const deadline_ms = 5_000;

export interface DomainInDns extends LookedUpRecords {
  domain: string;
  provider: DnsProvider | null;
  looked_up_at: Date;
  all_found: boolean;
}

interface Looking {
  id: number;
  platform_domain: string;
  resolver: Resolver;
  clock: Clock;
}

/** What DNS says now. Changes no state: only validation does (contract §11). */
export async function lookUpDomain(
  db: Queryable,
  instanceId: number,
  { id, platform_domain, resolver, clock }: Looking,
): Promise<DomainInDns> {
  const { domain, ownership_token, is_sandbox } = await getDomain(db, instanceId, { id, platform_domain });
  if (is_sandbox) throw new Problem('domain_is_sandbox');
  const looked_up_at = clock.now();
  const names = { domain, ownership_token, platform_domain };
  const { zone, name_servers, records } = await lookUpRecords(names, resolver, { deadline_ms });
  return {
    domain,
    zone,
    name_servers,
    provider: providerOf(name_servers) ?? null,
    looked_up_at,
    // Ownership decides nothing.
    all_found: records.every(({ purpose, status }) => purpose === 'ownership' || status === 'found'),
    records,
  };
}
