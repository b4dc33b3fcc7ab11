import { announce, type Notice } from '../../announce/index.ts';
import type { Queryable } from '../../base/db/database.ts';
import type { ConsentRule } from './event-schemas.ts';

interface Confirmed {
  id: number;
  at: Date;
  rules: Pick<ConsentRule, 'action'>[];
}

/** Tells webhooks what took effect: an event that grants and withdraws is told as both. */
export async function announceConsents(
  tx: Queryable,
  instanceId: number,
  events: Confirmed[],
): Promise<void> {
  const notices = events.flatMap(({ id: subject_id, rules }): Notice[] => {
    const actions = new Set(rules.map(({ action }) => action));
    const about = { instance_id: instanceId, subject_id, data: {} };
    return [
      ...(actions.has('allow') ? [{ ...about, type: 'consent.granted' as const }] : []),
      ...(actions.has('deny') ? [{ ...about, type: 'consent.withdrawn' as const }] : []),
    ];
  });
  // Those of one transaction are recorded at one time.
  const [first] = events;
  if (first) await announce(tx, notices, first.at);
}
