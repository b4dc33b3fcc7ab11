import { Type } from 'typebox';
import { operation, type Operation } from '../../base/http/operation.ts';
import { Enum, Nullable } from '../../base/http/schemas.ts';
import { domainParams } from '../domain-routes.ts';
import { limitLookUps, type LookUpContext } from '../look-up-limit.ts';
import { recordPurposes } from '../verification/look-up-records.ts';
import { connectDomain, type ConnectContext } from './connect-domain.ts';

const DomainConnection = Type.Object(
  {
    provider_name: Nullable(
      Type.String({
        description:
          'The provider of the zone, when it publishes records by Domain Connect and has the template of this platform.',
      }),
    ),
    apply_url: Nullable(
      Type.String({
        description:
          'Page of the provider at which the owner of the domain signs in and confirms. Signed. Null when there is no such provider, or nothing that it could publish.',
      }),
    ),
    records: Type.Array(Enum(recordPurposes), {
      description: 'Which records the provider would publish. A record with another value is left as it is.',
    }),
  },
  { $id: 'DomainConnection' },
);

export function connectRoutes(context: ConnectContext & LookUpContext): Operation[] {
  return [
    operation({
      id: 'get_domain_connection',
      method: 'GET',
      path: '/v1/domains/{id}/connect',
      tag: 'Domains',
      summary: 'Ask whether the DNS provider can publish the records',
      description:
        'Looks for Domain Connect: the TXT record `_domainconnect` of the zone, the settings of its provider, and whether the provider has the template of this platform. No state changes. At most 30 look-ups at once and 30 a minute for each instance.',
      access: { kind: 'api_key', scope: 'domains:read' },
      params: domainParams,
      success: {
        status: 200,
        description: 'What the provider can do.',
        schema: DomainConnection,
        example: {
          provider_name: 'GoDaddy',
          apply_url:
            'https://dcc.godaddy.com/manage/v2/domainTemplates/providers/mail.acme.cl/services/sending/apply?domain=example.com&host=mail&token=k3v9qm2x7c5t8w4n6b1z0d5f2g&groupId=mx%2Cspf%2Cdkim&redirect_uri=https%3A%2F%2Fmail.acme.cl%2Fpanel%2Fi%2Facme%2Fdomains%2F3&key=_dck1&sig=b2sgaXQgaXM%3D',
          records: ['mx', 'spf', 'dkim'],
        },
      },
      errors: ['domain_not_found', 'domain_is_sandbox', 'rate_limit_exceeded'],
      never_bad_request: true,
      handle: async ({ caller: { instance }, params: { id } }) =>
        await limitLookUps(context, instance.id, async () => await connectDomain(context, instance, id)),
    }),
  ];
}
