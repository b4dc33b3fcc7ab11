export type DkimSelector = 's1' | 's2';
export const DKIM_SELECTORS: readonly DkimSelector[] = ['s1', 's2'];

export interface PlatformNames {
  mx: string;
  spf: string;
  verify: string;
  dkim_zone: string;
  /** Below it are the keys of the platform itself (RFC 6376 §3.6.2.1). */
  domainkey: string;
  dmarc_policy: string;
  /** Names below it say that a domain may have its DMARC reports sent here (RFC 7489 §7.1). */
  report_authorization: string;
  dmarc_mailbox: string;
}

/** The names customers point at and the platform's zone answers for. */
export function platformNames(platformDomain: string): PlatformNames {
  const origin = platformDomain.toLowerCase().replace(/\.$/, '');
  return {
    mx: `mx.${origin}`,
    spf: `spf.${origin}`,
    verify: `verify.${origin}`,
    dkim_zone: `dkim.${origin}`,
    domainkey: `_domainkey.${origin}`,
    dmarc_policy: `_dmarc.${origin}`,
    report_authorization: `_report._dmarc.${origin}`,
    dmarc_mailbox: `dmarc@${origin}`,
  };
}
