import type { Queryable } from '../base/db/database.ts';
import { validationProblem } from '../base/errors/problem.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { checklistOf, type ChecklistStep } from './checklist.ts';
import { lockRequest } from './requests.ts';

const audit = auditOf('rights_request');

export interface Annotation {
  id: number;
  changes: { note?: string | null | undefined; checked?: ChecklistStep[] | null | undefined };
  actor: Actor;
}

/** Notes and ticks are for colleagues: they stay possible on a closed request, and have no receipt. */
export async function annotateRequest(
  tx: Queryable,
  instanceId: number,
  { id, changes: { note, checked }, actor }: Annotation,
): Promise<void> {
  const request = await lockRequest(tx, instanceId, id);
  const steps = checked ?? undefined;
  const foreign = steps?.findIndex((step) => !checklistOf[request.kind].includes(step)) ?? -1;
  if (foreign >= 0) {
    const message = `The checklist of this kind of request is ${checklistOf[request.kind].join(', ')}`;
    throw validationProblem([{ pointer: `/checked/${foreign}`, code: 'value_error', message }]);
  }
  await tx.query(
    `update rights_requests set note = case when $3 then $4 else note end, checked = coalesce($5::text[], checked)
     where instance_id = $1 and id = $2`,
    [instanceId, id, note !== undefined, note ?? null, steps ?? null],
  );
  // Without the note: the audit log outlives an erasure.
  const details = {
    kind: request.kind,
    ...(steps && { checked: steps }),
    ...(note !== undefined && { has_note: note !== null }),
  };
  await audit(tx, instanceId, { action: 'annotated', id, actor, details });
}
