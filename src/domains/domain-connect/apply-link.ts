import { sign } from 'node:crypto';
import type { SigningKey } from '../dkim-keys.ts';
import type { LookedUpRecord, RecordPurpose } from '../verification/look-up-records.ts';
import { relativeName } from '../verification/find-zone.ts';
import { domainConnectKeyLabels } from '../zone/platform-names.ts';
import { below, type ConnectProvider } from './discover.ts';

interface ApplyOptions {
  provider: ConnectProvider;
  template: { providerId: string; serviceId: string };
  domain: string;
  zone: string;
  ownership_token: string;
  purposes: RecordPurpose[];
  /** Where the provider sends people back to. */
  redirect_uri: string;
}

/**
 * What the provider may write: records that are not there, and the term that SPF lacks. A record with another value is
 * left to people. An MX of other servers, for one, still brings mail to somebody.
 */
export function purposesToApply(records: LookedUpRecord[]): RecordPurpose[] {
  const missing = records.filter(
    ({ status, problem }) => status === 'not_found' || problem === 'spf_include_missing',
  );
  return [...new Set(missing.map(({ purpose }) => purpose))];
}

/** The link of the synchronous flow, signed so that nobody else can apply the template to a domain with other values. */
export function applyLink(options: ApplyOptions, { selector, key }: SigningKey): string {
  const { provider, template, domain, zone, ownership_token, purposes, redirect_uri } = options;
  const { providerId, serviceId } = template;
  const host = relativeName(domain, zone);
  const query = new URLSearchParams({
    domain: zone,
    ...(host !== '@' && { host }),
    token: ownership_token,
    groupId: purposes.join(','),
    redirect_uri,
  }).toString();
  const signature = sign('sha256', Buffer.from(query), key).toString('base64');
  const url = below(
    provider.sync_url,
    `v2/domainTemplates/providers/${providerId}/services/${serviceId}/apply`,
  );
  // The signature covers the query without `key` and `sig`, and some providers want it last.
  const proof = new URLSearchParams({ key: domainConnectKeyLabels[selector], sig: signature });
  url.search = `${query}&${proof.toString()}`;
  return url.href;
}
