import type { Config } from '../base/config.ts';
import { isAtOrBelow } from '../domains/index.ts';

/**
 * Whether mail of the platform can reach nobody: its domain is under .test, which does not exist (RFC 6761 §6.2), and neither a smarthost
 * nor a test bed takes it.
 */
export function isTrialInstallation({
  platform_domain,
  smarthost,
  mx_allow_private,
}: Pick<Config, 'platform_domain' | 'smarthost' | 'mx_allow_private'>): boolean {
  return isAtOrBelow(platform_domain, 'test') && smarthost === undefined && !mx_allow_private;
}

interface Origin {
  domain: string;
  domain_is_sandbox: boolean;
}

/** What the sandbox captures for an instance instead of sending it: mail of the platform, and what forms send from a sandbox sender. */
export function keepingInside(config: Config): (from: Origin) => 'platform' | 'instance' | undefined {
  const isTrial = isTrialInstallation(config);
  return ({ domain, domain_is_sandbox }) => {
    if (domain_is_sandbox) return 'instance';
    return isTrial && domain === config.platform_domain ? 'platform' : undefined;
  };
}
