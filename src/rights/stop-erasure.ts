import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Actor } from '../audit/index.ts';
import { liftErasure, suppressContacts } from '../restrictions/index.ts';
import { recordStep } from './record-step.ts';
import type { StopReason } from './request-schemas.ts';
import { lockRequest } from './requests.ts';

interface Stop {
  reason: StopReason;
  actor: Actor;
  now: Date;
}

/** An erasure that keeps failing, or finds no end, waits for people: it is fulfilled again, or cancelled. */
export async function stopErasure(
  tx: Queryable,
  request: { id: number; instance_id: number; kind: 'erasure'; contact_hashes: Buffer[] },
  { reason, actor, now }: Stop,
): Promise<void> {
  await tx.query('update rights_requests set stopped_at = $2, stop_reason = $3 where id = $1', [
    request.id,
    now,
    reason,
  ]);
  await recordStep(tx, request.instance_id, {
    request,
    step: 'stopped',
    actor,
    at: now,
    details: { reason },
  });
}

interface Cancellation {
  id: number;
  actor: Actor;
  now: Date;
}

/**
 * Ends an erasure before its end. What was erased stays erased; the request is open again, and is fulfilled, refused or left. The
 * person can be written to again, unless another request erased them too.
 */
export async function cancelErasure(
  tx: Queryable,
  instanceId: number,
  { id, actor, now }: Cancellation,
): Promise<void> {
  const request = await lockRequest(tx, instanceId, id);
  if (request.status !== 'open' || request.started_at === null)
    throw new Problem('rights_request_not_running');
  await recordStep(tx, instanceId, { request, step: 'cancelled', actor, at: now });
  await tx.query(
    `update rights_requests set started_at = null, stopped_at = $3, stop_reason = 'cancelled', erasure_position = null,
       erasure_next_at = null, erasure_walks = 0, erasure_failures = 0, erasure_worked_ms = 0, erasure_error = null
     where instance_id = $1 and id = $2`,
    [instanceId, id, now],
  );
  await liftErasure(tx, instanceId, { request_id: id, hashes: request.contact_hashes });
  await suppressAgain(tx, instanceId, request.contact_hashes);
}

/** Under the lock of the chain, which the receipt took: each sees the results of the others. */
async function suppressAgain(tx: Queryable, instanceId: number, lifted: Buffer[]): Promise<void> {
  const others = await tx.query<{ id: number; hashes: Buffer[]; since: Date }>(
    `select id, contact_hashes as hashes, started_at as since from rights_requests
     where instance_id = $1 and kind = 'erasure' and started_at is not null and contact_hashes && $2::bytea[] order by id`,
    [instanceId, lifted],
  );
  for (const { id: request_id, hashes, since } of others) {
    await suppressContacts(tx, instanceId, { kind: 'erased', hashes, request_id, since });
  }
}

/** What has to be as at the beginning when an erasure is started, or goes on after a stop. */
export const unstopped = `stopped_at = null, stop_reason = null, erasure_next_at = null, erasure_walks = 0,
  erasure_failures = 0, erasure_worked_ms = 0, erasure_error = null`;
