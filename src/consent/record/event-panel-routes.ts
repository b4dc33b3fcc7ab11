import { Type } from 'typebox';
import { operation, type Operation } from '../../base/http/operation.ts';
import { Id } from '../../base/http/schemas.ts';
import { actorOf, auditOf } from '../../audit/index.ts';
import { evidenceOf } from './event-content.ts';
import type { EventsContext } from './event-routes.ts';
import { ConsentEvent, NewConsentEvent } from './event-schemas.ts';
import { recordByHand } from './record-by-hand.ts';
import { getConsentEvent } from './events.ts';
import { expireConsentEvent } from './settle-event.ts';

const audit = auditOf('consent_event');

export function consentEventPanelRoutes(context: EventsContext): Operation[] {
  return [expiringRoute(context), recordingRoute(context)];
}

function expiringRoute({ db, clock }: EventsContext): Operation {
  return operation({
    id: 'panel_expire_consent_event',
    method: 'POST',
    path: '/v1/private/consent-events/{id}/expire',
    tag: 'Consent',
    summary: 'Give up waiting for a confirmation',
    description:
      'A pending event expires: it stays as evidence and its confirmation link no longer works. Only the holder can confirm.',
    access: { kind: 'user', role: 'admin' },
    params: Type.Object({ id: Id('Identifier of the event.') }),
    success: { status: 200, description: 'The event, expired.', schema: ConsentEvent },
    errors: ['consent_event_not_found', 'consent_event_not_pending'],
    handle: async (call) => {
      const { id } = call.params;
      const instanceId = call.caller.instance.id;
      return await db.transaction(async (tx) => {
        await expireConsentEvent(tx, instanceId, { id, evidence: evidenceOf(call), at: clock.now() });
        await audit(tx, instanceId, { action: 'expired', id, actor: actorOf(call) });
        return await getConsentEvent(tx, instanceId, id);
      });
    },
  });
}

const ConsentByHand = Type.Object(
  {
    ...NewConsentEvent.properties,
    reason: Type.String({
      minLength: 5,
      maxLength: 500,
      pattern: String.raw`\S`,
      description: 'How you know: it becomes part of the evidence and cannot be changed.',
      examples: ['Signed paper form of 12 March, kept in folder 7'],
    }),
  },
  { $id: 'ConsentByHand' },
);

function recordingRoute({ db, clock }: EventsContext): Operation {
  return operation({
    id: 'panel_record_consent_event',
    method: 'POST',
    path: '/v1/private/consent-events',
    tag: 'Consent',
    summary: 'Record a consent or a withdrawal by hand',
    description:
      'For what reached you on paper, by phone or in person: `allow` records a consent, `deny` a withdrawal, under the current version of the term, with the source `import`. The reason and who recorded it are part of the evidence, and it is in the audit log. It is never edited or deleted.',
    access: { kind: 'user', role: 'admin' },
    body: ConsentByHand,
    body_example: {
      term_id: 4,
      method: 'single_opt_in',
      reason: 'Asked by phone to be written to no more',
      rules: [{ contact_type: 'email_address', contact: 'ana@example.com', purpose_id: 1, action: 'deny' }],
    },
    success: { status: 201, description: 'The event as recorded.', schema: ConsentEvent },
    location: '/v1/private/consent-events/{id}',
    errors: [
      'consent_term_not_found',
      'consent_term_inactive',
      'consent_term_no_current_version',
      'consent_contact_type_channel_mismatch',
      'consent_duplicate_rule',
      'consent_channel_not_covered',
    ],
    handle: async (call) => {
      const { reason, ...wanted } = call.body;
      const evidence = { ...evidenceOf(call), reason };
      return await recordByHand(db, call.caller.instance.id, {
        recording: { wanted, evidence, at: clock.now(), source: 'import' },
        actor: actorOf(call),
      });
    },
  });
}
