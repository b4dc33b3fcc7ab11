import type { Queryable } from '../../base/db/database.ts';
import { operation, type Operation } from '../../base/http/operation.ts';
import { termParams as params } from './catalog-routes.ts';
import { ConsentTermDependents, findTermDependents } from './term-dependents.ts';

export function termPanelRoute({ db }: { db: Queryable }): Operation {
  return operation({
    id: 'panel_get_consent_term_dependents',
    method: 'GET',
    path: '/v1/private/consent-terms/{id}/dependents',
    tag: 'Consent',
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
  });
}
