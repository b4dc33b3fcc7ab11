import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { Actor } from '../audit/index.ts';

/** An authenticator app, or a passkey. `user` is the alias of `users` in the statement. */
export function hasSecondFactor(user: string): string {
  return `(${user}.two_factor_enabled_at is not null or exists (select from passkeys where passkeys.user_id = ${user}.id))`;
}

/** Who demands a second factor has one: a member themselves, else an owner of the instance. */
export async function requireOwnSecondFactor(tx: Queryable, instanceId: number, actor: Actor): Promise<void> {
  const isMember = actor.kind === 'user';
  const found = await tx.query(
    `select from memberships m join users u on u.id = m.user_id
     where m.instance_id = $1 and ${isMember ? 'u.id = $2' : "m.role = 'owner'"} and ${hasSecondFactor('u')} limit 1`,
    isMember ? [instanceId, actor.id] : [instanceId],
  );
  if (found.length === 0) throw new Problem('second_factor_rule_locks_out');
}
