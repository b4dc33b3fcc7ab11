import type { Queryable } from '../../base/db/database.ts';
import { Problem } from '../../base/errors/problem.ts';
import { hasSecondFactor } from '../../instances/index.ts';
import type { Identity } from './provider.ts';
import type { AccountIdentity } from './single-sign-on-schemas.ts';

export interface LinkedUser {
  id: number;
  has_second_factor: boolean;
}

export async function findLinkedUser(
  db: Queryable,
  { issuer, subject }: Identity,
): Promise<LinkedUser | undefined> {
  const [user] = await db.query<LinkedUser & Record<string, unknown>>(
    `select u.id, ${hasSecondFactor('u')} as has_second_factor
     from user_identities l join users u on u.id = l.user_id where l.issuer = $1 and l.subject = $2`,
    [issuer, subject],
  );
  return user;
}

/** From now on this person of the provider is this user. One that was another user's moves: proof was given for this one. */
export async function linkIdentity(
  tx: Queryable,
  userId: number,
  { identity, email, now }: { identity: Identity; email: string; now: Date },
): Promise<void> {
  await tx.query(
    `insert into user_identities (user_id, issuer, subject, email, created_at, last_used_at)
     values ($1, $2, $3, $4, $5, $5)
     on conflict (issuer, subject) do update
     set user_id = excluded.user_id, email = excluded.email, last_used_at = excluded.last_used_at`,
    [userId, identity.issuer, identity.subject, email, now],
  );
}

export async function noteIdentityUse(tx: Queryable, identity: Identity, now: Date): Promise<boolean> {
  const used = await tx.query(
    `update user_identities set last_used_at = $3, email = coalesce($4, email)
     where issuer = $1 and subject = $2 returning id`,
    [identity.issuer, identity.subject, now, identity.email?.toLowerCase() ?? null],
  );
  return used.length > 0;
}

export async function listIdentities(db: Queryable, userId: number): Promise<AccountIdentity[]> {
  return await db.query<AccountIdentity & Record<string, unknown>>(
    `select id, issuer, email, created_at, last_used_at from user_identities
     where user_id = $1 order by id limit 100`,
    [userId],
  );
}

/** Refused where it is the only way to sign in. */
export async function unlinkIdentity(tx: Queryable, userId: number, id: number): Promise<void> {
  const [user] = await tx.query<{ has_password: boolean }>(
    'select has_password from users where id = $1 for no key update',
    [userId],
  );
  const removed = await tx.query('delete from user_identities where user_id = $1 and id = $2 returning id', [
    userId,
    id,
  ]);
  if (removed.length === 0) throw new Problem('identity_not_found');
  if (user?.has_password === false) throw new Problem('identity_is_only_sign_in');
}
