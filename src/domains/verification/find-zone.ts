import { registrableDomain } from '../domain-name.ts';
import type { Lookup } from './check-result.ts';
import { boundedValue, canonicalName } from './check-result.ts';

/** Deeper names are asked about from their end: a name five labels down is rarely a zone. */
const maxCandidates = 5;
const maxNameServers = 10;

export interface FoundZone {
  /** Apex of the zone that holds the domain; the registrable name where no name server answered. */
  zone: string;
  name_servers: string[];
}

/** The nearest name at or above the domain that has name servers, no higher than the registrable name. */
export async function findZone(domain: string, { resolver, signal }: Lookup): Promise<FoundZone> {
  const registrable = registrableDomain(domain) ?? domain;
  const candidates = namesUpTo(domain, registrable).slice(-maxCandidates);
  const outcomes = await Promise.all(
    candidates.map(async (name) => ({ name, outcome: await resolver.ns(name, { signal }) })),
  );
  for (const { name, outcome } of outcomes) {
    if (outcome.kind !== 'found') continue;
    const name_servers = outcome.records.map((record) => boundedValue(canonicalName(record)));
    return { zone: name, name_servers: name_servers.toSorted().slice(0, maxNameServers) };
  }
  return { zone: registrable, name_servers: [] };
}

/** The host of a record as the DNS editors of most providers want it: without the zone, `@` for the zone itself. */
export function relativeName(host: string, zone: string): string {
  if (host === zone) return '@';
  return host.endsWith(`.${zone}`) ? host.slice(0, -zone.length - 1) : host;
}

function namesUpTo(domain: string, top: string): string[] {
  const names = [domain];
  for (let name = domain; name !== top && name.includes('.'); names.push(name)) {
    name = name.slice(name.indexOf('.') + 1);
  }
  return names;
}
