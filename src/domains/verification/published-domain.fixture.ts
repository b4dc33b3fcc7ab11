import type { TestContext } from 'node:test';
import { createResolver } from '../../protocol/dns/client/resolver.ts';
import { startDnsServer } from '../../../test/support/dns-server.ts';
import type { DnsServer } from '../../../test/support/dns-server.ts';
import { checkDomain } from './check-domain.ts';
import type { DomainCheck } from './check-domain.ts';

export const domainName = 'example.com';
const names = { domain: domainName, ownership_token: 'tok3n' };

export interface PublishedDomain {
  dns: DnsServer;
  check: (options?: CheckOptions) => Promise<DomainCheck>;
}

interface CheckOptions {
  check_ownership?: boolean;
  deadline_ms?: number;
  timeout_ms?: number;
}

/** A real name server on which everything is published as it should be, for a test to spoil one thing. */
export async function publishDomain(
  t: TestContext,
  platform_domain = 'chasqui.test',
): Promise<PublishedDomain> {
  const dns = await startDnsServer({
    records: {
      'tok3n.example.com': { CNAME: [`verify.${platform_domain}`] },
      'example.com': {
        MX: [`10 mx.${platform_domain}`],
        TXT: [`v=spf1 include:spf.${platform_domain} ~all`],
      },
      's1._domainkey.example.com': { CNAME: [`s1.tok3n.dkim.${platform_domain}`] },
      's2._domainkey.example.com': { CNAME: [`s2.tok3n.dkim.${platform_domain}`] },
      [`s1.tok3n.dkim.${platform_domain}`]: { TXT: ['v=DKIM1; k=rsa; p=AAAA'] },
      [`s2.tok3n.dkim.${platform_domain}`]: { TXT: ['v=DKIM1; k=rsa; p=BBBB'] },
      '_dmarc.example.com': { TXT: [`v=DMARC1; p=none; rua=mailto:dmarc@${platform_domain}`] },
    },
  });
  t.after(async () => await dns.stop());
  return {
    dns,
    check: async ({ check_ownership = false, deadline_ms = 5000, timeout_ms = 3000 } = {}) =>
      await checkDomain(
        { ...names, platform_domain, check_ownership },
        createResolver({ servers: [dns.address], timeout_ms }),
        { deadline_ms },
      ),
  };
}
