import { Type } from 'typebox';
import { audited } from '../audit/index.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import type { SendPlatformMail } from '../base/platform-mail.ts';
import type { PlatformMailLimits } from '../limits/index.ts';
import { writeDnsConfiguration } from './dns-configuration-mail.ts';
import { domainParams as params, type DomainsContext } from './domain-routes.ts';

interface DomainPanelContext extends DomainsContext {
  sendPlatformMail: SendPlatformMail;
  mail_limits: PlatformMailLimits;
}

/** A program has the records in `dns_records`, and its own ways to pass them on. */
export function domainPanelRoute(context: DomainPanelContext): Operation {
  const { db, platform_domain, sendPlatformMail, mail_limits } = context;
  return operation({
    id: 'panel_email_domain_records',
    method: 'POST',
    path: '/v1/private/domains/{id}/send-dns',
    tag: 'Domains',
    summary: 'Email the DNS records to the manager of the zone',
    description: 'Sends the records to publish, ready to copy, to one address.',
    access: { kind: 'user', role: 'developer' },
    params,
    body: Type.Object({ email: Type.String({ minLength: 3, maxLength: 254 }) }),
    body_example: { email: 'dns-admin@example.com' },
    never_bad_request: true,
    success: { status: 204, description: 'The mail is on its way.' },
    errors: ['domain_not_found', 'domain_is_sandbox', 'rate_limit_exceeded'],
    handle: async (call) => {
      const wanted = { id: call.params.id, to: call.body.email, platform_domain, mail_limits };
      await sendPlatformMail(await audited(db, writeDnsConfiguration)(call, wanted));
    },
  });
}
