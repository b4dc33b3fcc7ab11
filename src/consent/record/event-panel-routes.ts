import { Type } from 'typebox';
import { operation, type Operation } from '../../base/http/operation.ts';
import { Id } from '../../base/http/schemas.ts';
import { actorOf, recordAudit } from '../../audit/index.ts';
import { evidenceOf } from './event-content.ts';
import type { EventsContext } from './event-routes.ts';
import { ConsentEvent } from './event-schemas.ts';
import { getConsentEvent } from './events.ts';
import { expireConsentEvent } from './settle-event.ts';

/** Read-only: integrators and forms record consents. */
export function consentEventPanelRoutes(context: EventsContext): Operation[] {
  return [expiringRoute(context)];
}

function expiringRoute({ db, clock }: EventsContext): Operation {
  return operation({
    id: 'panel_expire_consent_event',
    method: 'POST',
    path: '/v1/private/consent-events/{id}/expire',
    tag: 'Consent',
    summary: 'Give up waiting for a confirmation',
    description:
      'A pending event expires: it stays as evidence and its confirmation link no longer works. Nobody can confirm in the place of the holder.',
    access: { kind: 'user', role: 'admin' },
    params: Type.Object({ id: Id('Identifier of the event.') }),
    success: { status: 200, description: 'The event, expired.', schema: ConsentEvent },
    errors: ['consent_event_not_found', 'consent_event_not_pending'],
    handle: async (call) => {
      const { id } = call.params;
      const instanceId = call.caller.instance.id;
      return await db.transaction(async (tx) => {
        await expireConsentEvent(tx, instanceId, { id, evidence: evidenceOf(call), at: clock.now() });
        await recordAudit(tx, {
          instance_id: instanceId,
          actor: actorOf(call),
          action: 'consent_event.expired',
          object: { kind: 'consent_event', id: String(id) },
        });
        return await getConsentEvent(tx, instanceId, id);
      });
    },
  });
}
