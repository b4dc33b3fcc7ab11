import { audited, actorOf } from '../audit/index.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import { replacement, type ResourceCall } from '../base/http/replacement.ts';
import { canonicalDomain } from '../protocol/address/domain-name.ts';
import {
  createDomain,
  deleteDomain,
  reinstateDomain,
  revokeDomain,
  rotateDkim,
  updateDomain,
} from './change-domain.ts';
import { domainParams as params, type DomainsContext } from './domain-routes.ts';
import { Domain, DomainChanges, domainExample, NewDomain } from './domain-schemas.ts';
import { getDomain } from './domains.ts';

type DomainCall = ResourceCall<typeof params>;

const tag = 'Domains';
const path = '/v1/domains/{id}' as const;
const developing = { kind: 'api_key', scope: 'domains:write', role: 'developer' } as const;
/** What stops mail of a whole domain. */
const deciding = { kind: 'api_key', scope: 'domains:write', role: 'admin' } as const;
const answer = { status: 200, description: 'The domain.', schema: Domain, example: domainExample } as const;

export function domainWriteRoutes(context: DomainsContext): Operation[] {
  const routes = [
    createRoute(context),
    ...updateRoutes(context),
    deleteRoute(context),
    ...actionRoutes(context),
  ];
  return routes.map((route) => ({ ...route, never_bad_request: true }));
}

function createRoute({ db, platform_domain, secret, key_making, max_domains }: DomainsContext): Operation {
  return operation({
    id: 'create_domain',
    method: 'POST',
    path: '/v1/domains',
    tag,
    summary: 'Register a sending domain',
    description:
      'Makes its DKIM keys, which takes a second or two. Publish its `dns_records`, then validate it. A name that the operator of the platform revoked is revoked from the start.',
    access: developing,
    body: NewDomain,
    body_example: { domain: 'mail.example.com', external_id: 'shop/mail' },
    success: { ...answer, status: 201 },
    location: path,
    errors: ['external_id_already_exists', 'domain_already_exists', 'domain_limit_reached'],
    handle: async (call) => {
      const keys = { platform_domain, secret, limiter: key_making };
      const wanted = { ...call.body, ...keys, max_domains, actor: actorOf(call) };
      const id = await createDomain(db, call.caller.instance.id, wanted);
      return await getDomain(db, call.caller.instance.id, { id, platform_domain });
    },
  });
}

function updateRoutes({ db, platform_domain }: DomainsContext): Operation[] {
  const read = async ({ caller, params: { id } }: DomainCall) =>
    await getDomain(db, caller.instance.id, { id, platform_domain });
  const apply = async (call: DomainCall, changes: DomainChanges) => {
    await audited(db, updateDomain)(call, { id: call.params.id, changes });
    return await read(call);
  };
  const patch = operation({
    id: 'update_domain',
    method: 'PATCH',
    path,
    tag,
    summary: 'Change a sending domain',
    description:
      'What is left out stays. Its name and its keys do not change by this. `any_sender` needs a `default_sender_id`, which is a sender of the domain.',
    access: developing,
    params,
    body: DomainChanges,
    body_example: { any_sender: true, default_sender_id: 5 },
    success: answer,
    errors: ['domain_not_found', 'domain_is_sandbox', 'external_id_already_exists'],
    handle: async (call) => await apply(call, call.body),
  });
  const put = replacement({
    patch,
    $id: 'DomainReplacement',
    summary: 'Replace a sending domain',
    params,
    creation: NewDomain,
    changes: DomainChanges,
    defaults: { any_sender: false },
    fixed: ['domain'],
    canonical: { domain: (value) => canonicalDomain(String(value)) },
    read,
    apply,
  });
  return [patch, put];
}

function deleteRoute({ db }: DomainsContext): Operation {
  return operation({
    id: 'delete_domain',
    method: 'DELETE',
    path,
    tag,
    summary: 'Delete a sending domain and its senders',
    description: 'Mail already accepted is still delivered.',
    access: deciding,
    params,
    success: { status: 204, description: 'Deleted.' },
    errors: ['domain_not_found', 'domain_is_sandbox'],
    handle: async (call) => await audited(db, deleteDomain)(call, { id: call.params.id }),
  });
}

const changes = {
  revoke: {
    change: revokeDomain,
    summary: 'Revoke a sending domain',
    description: 'Nothing is sent from it until it is reinstated; no validation brings it back.',
  },
  reinstate: {
    change: reinstateDomain,
    summary: 'Reinstate a revoked sending domain',
    description:
      'Its states go back to pending; validate it again. What the operator of the platform revoked, only they can reinstate.',
  },
  'rotate-dkim': {
    change: rotateDkim,
    summary: 'Sign with the other DKIM key',
    description: 'Both keys stay published, so mail under way still verifies.',
  },
} as const;

function actionRoutes({ db, platform_domain }: DomainsContext): Operation[] {
  return Object.entries(changes).map(([verb, { change, summary, description }]) =>
    operation({
      id: `${verb.replace('-', '_')}_domain`,
      method: 'POST',
      path: `${path}/${verb}`,
      tag,
      summary,
      description,
      access: deciding,
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
}
