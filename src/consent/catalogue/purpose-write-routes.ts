import { audited } from '../../audit/index.ts';
import type { Database } from '../../base/db/database.ts';
import { operation, type Operation } from '../../base/http/operation.ts';
import { replacement, type ResourceCall } from '../../base/http/replacement.ts';
import { purposeParams as params } from './catalog-routes.ts';
import { createPurpose, deletePurpose, updatePurpose } from './change-purpose.ts';
import {
  ConsentPurpose,
  ConsentPurposeChanges,
  NewConsentPurpose,
  purposeExample,
} from './purpose-schemas.ts';
import { getPurpose } from './purposes.ts';

const tag = 'Consent';
const path = '/v1/consent-purposes/{id}' as const;
const access = { kind: 'api_key', scope: 'purposes:write', role: 'developer' } as const;
const purpose = { description: 'The purpose.', schema: ConsentPurpose, example: purposeExample } as const;

export function purposeWriteRoutes({ db }: { db: Database }): Operation[] {
  return [
    operation({
      id: 'create_consent_purpose',
      method: 'POST',
      path: '/v1/consent-purposes',
      tag,
      summary: 'Create a purpose',
      description: 'Its code is what senders and commands name it by, and stays.',
      access,
      body: NewConsentPurpose,
      body_example: { code: 'events', name: 'Events', description: 'Invitations to events.' },
      success: { status: 201, ...purpose },
      location: path,
      errors: ['external_id_already_exists', 'consent_purpose_already_exists'],
      handle: async (call) => await audited(db, createPurpose)(call, { purpose: call.body }),
    }),
    ...updateRoutes(db),
    operation({
      id: 'delete_consent_purpose',
      method: 'DELETE',
      path,
      tag,
      summary: 'Delete a purpose',
      description:
        'Only one that no term, no sender and no recorded consent is for; any other can be disabled.',
      access: { ...access, role: 'admin' },
      params,
      success: { status: 204, description: 'Deleted.' },
      errors: ['consent_purpose_not_found', 'consent_purpose_in_use'],
      handle: async (call) => await audited(db, deletePurpose)(call, { id: call.params.id }),
    }),
  ];
}

function updateRoutes(db: Database): Operation[] {
  const apply = async (call: ResourceCall<typeof params>, changes: ConsentPurposeChanges) =>
    await audited(db, updatePurpose)(call, { id: call.params.id, changes });
  const patch = operation({
    id: 'update_consent_purpose',
    method: 'PATCH',
    path,
    tag,
    summary: 'Change, disable or enable a purpose',
    description: 'What is left out stays. Consents on record go on counting when it is disabled.',
    access,
    params,
    body: ConsentPurposeChanges,
    body_example: { name: 'Offers', is_enabled: false },
    success: { status: 200, ...purpose },
    errors: ['consent_purpose_not_found', 'external_id_already_exists'],
    handle: async (call) => await apply(call, call.body),
  });
  const put = replacement({
    patch,
    $id: 'ConsentPurposeReplacement',
    summary: 'Replace a purpose',
    params,
    creation: NewConsentPurpose,
    changes: ConsentPurposeChanges,
    defaults: { is_enabled: true },
    fixed: ['code'],
    canonical: { is_enabled: Boolean },
    read: async ({ caller, params: { id } }) => await getPurpose(db, caller.instance.id, id),
    apply,
  });
  return [patch, put];
}
