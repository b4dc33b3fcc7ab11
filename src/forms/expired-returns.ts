import type { Queryable } from '../base/db/database.ts';
import type { Contact } from '../base/contacts.ts';

/** An unconfirmed submission by which an erased person asked to come back. */
export interface ExpiredReturn {
  id: number;
  instance_id: number;
  contacts: Contact[];
}

/** In the order of submissions, after one of them. */
export async function listExpiredReturns(
  db: Queryable,
  { after, limit }: { after: number; limit: number },
): Promise<ExpiredReturn[]> {
  return await db.query<ExpiredReturn & Record<string, unknown>>(
    `select id, instance_id, held -> 'contacts' as contacts from form_submissions
     where held is not null and status = 'expired' and id > $1 order by id limit $2`,
    [after, limit],
  );
}

/** Last, when what it led to is erased: that a form was filled in stays. */
export async function forgetReturn(db: Queryable, id: number): Promise<void> {
  await db.query(
    `update form_submissions set answers = '{}', address = null, user_agent = null, held = null
     where id = $1 and held is not null and status = 'expired'`,
    [id],
  );
}
