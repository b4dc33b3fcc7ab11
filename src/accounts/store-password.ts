import type { Queryable } from '../base/db/database.ts';
import { endSessionsOf } from './sessions.ts';

/** A new password ends what the old one opened, and the links that were mailed to choose another. */
export async function storePassword(
  tx: Queryable,
  userId: number,
  { password_hash, now }: { password_hash: string; now: Date },
): Promise<void> {
  await tx.query(
    'update users set password_hash = $2, has_password = true, updated_at = now() where id = $1',
    [userId, password_hash],
  );
  await tx.query('update password_resets set used_at = $2 where user_id = $1 and used_at is null', [
    userId,
    now,
  ]);
  await endSessionsOf(tx, userId, now);
}
