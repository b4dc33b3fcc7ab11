import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { AccountSession } from './account-schemas.ts';
import { idle_ms } from './sessions.ts';

/** More than anybody has; the newest are told. */
const maxListed = 100;

export async function listSessions(
  db: Queryable,
  userId: number,
  { current, now }: { current: string; now: Date },
): Promise<AccountSession[]> {
  return await db.query<AccountSession & Record<string, unknown>>(
    `select id, created_at, last_used_at, expires_at, host(address) as address, user_agent, id = $2 as is_current
     from sessions where user_id = $1 and revoked_at is null and expires_at > $3 and last_used_at > $4
     order by last_used_at desc, id limit ${maxListed}`,
    [userId, current, now, new Date(now.getTime() - idle_ms)],
  );
}

export async function endSessionOf(
  tx: Queryable,
  userId: number,
  { id, now }: { id: string; now: Date },
): Promise<void> {
  const ended = await tx.query(
    'update sessions set revoked_at = $3 where id = $2 and user_id = $1 and revoked_at is null returning id',
    [userId, id, now],
  );
  if (ended.length === 0) throw new Problem('session_not_found');
}

export async function endOtherSessions(
  tx: Queryable,
  userId: number,
  { current, now }: { current: string; now: Date },
): Promise<void> {
  await tx.query(
    'update sessions set revoked_at = $3 where user_id = $1 and id <> $2 and revoked_at is null',
    [userId, current, now],
  );
}
