import { isIP, isIPv4 } from 'node:net';
import type { NsRecordSet, RecordSet, SoaRecordSet } from '../../protocol/dns/zone.ts';
import { platformNames } from './platform-names.ts';

export interface PlatformZoneData {
  platform_domain: string;
  mx_addresses: string[];
  /** Addresses of `verify.P` and of P itself. */
  verify_addresses: string[];
  /** Terms after `v=spf1`, e.g. `ip4:192.0.2.0/24 ~all`. */
  spf_terms: string;
  /**
   * Host names, or addresses, which are then named `ns1.P`, `ns2.P` in order. A host name inside P needs an address
   * and gets those of `mx.P`.
   */
  name_servers: string[];
  /** An address (`hostmaster@P`) or a domain name. */
  hostmaster: string;
  ttl: number;
  serial?: number;
}

export interface PlatformRecords {
  origin: string;
  soa: SoaRecordSet;
  ns: NsRecordSet;
  /** All static names but the SOA and NS of the apex. Empty non-terminals have no records. */
  fixed: Map<string, RecordSet[]>;
}

/** How long resolvers may cache NXDOMAIN; bounds the delay of a new domain's keys. */
const negativeTtl = 300;

export function platformRecords(data: PlatformZoneData): PlatformRecords {
  const names = platformNames(data.platform_domain);
  const origin = zoneName(data.platform_domain);
  const { ttl } = data;
  const servers = nameServers(data, origin);
  const [primary] = servers.keys();
  if (primary === undefined) throw new Error('the zone needs at least one name server');
  const verify = addressSets(data.verify_addresses, ttl);
  const fixed = new Map<string, RecordSet[]>([
    [
      origin,
      [
        ...verify,
        { type: 'MX', ttl, records: [{ preference: 10, exchange: names.mx }] },
        text(`v=spf1 include:${names.spf} -all`, ttl),
      ],
    ],
    [names.mx, addressSets(data.mx_addresses, ttl)],
    [names.verify, verify],
    [names.spf, [text(`v=spf1 ${data.spf_terms}`, ttl)]],
    [names.dmarc_policy, [text(`v=DMARC1; p=none; rua=mailto:${names.dmarc_mailbox}`, ttl)]],
    [names.report_authorization, []],
    [names.dkim_zone, []],
    [names.domainkey, []],
  ]);
  addNameServers(fixed, servers, { origin, ttl });
  return {
    origin,
    soa: startOfAuthority(data, primary),
    ns: { type: 'NS', ttl, records: [...servers.keys()] },
    fixed,
  };
}

export function dkimRecord(publicKey: string, ttl: number): RecordSet {
  return text(`v=DKIM1; k=rsa; p=${publicKey}`, ttl);
}

/** As Domain Connect wants public keys: in parts, each a TXT record of one string. */
export function domainConnectRecord(publicKey: string, ttl: number): RecordSet {
  const parts = publicKey.match(/.{1,200}/g) ?? [];
  return { type: 'TXT', ttl, records: parts.map((part, index) => `p=${index + 1},a=RS256,d=${part}`) };
}

/** RFC 9990 §4: authorises a domain to send its reports to us. */
export function reportAuthorization(ttl: number): RecordSet {
  return text('v=DMARC1', ttl);
}

function text(value: string, ttl: number): RecordSet {
  return { type: 'TXT', ttl, records: [value] };
}

function addressSets(addresses: string[], ttl: number): RecordSet[] {
  const wrong = addresses.find((address) => isIP(address) === 0);
  if (wrong !== undefined) throw new Error(`${wrong} is not an IP address`);
  const sets: RecordSet[] = [
    { type: 'A', ttl, records: addresses.filter((address) => isIPv4(address)) },
    { type: 'AAAA', ttl, records: addresses.filter((address) => !isIPv4(address)) },
  ];
  return sets.filter((set) => set.records.length > 0);
}

/** Name servers with their addresses, which matter only inside the zone. */
function nameServers(data: PlatformZoneData, origin: string): Map<string, string[]> {
  return new Map(
    data.name_servers.map((server, index): [string, string[]] =>
      isIP(server) === 0 ? [zoneName(server), data.mx_addresses] : [`ns${index + 1}.${origin}`, [server]],
    ),
  );
}

function addNameServers(
  fixed: Map<string, RecordSet[]>,
  servers: Map<string, string[]>,
  { origin, ttl }: { origin: string; ttl: number },
): void {
  for (const [name, addresses] of servers) {
    if (!name.endsWith(`.${origin}`) || fixed.has(name)) continue;
    fixed.set(name, addressSets(addresses, ttl));
    for (let parent = above(name); parent !== origin; parent = above(parent))
      if (!fixed.has(parent)) fixed.set(parent, []);
  }
}

function above(name: string): string {
  return name.slice(name.indexOf('.') + 1);
}

function startOfAuthority({ hostmaster, serial, ttl }: PlatformZoneData, mname: string): SoaRecordSet {
  const times = { refresh: 3600, retry: 600, expire: 1_209_600, minimum: Math.min(ttl, negativeTtl) };
  return {
    type: 'SOA',
    ttl,
    records: [{ mname, rname: responsibleName(hostmaster), serial: serial ?? 1, ...times }],
  };
}

/** RFC 1035 §8: the @ becomes a dot; dots before it are escaped. */
function responsibleName(hostmaster: string): string {
  const at = hostmaster.lastIndexOf('@');
  if (at === -1) return zoneName(hostmaster);
  return `${hostmaster.slice(0, at).replaceAll('.', String.raw`\.`)}.${zoneName(hostmaster.slice(at + 1))}`;
}

function zoneName(name: string): string {
  const canonical = name.toLowerCase().replace(/\.$/, '');
  const labels = canonical.split('.');
  if (
    canonical.length > 253 ||
    !labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
  )
    throw new Error(`${name} is not a domain name`);
  return canonical;
}
