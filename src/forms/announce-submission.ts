import { announce } from '../announce/index.ts';
import type { Queryable } from '../base/db/database.ts';

/** Tells webhooks that a form was filled in, and whether its mail has yet to be confirmed. */
export async function announceSubmission(
  tx: Queryable,
  { instance_id }: { instance_id: number },
  { id, status, at }: { id: number; status: 'pending' | 'confirmed'; at: Date },
): Promise<void> {
  await announce(tx, [{ instance_id, type: 'form.submitted', subject_id: id, data: { status } }], at);
}

/** Tells webhooks that the person confirmed it by mail. */
export async function announceConfirmation(
  tx: Queryable,
  { id, instance_id }: { id: number; instance_id: number },
  at: Date,
): Promise<void> {
  const data = { status: 'confirmed' };
  await announce(tx, [{ instance_id, type: 'form.confirmed', subject_id: id, data }], at);
}
