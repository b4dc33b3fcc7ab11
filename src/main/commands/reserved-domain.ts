import { isReservedName } from '../../protocol/dns/reserved-names.ts';

interface Names {
  domain: string;
  platform_domain: string;
  /** Slug of its instance. */
  slug: string;
}

/** Why the public DNS can never verify a domain; undefined when it can. Both kinds of names are RFC 6761's. */
export function reservedDomainNotice({ domain, platform_domain, slug }: Names): string | undefined {
  const meanwhile = `To try sending, use test@${slug}.sandbox.test, which needs no DNS.`;
  if (isReservedName(domain)) {
    return `${domain} can never be verified: the name is reserved for tests and documentation. ${meanwhile}`;
  }
  if (!isReservedName(platform_domain)) return undefined;
  return (
    `${domain} can never be verified as long as the platform domain is ${platform_domain}: that name is reserved for tests, ` +
    `and these records lead nowhere. Set CHASQUI_PLATFORM_DOMAIN to a domain of yours, restart, and \`chasqui domain show\` ` +
    `prints the records to publish. ${meanwhile}`
  );
}
