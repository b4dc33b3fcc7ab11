export type DkimSelector = 's1' | 's2';
export const dkimSelectors: readonly DkimSelector[] = ['s1', 's2'];

/** `key` of signed Domain Connect links: the label of the public key below the platform domain. */
export const domainConnectKeyLabels: Record<DkimSelector, string> = { s1: '_dck1', s2: '_dck2' };

export interface PlatformNames {
  mx: string;
  spf: string;
  verify: string;
  dkim_zone: string;
  /** Parent of the platform's own DKIM keys (RFC 6376 §3.6.2.1). */
  domainkey: string;
  /** Where the same keys are published for Domain Connect, by selector. */
  domain_connect_keys: Record<DkimSelector, string>;
  dmarc_policy: string;
  /** Names below it authorise domains to send DMARC reports here (RFC 9990 §4). */
  report_authorization: string;
  dmarc_mailbox: string;
}

/** Names that customers' records point to, all in the platform's zone. */
export function platformNames(platformDomain: string): PlatformNames {
  const origin = platformDomain.toLowerCase().replace(/\.$/, '');
  return {
    mx: `mx.${origin}`,
    spf: `spf.${origin}`,
    verify: `verify.${origin}`,
    dkim_zone: `dkim.${origin}`,
    domainkey: `_domainkey.${origin}`,
    domain_connect_keys: {
      s1: `${domainConnectKeyLabels.s1}.${origin}`,
      s2: `${domainConnectKeyLabels.s2}.${origin}`,
    },
    dmarc_policy: `_dmarc.${origin}`,
    report_authorization: `_report._dmarc.${origin}`,
    dmarc_mailbox: `dmarc@${origin}`,
  };
}
