import { dkimSelectors, platformNames } from '../zone/platform-names.ts';

export interface DnsRecord {
  type: 'CNAME' | 'MX' | 'TXT';
  /** Fully qualified, without a trailing dot. */
  host: string;
  value: string;
  priority: number | null;
}

export interface DnsRecords {
  ownership_cname: DnsRecord;
  mx: DnsRecord;
  spf: DnsRecord;
  dkim: DnsRecord[];
  dmarc: DnsRecord;
}

export interface DomainNames {
  domain: string;
  ownership_token: string;
  platform_domain: string;
}

/** The records that authorise the platform to send for a domain. */
export function dnsRecordsFor({ domain, ownership_token, platform_domain }: DomainNames): DnsRecords {
  const names = platformNames(platform_domain);
  return {
    ownership_cname: cname(`${ownership_token}.${domain}`, names.verify),
    mx: { type: 'MX', host: domain, value: names.mx, priority: 10 },
    spf: txt(domain, `v=spf1 include:${names.spf} ~all`),
    dkim: dkimSelectors.map((selector) =>
      cname(`${selector}._domainkey.${domain}`, `${selector}.${ownership_token}.${names.dkim_zone}`),
    ),
    dmarc: txt(`_dmarc.${domain}`, `v=DMARC1; p=none; rua=mailto:${names.dmarc_mailbox}`),
  };
}

function cname(host: string, value: string): DnsRecord {
  return { type: 'CNAME', host, value, priority: null };
}

function txt(host: string, value: string): DnsRecord {
  return { type: 'TXT', host, value, priority: null };
}
