import { Type } from 'typebox';
import type { FairLimiter } from '../base/fair-limiter.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { Page, PageQuery } from '../base/http/pagination.ts';
import { Id, Nullable } from '../base/http/schemas.ts';
import type { SendPlatformMail } from '../base/platform-mail.ts';
import { actorOf, audited } from '../audit/index.ts';
import type { PlatformMailLimits } from '../limits/index.ts';
import { createDomain, deleteDomain, reinstateDomain, revokeDomain, rotateDkim } from './change-domain.ts';
import { writeDnsConfiguration } from './dns-configuration-mail.ts';
import { type DomainsContext, validateFairly } from './domain-routes.ts';
import { domainExample, PanelDomain } from './domain-schemas.ts';
import { getDomain, listDomains } from './domains.ts';

export interface DomainPanelContext extends DomainsContext {
  sendPlatformMail: SendPlatformMail;
  mail_limits: PlatformMailLimits;
  /** For key generation. */
  limiter: FairLimiter;
  max_domains: number;
}

const tag = 'Domains';
const params = Type.Object({ id: Id('Identifier of the domain.') });
const example = {
  ...domainExample,
  check_reasons: { dmarc: 'no DMARC record' },
  is_revoked_by_operator: false,
  signing_selector: 's1',
};
const answer = { status: 200, description: 'The domain.', schema: PanelDomain, example } as const;

export function domainPanelRoutes(context: DomainPanelContext): Operation[] {
  const routes = [...readingRoutes(context), ...changingRoutes(context), ...actionRoutes(context)];
  return routes.map((route) => ({ ...route, never_bad_request: true }));
}

function readingRoutes({ db, platform_domain }: DomainPanelContext): Operation[] {
  return [
    operation({
      id: 'panel_list_domains',
      method: 'GET',
      path: '/v1/private/domains',
      tag,
      summary: 'List domains with the reasons of failed checks',
      description: 'As the public list, with what people need to mend a domain.',
      access: { kind: 'user', role: 'viewer' },
      query: PageQuery({
        domain: Type.Optional(Nullable(Type.String({ maxLength: 253 }))),
        is_verified: Type.Optional(Nullable(Type.Boolean())),
      }),
      success: { status: 200, description: 'One page of domains.', schema: Page(PanelDomain) },
      errors: [],
      handle: async ({ caller, query }) =>
        await listDomains(db, caller.instance.id, { filters: query, platform_domain }),
    }),
    operation({
      id: 'panel_get_domain',
      method: 'GET',
      path: '/v1/private/domains/{id}',
      tag,
      summary: 'Read a domain with the reasons of failed checks',
      description: 'As the public detail, with what people need to mend a domain.',
      access: { kind: 'user', role: 'viewer' },
      params,
      success: answer,
      errors: ['domain_not_found'],
      handle: async ({ caller, params: { id } }) =>
        await getDomain(db, caller.instance.id, { id, platform_domain }),
    }),
  ];
}

function changingRoutes(context: DomainPanelContext): Operation[] {
  const { db, platform_domain, secret, limiter, max_domains } = context;
  return [
    operation({
      id: 'panel_create_domain',
      method: 'POST',
      path: '/v1/private/domains',
      tag,
      summary: 'Register a sending domain',
      description:
        'Makes its DKIM keys; a subdomain used for nothing else is the practical choice. A name that the operator of the platform revoked is revoked from the start.',
      access: { kind: 'user', role: 'developer' },
      body: Type.Object({ domain: Type.String({ minLength: 1, maxLength: 255 }) }),
      body_example: { domain: 'mail.example.com' },
      success: { ...answer, status: 201 },
      location: '/v1/private/domains/{id}',
      errors: ['domain_already_exists', 'domain_limit_reached'],
      handle: async (call) => {
        const keys = { platform_domain, secret, limiter };
        const wanted = { ...keys, max_domains, domain: call.body.domain, actor: actorOf(call) };
        const id = await createDomain(db, call.caller.instance.id, wanted);
        return await getDomain(db, call.caller.instance.id, { id, platform_domain });
      },
    }),
    operation({
      id: 'panel_delete_domain',
      method: 'DELETE',
      path: '/v1/private/domains/{id}',
      tag,
      summary: 'Delete a domain and its senders',
      description: 'Mail already accepted is still delivered.',
      access: { kind: 'user', role: 'admin' },
      params,
      success: { status: 204, description: 'Deleted.' },
      errors: ['domain_not_found', 'domain_is_sandbox'],
      handle: async (call) => await audited(db, deleteDomain)(call, { id: call.params.id }),
    }),
  ];
}

const changes = {
  revoke: { change: revokeDomain, summary: 'Revoke a domain', description: 'No validation brings it back.' },
  reinstate: {
    change: reinstateDomain,
    summary: 'Reinstate a revoked domain',
    description:
      'Its states go back to pending; validate it again. What the operator of the platform revoked, only they can reinstate.',
  },
  'rotate-dkim': {
    change: rotateDkim,
    summary: 'Sign with the other DKIM key',
    description: 'Both keys stay published, so mail under way still verifies.',
  },
} as const;

function actionRoutes(context: DomainPanelContext): Operation[] {
  const { db, platform_domain, sendPlatformMail, mail_limits } = context;
  const changeRoutes = Object.entries(changes).map(([verb, { change, summary, description }]) =>
    operation({
      id: `panel_${verb.replace('-', '_')}_domain`,
      method: 'POST',
      path: `/v1/private/domains/{id}/${verb}`,
      tag,
      summary,
      description,
      access: { kind: 'user', role: 'admin' },
      params,
      success: answer,
      errors: [
        'domain_not_found',
        'domain_is_sandbox',
        ...(verb === 'reinstate' ? (['domain_revoked_by_operator'] as const) : []),
      ],
      handle: async (call) => {
        const { id } = call.params;
        await audited(db, change)(call, { id });
        return await getDomain(db, call.caller.instance.id, { id, platform_domain });
      },
    }),
  );
  return [
    ...changeRoutes,
    operation({
      id: 'panel_validate_domain',
      method: 'POST',
      path: '/v1/private/domains/{id}/validate',
      tag,
      summary: 'Validate a domain',
      description: 'Asks DNS now, as the public operation does.',
      access: { kind: 'user', role: 'developer' },
      params,
      success: answer,
      errors: ['domain_not_found'],
      handle: async ({ caller, params: { id } }) => await validateFairly(context, caller.instance.id, id),
    }),
    operation({
      id: 'panel_email_domain_records',
      method: 'POST',
      path: '/v1/private/domains/{id}/send-dns',
      tag,
      summary: 'Email the DNS records to the manager of the zone',
      description: 'Sends the records to publish, ready to copy, to one address.',
      access: { kind: 'user', role: 'developer' },
      params,
      body: Type.Object({ email: Type.String({ minLength: 3, maxLength: 254 }) }),
      body_example: { email: 'dns-admin@example.com' },
      success: { status: 204, description: 'The mail is on its way.' },
      errors: ['domain_not_found', 'domain_is_sandbox', 'rate_limit_exceeded'],
      handle: async (call) => {
        const wanted = { id: call.params.id, to: call.body.email, platform_domain, mail_limits };
        await sendPlatformMail(await audited(db, writeDnsConfiguration)(call, wanted));
      },
    }),
  ];
}
