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

const day_ms = 24 * 3_600_000;
const most_mails = 3;

/** Nobody is made to get more than a few confirmations a day by others who fill in their address. */
export async function isWrittenToEnough(
  db: Queryable,
  formId: number,
  { email, now }: { email: unknown; now: Date },
): Promise<boolean> {
  if (typeof email !== 'string') return false;
  const rows = await db.query(
    `select from form_submissions where form_id = $1 and created_at > $2
       and lower(answers ->> 'EMAIL') = lower($3) and status = 'pending' limit ${most_mails}`,
    [formId, new Date(now.getTime() - day_ms), email.trim()],
  );
  return rows.length === most_mails;
}
