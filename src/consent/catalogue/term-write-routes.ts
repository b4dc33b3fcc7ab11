import { audited } from '../../audit/index.ts';
import type { Database } from '../../base/db/database.ts';
import { operation, type Operation } from '../../base/http/operation.ts';
import { replacement, type ResourceCall } from '../../base/http/replacement.ts';
import { termParams as params } from './catalog-routes.ts';
import { createTerm, updateTerm } from './change-term.ts';
import { ConsentTerm, ConsentTermChanges, NewConsentTerm, termExample } from './term-schemas.ts';
import { getTerm } from './terms.ts';

const tag = 'Consent';
const path = '/v1/consent-terms/{id}' as const;
const access = { kind: 'api_key', scope: 'terms:write', role: 'developer' } as const;
const term = { description: 'The term.', schema: ConsentTerm, example: termExample } as const;

export function termWriteRoutes({ db }: { db: Database }): Operation[] {
  return [
    operation({
      id: 'create_consent_term',
      method: 'POST',
      path: '/v1/consent-terms',
      tag,
      summary: 'Create a consent term',
      description:
        'For at least one enabled purpose and at least one channel. Its purposes never change. It receives consents once one of its versions is current. A term is never deleted, since consents refer to it: deactivate it.',
      access,
      body: NewConsentTerm,
      body_example: { name: 'Newsletter', type: 'subscription', purpose_ids: [2], channels: ['mail'] },
      success: { status: 201, ...term },
      location: path,
      errors: ['external_id_already_exists', 'consent_term_missing_channels_or_purposes'],
      handle: async (call) => await audited(db, createTerm)(call, { term: call.body }),
    }),
    ...updateRoutes(db),
  ];
}

function updateRoutes(db: Database): Operation[] {
  const apply = async (call: ResourceCall<typeof params>, changes: ConsentTermChanges) =>
    await audited(db, updateTerm)(call, { id: call.params.id, changes });
  const patch = operation({
    id: 'update_consent_term',
    method: 'PATCH',
    path,
    tag,
    summary: 'Change, deactivate or activate a consent term',
    description:
      'What is left out stays. Consents name their channels one by one, so other channels hold for new consents only.',
    access,
    params,
    body: ConsentTermChanges,
    body_example: { name: 'Weekly newsletter', is_active: true },
    success: { status: 200, ...term },
    errors: [
      'consent_term_not_found',
      'consent_term_missing_channels_or_purposes',
      'external_id_already_exists',
    ],
    handle: async (call) => await apply(call, call.body),
  });
  const put = replacement({
    patch,
    $id: 'ConsentTermReplacement',
    summary: 'Replace a consent term',
    params,
    creation: NewConsentTerm,
    changes: ConsentTermChanges,
    defaults: { is_active: true },
    fixed: ['type', 'purpose_ids'],
    canonical: { purpose_ids: asSet, channels: asSet },
    read: async ({ caller, params: { id } }) => await getTerm(db, caller.instance.id, id),
    apply,
  });
  return [patch, put];
}

const asSet = (list: unknown): unknown => new Set(list as unknown[]);
