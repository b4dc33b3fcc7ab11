import type { PlannedChange } from '../plan/planned.ts';
import type { RandomNode, Stage } from '../stage.ts';
import { call } from './call.ts';
import { timeOf } from './mail-body.ts';

/** Cancels or moves a message whose send was acknowledged. */
export async function changeMessage(stage: Stage, planned: PlannedChange, node: RandomNode): Promise<void> {
  const { id, kind, of, schedule_at_ms } = planned;
  const sent = stage.history.entries.find((entry) => entry.id === of && entry.outcome === 'acknowledged');
  const message_id = sent?.answer['message_id'];
  if (typeof message_id !== 'string') return;
  const path = `/v1/messages/${message_id}`;
  if (kind === 'cancel') {
    await call(stage, { id, kind, node, request: { of }, method: 'POST', path: `${path}/cancel` });
    return;
  }
  await call(stage, {
    id,
    kind,
    node,
    request: { of, schedule_at: stage.began_at + schedule_at_ms },
    method: 'PATCH',
    path,
    body: { schedule_at: timeOf(stage, schedule_at_ms) },
  });
}
