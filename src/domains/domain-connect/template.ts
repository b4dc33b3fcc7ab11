import type { RecordPurpose } from '../verification/look-up-records.ts';
import { dnsRecordsFor, type DnsRecord } from '../verification/dns-records.ts';
import { platformNames } from '../zone/platform-names.ts';

export const domainConnectService = 'sending';
/** Raise it when a record changes: providers apply the version that they were given. */
const version = 1;
const ttl = 3600;
const token = '%token%';

interface TemplateOptions {
  platform_domain: string;
  /** Where the panel is: providers send people back to this host only. */
  base_url: string;
}

export type TemplateRecord = { groupId: RecordPurpose; type: string; host: string } & Record<
  string,
  string | number
>;

/**
 * The template that DNS providers apply (Domain Connect, draft-ietf-dconn-domainconnect, "Template Definition"). Its
 * provider is the platform domain, so each installation has its own. Groups let a link name only what is missing.
 */
export function domainConnectTemplate({ platform_domain, base_url }: TemplateOptions) {
  return {
    providerId: platform_domain,
    providerName: platform_domain,
    serviceId: domainConnectService,
    serviceName: 'Sending email',
    version,
    description: 'Lets this platform send email for the domain, and receive its bounces and reports.',
    variableDescription: `${token}: the token of the domain, in the names of its DKIM keys`,
    syncPubKeyDomain: platform_domain,
    syncRedirectDomain: new URL(base_url).hostname,
    records: templateRecords(platform_domain),
  };
}

function templateRecords(platform_domain: string): TemplateRecord[] {
  const domain = 'domain';
  const records = dnsRecordsFor({ domain, ownership_token: token, platform_domain });
  const hostOf = ({ host }: DnsRecord): string => (host === domain ? '@' : host.slice(0, -domain.length - 1));
  const alias = (groupId: RecordPurpose, record: DnsRecord): TemplateRecord => ({
    groupId,
    type: 'CNAME',
    host: hostOf(record),
    pointsTo: record.value,
    ttl,
  });
  return [
    alias('ownership', records.ownership_cname),
    { groupId: 'mx', type: 'MX', host: '@', pointsTo: records.mx.value, priority: 10, ttl },
    // SPFM adds the term to the SPF record that is there, or makes one.
    { groupId: 'spf', type: 'SPFM', host: '@', spfRules: `include:${platformNames(platform_domain).spf}` },
    ...records.dkim.map((record) => alias('dkim', record)),
    { groupId: 'dmarc', type: 'TXT', host: hostOf(records.dmarc), data: records.dmarc.value, ttl },
  ];
}
