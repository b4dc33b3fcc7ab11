import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import type { FairLimiter } from '../base/fair-limiter.ts';
import { externalIdFilter } from '../base/http/external-id.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { onePage, PageQuery } from '../base/http/pagination.ts';
import { Id, Nullable } from '../base/http/schemas.ts';
import type { RootSecret } from '../base/secrets.ts';
import type { Resolver } from '../protocol/dns/client/resolver.ts';
import { Domain, DomainStatus, domainExample } from './domain-schemas.ts';
import { getDomain, getDomainStatus, listDomains } from './domains.ts';
import { validateDomain } from './validate-domain.ts';

export interface DomainsContext {
  db: Database;
  platform_domain: string;
  resolver: Resolver;
  clock: Clock;
  secret: RootSecret;
  /** For validations, which hold sockets for as long as name servers do not answer. */
  validations: FairLimiter;
  /** For making DKIM keys. */
  key_making: FairLimiter;
  max_domains: number;
}

const tag = 'Domains';
export const domainParams = Type.Object({ id: Id('Identifier of the domain.') });

export async function validateFairly(
  { db, validations, ...context }: DomainsContext,
  instanceId: number,
  id: number,
): Promise<Domain> {
  return await validations(instanceId, async () => await validateDomain(db, instanceId, { id, ...context }));
}

export function domainRoutes(context: DomainsContext): Operation[] {
  return publicRoutes(context).map((route) => ({ ...route, never_bad_request: true }));
}

function publicRoutes(context: DomainsContext): Operation[] {
  const { db, platform_domain } = context;
  return [
    operation({
      id: 'list_domains',
      method: 'GET',
      path: '/v1/domains',
      tag,
      summary: 'List sending domains',
      description: 'The sending domains of the instance, the sandbox domain included, in order of creation.',
      access: { kind: 'api_key', scope: 'domains:read' },
      query: PageQuery({
        domain: Type.Optional(
          Nullable(Type.String({ maxLength: 253, description: 'Part of the name, in either case.' })),
        ),
        is_verified: Type.Optional(
          Nullable(Type.Boolean({ description: 'Only verified ones, or only others.' })),
        ),
        ...externalIdFilter,
      }),
      success: onePage('domains', Domain, domainExample),
      errors: [],
      handle: async ({ caller, query }) =>
        await listDomains(db, caller.instance.id, { filters: query, platform_domain }),
    }),
    operation({
      id: 'get_domain',
      method: 'GET',
      path: '/v1/domains/{id}',
      tag,
      summary: 'Read a sending domain',
      description: 'The domain with the states of its last validation. Reading does not validate.',
      access: { kind: 'api_key', scope: 'domains:read' },
      params: domainParams,
      success: { status: 200, description: 'The domain.', schema: Domain, example: domainExample },
      errors: ['domain_not_found'],
      handle: async ({ caller, params: { id } }) =>
        await getDomain(db, caller.instance.id, { id, platform_domain }),
    }),
    operation({
      id: 'validate_domain',
      method: 'POST',
      path: '/v1/domains/{id}/validate',
      tag,
      summary: 'Validate a sending domain',
      description:
        'Queries DNS and rewrites the four states and their times. Partial success is normal: repeat the call every 30 to 60 seconds until `is_verified` is true. A record that cannot be resolved counts as failed, never as an error of the call.',
      access: { kind: 'api_key', scope: 'domains:write', role: 'developer' },
      params: domainParams,
      success: {
        status: 200,
        description: 'The domain.',
        schema: Domain,
        example: domainExample,
      },
      errors: ['domain_not_found'],
      handle: async ({ caller, params: { id } }) => await validateFairly(context, caller.instance.id, id),
    }),
    operation({
      id: 'get_domain_status',
      method: 'GET',
      path: '/v1/domains/{domain_name}/status',
      tag,
      summary: 'Read the states of a domain by its name',
      description: 'The four states, by name instead of id.',
      access: { kind: 'api_key', scope: 'domains:read' },
      params: Type.Object({
        domain_name: Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'Name of the domain, in any case.',
          examples: ['mail.example.com'],
        }),
      }),
      success: {
        status: 200,
        description: 'The states.',
        schema: DomainStatus,
        example: {
          domain: 'mail.example.com',
          is_verified: false,
          is_ownership_verified: true,
          mx_status: 'verified',
          spf_status: 'verified',
          dkim_status: 'pending',
          dmarc_status: 'failed',
          last_verification_at: '2026-12-01T12:00:00.000Z',
        },
      },
      errors: ['domain_not_found'],
      handle: async ({ caller, params: { domain_name } }) =>
        await getDomainStatus(db, caller.instance.id, domain_name),
    }),
  ];
}
