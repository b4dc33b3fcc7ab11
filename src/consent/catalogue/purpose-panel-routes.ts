import { Type } from 'typebox';
import type { Database } from '../../base/db/database.ts';
import { operation, type Operation } from '../../base/http/operation.ts';
import { Id } from '../../base/http/schemas.ts';
import { audited } from '../../audit/index.ts';
import { createPurpose, deletePurpose, updatePurpose } from './change-purpose.ts';
import {
  ConsentPurpose,
  ConsentPurposeChanges,
  NewConsentPurpose,
  purposeExample,
} from './purpose-schemas.ts';
import { getPurpose } from './purposes.ts';

const tag = 'Consent';
const path = '/v1/private/consent-purposes/{id}' as const;
const params = Type.Object({ id: Id('Identifier of the purpose.') });
const access = { kind: 'user', role: 'developer' } as const;
const purpose = { description: 'The purpose.', schema: ConsentPurpose, example: purposeExample } as const;

export function purposePanelRoutes({ db }: { db: Database }): Operation[] {
  return [
    operation({
      id: 'panel_get_consent_purpose',
      method: 'GET',
      path,
      tag,
      summary: 'Read a purpose',
      description: 'One purpose of the catalog: where the Location of a creation leads.',
      access: { kind: 'user', role: 'viewer' },
      params,
      success: { status: 200, ...purpose },
      errors: ['consent_purpose_not_found'],
      handle: async ({ caller, params: { id } }) => await getPurpose(db, caller.instance.id, id),
    }),
    operation({
      id: 'panel_create_consent_purpose',
      method: 'POST',
      path: '/v1/private/consent-purposes',
      tag,
      summary: 'Create a purpose',
      description: 'Its code is what senders and commands name it by, and stays.',
      access,
      body: NewConsentPurpose,
      body_example: { code: 'events', name: 'Events', description: 'Invitations to events.' },
      success: { status: 201, ...purpose },
      location: '/v1/private/consent-purposes/{id}',
      errors: ['consent_purpose_already_exists'],
      handle: async (call) => await audited(db, createPurpose)(call, { purpose: call.body }),
    }),
    operation({
      id: 'panel_update_consent_purpose',
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
      errors: ['consent_purpose_not_found'],
      handle: async (call) =>
        await audited(db, updatePurpose)(call, { id: call.params.id, changes: call.body }),
    }),
    operation({
      id: 'panel_delete_consent_purpose',
      method: 'DELETE',
      path,
      tag,
      summary: 'Delete a purpose',
      description:
        'Only one that no term, no sender and no recorded consent is for; any other can be disabled.',
      access: { kind: 'user', role: 'admin' },
      params,
      success: { status: 204, description: 'Deleted.' },
      errors: ['consent_purpose_not_found', 'consent_purpose_in_use'],
      handle: async (call) => await audited(db, deletePurpose)(call, { id: call.params.id }),
    }),
  ];
}
