import type { Queryable } from '../../base/db/database.ts';
import type { FillableForm } from '../fillable-form.ts';

interface WaitingSubmission extends Pick<FillableForm, 'name' | 'settings'> {
  status: 'pending' | 'confirmed' | 'expired';
  expires_at: Date;
}

/** A submission under double opt-in, with what its page shows. Its form may be gone by now. */
export async function findWaiting(
  db: Queryable,
  id: number | undefined,
): Promise<WaitingSubmission | undefined> {
  if (id === undefined) return undefined;
  const [row] = await db.query<WaitingSubmission & Record<string, unknown>>(
    `select s.status, s.expires_at, f.name, f.settings
     from form_submissions s join forms f on f.id = s.form_id where s.id = $1 and s.expires_at is not null`,
    [id],
  );
  return row;
}
