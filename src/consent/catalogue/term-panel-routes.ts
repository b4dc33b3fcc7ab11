import { Type } from 'typebox';
import type { Database } from '../../base/db/database.ts';
import { operation, type Operation } from '../../base/http/operation.ts';
import { Id } from '../../base/http/schemas.ts';
import { audited } from '../../audit/index.ts';
import { createTerm, updateTerm } from './change-term.ts';
import { ConsentTerm, ConsentTermChanges, NewConsentTerm, termExample } from './term-schemas.ts';
import { ConsentTermDependents, findTermDependents } from './term-dependents.ts';
import { getTerm } from './terms.ts';

const tag = 'Consent';
const path = '/v1/private/consent-terms/{id}' as const;
const params = Type.Object({ id: Id('Identifier of the term.') });
const access = { kind: 'user', role: 'developer' } as const;
const term = { description: 'The term.', schema: ConsentTerm, example: termExample } as const;

export function termPanelRoutes({ db }: { db: Database }): Operation[] {
  return [
    operation({
      id: 'panel_get_consent_term',
      method: 'GET',
      path,
      tag,
      summary: 'Read a consent term',
      description: 'The term with every version it has had.',
      access: { kind: 'user', role: 'viewer' },
      params,
      success: { status: 200, ...term },
      errors: ['consent_term_not_found'],
      handle: async ({ caller, params: { id } }) => await getTerm(db, caller.instance.id, id),
    }),
    operation({
      id: 'panel_get_consent_term_dependents',
      method: 'GET',
      path: `${path}/dependents`,
      tag,
      summary: 'Read what depends on a consent term',
      description:
        'What a person should know before deactivating it: forms that ask for it, senders that live by its purposes, consents on record.',
      access: { kind: 'user', role: 'viewer' },
      params,
      success: {
        status: 200,
        description: 'What depends on it.',
        schema: ConsentTermDependents,
        example: {
          forms: [{ id: 3, name: 'Newsletter', is_required: true }],
          form_count: 1,
          closing_form_count: 1,
          sender_count: 2,
          stranded_sender_count: 0,
          pending_event_count: 4,
          event_count: 812,
        },
      },
      errors: ['consent_term_not_found'],
      handle: async ({ caller, params: { id } }) => await findTermDependents(db, caller.instance.id, id),
    }),
    operation({
      id: 'panel_create_consent_term',
      method: 'POST',
      path: '/v1/private/consent-terms',
      tag,
      summary: 'Create a consent term',
      description:
        'For at least one enabled purpose and at least one channel. Its purposes stay for good. It receives consents once one of its versions is current.',
      access,
      body: NewConsentTerm,
      body_example: { name: 'Newsletter', type: 'subscription', purpose_ids: [2], channels: ['mail'] },
      success: { status: 201, ...term },
      location: '/v1/private/consent-terms/{id}',
      errors: ['consent_term_missing_channels_or_purposes'],
      handle: async (call) => await audited(db, createTerm)(call, { term: call.body }),
    }),
    operation({
      id: 'panel_update_consent_term',
      method: 'PATCH',
      path,
      tag,
      summary: 'Change, deactivate or activate a consent term',
      description:
        'What is left out stays. Consents name their channels one by one, so other channels hold for new consents alone.',
      access,
      params,
      body: ConsentTermChanges,
      body_example: { name: 'Weekly newsletter', is_active: true },
      success: { status: 200, ...term },
      errors: ['consent_term_not_found', 'consent_term_missing_channels_or_purposes'],
      handle: async (call) => await audited(db, updateTerm)(call, { id: call.params.id, changes: call.body }),
    }),
  ];
}
