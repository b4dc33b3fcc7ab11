import type { Config } from '../../base/config.ts';
import type { Queryable } from '../../base/db/database.ts';
import { canonicalAddress, isPublicAddress } from '../../protocol/address/public-address.ts';
import { isReservedName } from '../../protocol/dns/reserved-names.ts';
import type { Resolver } from '../../protocol/dns/client/resolver.ts';
import { listSourceAddresses } from '../../sources/source-addresses.ts';
import { CheckFailure, type Skipped } from '../../installation/check.ts';

interface Source {
  address: string;
  ehlo_name: string;
}

/** At most so many are looked up. */
const maxSources = 50;
const action =
  'Ask the provider of the address to set its PTR record to the EHLO name, and give that name an A or AAAA record.';

/** The greeting, its forward DNS and the address's reverse DNS agree (RFC 1912 §2.1); providers refuse mail otherwise. */
export async function checkReverseDns(
  db: Queryable,
  config: Config,
  resolver: Resolver,
): Promise<string | Skipped> {
  if (config.smarthost !== undefined) return { skipped: 'not examined: a smarthost delivers' };
  const sources = (await sourcesOf(db, config)).filter(
    ({ address, ehlo_name }) => isPublicAddress(address) && !isReservedName(ehlo_name),
  );
  if (sources.length === 0) return { skipped: 'not examined: no public address with a public name sends' };
  const examined = sources.slice(0, maxSources);
  const problems = await Promise.all(examined.map(async (source) => await problemOf(source, resolver)));
  const found = problems.filter((problem) => problem !== undefined);
  if (found.length > 0) throw new CheckFailure(found.join('; '), action);
  return examined.map(({ address, ehlo_name }) => `${address} is ${ehlo_name}`).join(', ');
}

/** Behind NAT a source is private: what the world sees is then one of the public addresses, whose name is not known. */
async function sourcesOf(db: Queryable, config: Config): Promise<Source[]> {
  const sources = await listSourceAddresses(db);
  if (sources.length > 0) return sources;
  const ehlo_name = `mx.${config.platform_domain}`;
  return config.public_addresses.map((address) => ({ address, ehlo_name }));
}

async function problemOf({ address, ehlo_name }: Source, resolver: Resolver): Promise<string | undefined> {
  const [reverse, forward] = await Promise.all([resolver.ptr(address), resolver.addresses(ehlo_name)]);
  if (reverse.kind === 'error') return `the PTR of ${address} could not be read (${reverse.reason})`;
  const names = reverse.kind === 'found' ? reverse.records.map((name) => name.toLowerCase()) : [];
  if (names.length === 0) return `${address} has no PTR record; it should be ${ehlo_name}`;
  if (!names.includes(ehlo_name.toLowerCase()))
    return `${address} greets as ${ehlo_name}, but its PTR is ${names.slice(0, 3).join(', ')}`;
  if (forward.kind === 'error') return `${ehlo_name} could not be resolved (${forward.reason})`;
  const addresses = forward.kind === 'found' ? forward.records : [];
  if (addresses.map(canonicalAddress).includes(canonicalAddress(address))) return undefined;
  return `${ehlo_name} resolves to ${addresses.slice(0, 3).join(', ') || 'nothing'}, not to ${address}`;
}
