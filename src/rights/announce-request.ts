import { announce } from '../announce/index.ts';
import type { Queryable } from '../base/db/database.ts';

/** Tells webhooks that the time to answer runs: anybody can write an address on the page, so not before it is verified. */
export async function announceRequest(
  tx: Queryable,
  { id, instance_id }: { id: number; instance_id: number },
  at: Date,
): Promise<void> {
  await announce(tx, [{ instance_id, type: 'rights.requested', subject_id: id, data: {} }], at);
}
