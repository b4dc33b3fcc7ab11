import type { Database } from '../../base/db/database.ts';
import { Problem } from '../../base/errors/problem.ts';
import { type Actor, recordAudit } from '../../audit/index.ts';
import { createConsentEvents, type Recording } from './create-event.ts';
import type { ConsentEvent } from './event-schemas.ts';

const maxAuditedRules = 20;

/** A consent or a withdrawal that a person writes down, with its audit event in one transaction. */
export async function recordByHand(
  db: Database,
  instanceId: number,
  { recording, actor }: { recording: Recording; actor: Actor },
): Promise<ConsentEvent> {
  return await db.transaction(async (tx) => {
    const [event] = await createConsentEvents(tx, instanceId, [recording]);
    if (!event || event instanceof Problem) throw event ?? new Error('a recording has one result');
    await recordAudit(tx, {
      instance_id: instanceId,
      actor,
      action: 'consent_event.recorded',
      object: { kind: 'consent_event', id: String(event.id) },
      details: {
        term_id: event.term_id,
        reason: recording.evidence.reason,
        rules: event.rules
          .slice(0, maxAuditedRules)
          .map(({ contact_type, contact, channel, purpose_id, action }) => ({
            contact_type,
            contact,
            channel,
            purpose_id,
            action,
          })),
      },
    });
    return event;
  });
}
