import { Type } from 'typebox';
import { operation, type Operation } from '../base/http/operation.ts';
import { Id } from '../base/http/schemas.ts';
import { limitLookUps, type LookUpContext } from './look-up-limit.ts';
import { lookUpDomain } from './look-up-domain.ts';
import { lookUpName } from './look-up-name.ts';
import { DomainInDns, domainInDnsExample, NameInDns, nameExample } from './look-up-schemas.ts';

const tag = 'Domains';

/** What DNS says now. Nothing is stored. */
export function lookUpRoutes(context: LookUpContext): Operation[] {
  const { db, platform_domain, resolver, clock } = context;
  return [
    operation({
      id: 'look_up_domain_name',
      method: 'GET',
      path: '/v1/domains/{domain_name}/lookup',
      tag,
      summary: 'Look a name up before adding it',
      description:
        'Who receives the mail of a name, and where its DNS is kept. The MX of a sending domain must be the platform’s: a name whose mailboxes are elsewhere would lose its mail, so use the `suggested_domain`. At most 30 look-ups at once and 30 a minute for each instance.',
      access: { kind: 'api_key', scope: 'domains:read' },
      params: Type.Object({
        domain_name: Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'The name, in any case. It need not be registered.',
          examples: ['example.com'],
        }),
      }),
      success: { status: 200, description: 'What DNS says.', schema: NameInDns, example: nameExample },
      errors: ['rate_limit_exceeded'],
      handle: async ({ caller, params: { domain_name } }) =>
        await limitLookUps(context, caller.instance.id, async () => await lookUpName(domain_name, context)),
    }),
    operation({
      id: 'look_up_domain_records',
      method: 'GET',
      path: '/v1/domains/{id}/dns',
      tag,
      summary: 'Look the records of a domain up without validating',
      description:
        'Each record to publish, relative to the zone it is published in, with what DNS says now. No state changes: only validation does. At most 30 look-ups at once and 30 a minute for each instance.',
      access: { kind: 'api_key', scope: 'domains:read' },
      params: Type.Object({ id: Id('Identifier of the domain.') }),
      success: {
        status: 200,
        description: 'What DNS says.',
        schema: DomainInDns,
        example: domainInDnsExample,
      },
      errors: ['domain_not_found', 'domain_is_sandbox', 'rate_limit_exceeded'],
      handle: async ({ caller, params: { id } }) => {
        const wanted = { id, platform_domain, resolver, clock };
        return await limitLookUps(
          context,
          caller.instance.id,
          async () => await lookUpDomain(db, caller.instance.id, wanted),
        );
      },
    }),
  ].map((route) => ({ ...route, never_bad_request: true }));
}
