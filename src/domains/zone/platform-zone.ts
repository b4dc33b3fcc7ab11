import type { RecordSet, Zone } from '../../protocol/dns/zone.ts';
import { dkimSelectors, platformNames } from './platform-names.ts';
import type { DkimSelector } from './platform-names.ts';
import { dkimRecord, domainConnectRecord, platformRecords, reportAuthorization } from './platform-records.ts';
import type { PlatformZoneData } from './platform-records.ts';

/** The base64 SubjectPublicKeyInfo. Called per query: the caller caches, absence included. */
export type FindDkimPublicKey = (
  selector: DkimSelector,
  /** Token of a domain; null for the platform itself. */
  token: string | null,
) => Promise<string | undefined>;

export interface PlatformZoneOptions extends PlatformZoneData {
  findDkimPublicKey: FindDkimPublicKey;
}

/** The zone that an operator delegates to the platform. Tokens are DNS labels, hence looked up in lower case. */
export function createPlatformZone(options: PlatformZoneOptions): Zone {
  const { origin, soa, ns, fixed } = platformRecords(options);
  const { findDkimPublicKey, ttl } = options;
  const names = platformNames(options.platform_domain);
  const authorization = [reportAuthorization(ttl)];
  return {
    origin,
    soa,
    ns,
    async lookup(name) {
      const found = fixed.get(name);
      if (found !== undefined) return found;
      if (name.endsWith(`.${names.report_authorization}`)) return authorization;
      const own = dkimSelectors.find((selector) => name === `${selector}.${names.domainkey}`);
      if (own !== undefined) {
        const key = await findDkimPublicKey(own, null);
        return key === undefined ? undefined : [dkimRecord(key, ttl)];
      }
      const connecting = dkimSelectors.find((selector) => name === names.domain_connect_keys[selector]);
      if (connecting !== undefined) {
        const key = await findDkimPublicKey(connecting, null);
        return key === undefined ? undefined : [domainConnectRecord(key, ttl)];
      }
      if (!name.endsWith(`.${names.dkim_zone}`)) return undefined;
      return await lookupDkim(name.slice(0, -names.dkim_zone.length - 1), { findDkimPublicKey, ttl });
    },
  };
}

async function lookupDkim(
  inner: string,
  { findDkimPublicKey, ttl }: { findDkimPublicKey: FindDkimPublicKey; ttl: number },
): Promise<RecordSet[] | undefined> {
  const [token = '', label, ...deeper] = inner.split('.').toReversed();
  if (deeper.length > 0 || !/^[a-z0-9_-]{1,63}$/.test(token)) return undefined;
  if (label === undefined) {
    // For resolvers that query label by label (RFC 9156), NXDOMAIN here would mean that nothing exists below (RFC
    // 8020).
    const keys = await Promise.all(
      dkimSelectors.map(async (selector) => await findDkimPublicKey(selector, token)),
    );
    return keys.some((key) => key !== undefined) ? [] : undefined;
  }
  const selector = dkimSelectors.find((known) => known === label);
  const key = selector === undefined ? undefined : await findDkimPublicKey(selector, token);
  return key === undefined ? undefined : [dkimRecord(key, ttl)];
}
