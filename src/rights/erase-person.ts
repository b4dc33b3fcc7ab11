import type { Database } from '../base/db/database.ts';
import type { Person } from '../base/personal-data.ts';
import { type ErasurePosition, firstPosition, positionAfter, stepAt } from './erasure-position.ts';
import type { BatchResult } from './erasure-steps.ts';

export interface ErasureContext {
  db: Database;
  now: Date;
  isStopping: () => boolean;
}

/** A batch reads and writes some thousand rows. One that takes longer is blocked by a lock, and is tried again. */
export const batchLimits = `select set_config('lock_timeout', '5s', true), set_config('statement_timeout', '15s', true)`;

/** Erases what there is about a person, batch by batch, each in a transaction of its own. False when some mail has to wait. */
export async function erasePerson(
  { db, now, isStopping }: ErasureContext,
  person: Person,
  request_id?: number,
): Promise<boolean> {
  let position: ErasurePosition = firstPosition;
  while (!isStopping()) {
    const { before } = position;
    const step = stepAt(position);
    const result: BatchResult = await db.transaction(async (tx) => {
      await tx.query(batchLimits);
      return await step.run(tx, { person, request_id, now }, before);
    });
    const next = positionAfter(position, result);
    if (next.kind !== 'batch') return next.kind === 'done';
    position = next.position;
  }
  return false;
}
