import { characterStrings } from '../../protocol/dns/write-response.ts';
import type { RecordSet } from '../../protocol/dns/zone.ts';
import { platformNames } from './platform-names.ts';
import type { DkimSelector } from './platform-names.ts';
import { dkimRecord, domainConnectRecord, platformRecords, reportAuthorization } from './platform-records.ts';
import type { PlatformZoneData } from './platform-records.ts';

export interface PublishedDkimKey {
  selector: DkimSelector;
  /** Token of a domain; null for the platform itself. */
  token: string | null;
  public_key: string;
}

/** The platform's zone as a master file (RFC 1035 §5), for operators who publish it elsewhere. */
export function zoneFile(data: PlatformZoneData, dkimKeys: Iterable<PublishedDkimKey>): string {
  const { origin, soa, ns, fixed } = platformRecords(data);
  const names = platformNames(data.platform_domain);
  const lines = [`$ORIGIN ${origin}.`, `$TTL ${data.ttl}`, ...setLines(origin, soa), ...setLines(origin, ns)];
  for (const [name, sets] of fixed) lines.push(...sets.flatMap((set) => setLines(name, set)));
  // Names that the server synthesises are a wildcard in the file (RFC 4592).
  lines.push(...setLines(`*.${names.report_authorization}`, reportAuthorization(data.ttl)));
  for (const { selector, token, public_key } of dkimKeys) {
    const owner =
      token === null ? `${selector}.${names.domainkey}` : `${selector}.${token}.${names.dkim_zone}`;
    lines.push(...setLines(owner, dkimRecord(public_key, data.ttl)));
    if (token === null)
      lines.push(...setLines(names.domain_connect_keys[selector], domainConnectRecord(public_key, data.ttl)));
  }
  return `${lines.join('\n')}\n`;
}

function setLines(owner: string, set: RecordSet): string[] {
  return recordTexts(set).map((data) => `${owner}.\t${set.ttl}\tIN\t${set.type}\t${data}`);
}

function recordTexts(set: RecordSet): string[] {
  const { type, records } = set;
  if (type === 'TXT') return records.map((value) => characterStrings(value).map(quotedString).join(' '));
  if (type === 'MX') return records.map(({ preference, exchange }) => `${preference} ${exchange}.`);
  if (type === 'SOA')
    return records.map(
      ({ mname, rname, serial, refresh, retry, expire, minimum }) =>
        `${mname}. ${rname}. ${serial} ${refresh} ${retry} ${expire} ${minimum}`,
    );
  return type === 'NS' || type === 'CNAME' ? records.map((name) => `${name}.`) : records;
}

/** Non-ASCII octets are written as `\DDD` (RFC 1035 §5.1). */
function quotedString(bytes: Buffer): string {
  const escaped = bytes
    .toString('latin1')
    .replace(/["\\]/g, String.raw`\$&`)
    .replace(/[^ -~]/g, (char) => `\\${String(char.charCodeAt(0)).padStart(3, '0')}`);
  return `"${escaped}"`;
}
