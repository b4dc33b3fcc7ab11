import type { Queryable } from '../base/db/database.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { recordReceipt } from '../consent/index.ts';
import type { RequestKind } from './request-schemas.ts';

const audit = auditOf('rights_request');

export type Step =
  | 'received'
  | 'verified'
  | 'extended'
  | 'started'
  | 'stopped'
  | 'resumed'
  | 'cancelled'
  | 'fulfilled'
  | 'refused'
  | 'lifted'
  | 'downloaded';

interface StepRecord {
  request: { id: number; kind: RequestKind; contact_hashes: Buffer[] };
  step: Step;
  actor: Actor;
  at: Date;
  /** Names no person: it outlives an erasure. */
  details?: Record<string, string | number>;
}

/** The audit event and the receipt of a step, in its transaction. Neither names the person. */
export async function recordStep(
  tx: Queryable,
  instanceId: number,
  { request: { id, kind, contact_hashes }, step, actor, at, details = {} }: StepRecord,
): Promise<void> {
  await audit(tx, instanceId, { action: step, id, actor, details: { kind, ...details } });
  await recordReceipt(tx, instanceId, {
    subject: 'rights_request',
    subject_id: id,
    step,
    content: {
      kind,
      contacts: contact_hashes.map((hash) => hash.toString('hex')),
      actor: actor.id === undefined ? actor.kind : `${actor.kind}:${actor.id}`,
      ...details,
    },
    at: new Date(at),
  });
}
