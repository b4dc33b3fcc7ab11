import type { Queryable } from '../../base/db/database.ts';
import type { FillableForm } from '../fillable-form.ts';
import { shownStatus } from '../submission-status.ts';

interface PendingSubmission extends Pick<FillableForm, 'name' | 'settings'> {
  id: number;
  instance_id: number;
  status: 'pending' | 'confirmed' | 'expired';
}

/** A pending submission with what its page shows. Its form may be deleted. */
export async function findPendingSubmission(
  db: Queryable,
  id: number | undefined,
  now: Date,
): Promise<PendingSubmission | undefined> {
  if (id === undefined) return undefined;
  const [row] = await db.query<PendingSubmission & Record<string, unknown>>(
    `select s.id, s.instance_id, ${shownStatus('$2::timestamptz')} as status, f.name, f.settings
     from form_submissions s join forms f on f.id = s.form_id where s.id = $1 and s.expires_at is not null`,
    [id, now],
  );
  return row;
}
