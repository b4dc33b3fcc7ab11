import { parse } from 'tldts';
import type { Violation } from '../base/errors/problem.ts';
import { canonicalDomain } from '../protocol/address/domain-name.ts';
import { sandboxZone } from './sandbox.ts';

/** Whether `domain` may be registered for sending. */
export function validateNewDomain(
  text: string,
  platform_domain: string,
): { domain: string } | { violation: Violation } {
  const domain = canonicalDomain(text);
  if (domain === undefined) return refuse('value_error.domain', 'This is not a domain name');
  if (isAtOrBelow(domain, sandboxZone)) {
    return refuse('value_error.reserved_domain', `Names at or below ${sandboxZone} belong to the sandbox`);
  }
  if (isAtOrBelow(domain, platform_domain)) {
    return refuse(
      'value_error.reserved_domain',
      `Names at or below ${platform_domain} belong to the platform`,
    );
  }
  if (registrableDomain(domain) === undefined || !domain.includes('.')) {
    return refuse(
      'value_error.public_suffix',
      'This is a public suffix, below which others register their own names',
    );
  }
  return { domain };
}

/** Public suffixes such as `com` or `co.uk` cannot be owned, nor private ones of hosting providers. */
export function registrableDomain(domain: string): string | undefined {
  return parse(domain, { allowPrivateDomains: true }).domain ?? undefined;
}

export function isAtOrBelow(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

function refuse(code: string, message: string): { violation: Violation } {
  return { violation: { pointer: '/domain', code, message } };
}
