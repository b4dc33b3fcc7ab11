import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { roles, type Role } from '../base/http/access.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { type Actor, auditOf, recordAudit } from '../audit/index.ts';
import { storedEmails } from './account-email.ts';
import type { Member } from './team-schemas.ts';

const auditInvitation = auditOf('invitation');

const memberColumns = 'u.id, u.email, u.name, m.role, m.created_at';

export async function listMembers(
  db: Queryable,
  instanceId: number,
  request: PageRequest,
): Promise<PageOf<Member>> {
  return await selectPage<Member>(
    db,
    {
      columns: memberColumns,
      source: 'from memberships m join users u on u.id = m.user_id where m.instance_id = $1',
      order_by: 'm.created_at, u.id',
      values: [instanceId],
      is_short: true,
    },
    request,
  );
}

interface OfMember {
  user_id: number;
  actor: Actor;
}

export async function changeRole(
  tx: Queryable,
  instanceId: number,
  { user_id, role, actor, now }: OfMember & { role: Role; now: Date },
): Promise<Member> {
  const member = await lockMember(tx, instanceId, user_id);
  await requireOwnerFor(tx, instanceId, { roles: [member.role, role], actor });
  if (member.role === role) return member;
  if (member.role === 'owner') await requireAnotherOwner(tx, instanceId, user_id);
  await tx.query('update memberships set role = $3 where instance_id = $1 and user_id = $2', [
    instanceId,
    user_id,
    role,
  ]);
  const details = { email: member.email, from: member.role, to: role };
  const sent = invitableRoles(role);
  await revokeInvitations(tx, instanceId, { sent_by: user_id, except: sent, to: [], actor, now });
  await audit(tx, instanceId, { action: 'role_changed', user_id, actor, details });
  return { ...member, role };
}

/** The account stays, since it may be a member elsewhere. Access ends with the next request. */
export async function removeMember(
  tx: Queryable,
  instanceId: number,
  { user_id, actor, now }: OfMember & { now: Date },
): Promise<void> {
  const { email, role } = await lockMember(tx, instanceId, user_id);
  await requireOwnerFor(tx, instanceId, { roles: [role], actor });
  if (role === 'owner') await requireAnotherOwner(tx, instanceId, user_id);
  await tx.query('delete from memberships where instance_id = $1 and user_id = $2', [instanceId, user_id]);
  // Also those by which the person could come back.
  const back = { sent_by: user_id, except: [], to: storedEmails(email) };
  await revokeInvitations(tx, instanceId, { ...back, actor, now });
  await audit(tx, instanceId, { action: 'removed', user_id, actor, details: { email, role } });
}

/** The roles that a member with this role may invite to: an admin cannot make an owner. */
export function invitableRoles(role: Role): readonly Role[] {
  if (role === 'owner') return roles;
  return role === 'admin' ? roles.filter((each) => each !== 'owner') : [];
}

interface Revocation {
  sent_by: number;
  /** Invitations to these roles stay. */
  except: readonly Role[];
  to: string[];
  actor: Actor;
  now: Date;
}

async function revokeInvitations(
  tx: Queryable,
  instanceId: number,
  { sent_by, except, to, actor, now }: Revocation,
): Promise<void> {
  const revoked = await tx.query<{ id: number; email: string }>(
    `update invitations set revoked_at = $5
     where instance_id = $1 and ((invited_by = $2 and role <> all ($3)) or email = any ($4))
       and accepted_at is null and revoked_at is null and expires_at > $5
     returning id, email`,
    [instanceId, sent_by, except, to, now],
  );
  for (const { id, email: invited } of revoked) {
    await auditInvitation(tx, instanceId, { action: 'revoked', id, actor, details: { email: invited } });
  }
}

/** Only an owner may make or change an owner; otherwise an admin could take over. */
export async function requireOwnerFor(
  tx: Queryable,
  instanceId: number,
  { roles: named, actor }: { roles: Role[]; actor: Actor },
): Promise<void> {
  if (!named.includes('owner') || actor.kind !== 'user') return;
  const found = await tx.query(
    `select from memberships where instance_id = $1 and user_id = $2 and role = 'owner'`,
    [instanceId, actor.id],
  );
  if (found.length === 0) throw new Problem('forbidden');
}

/** Locks the instance, so that two owners cannot remove each other concurrently. */
async function lockMember(tx: Queryable, instanceId: number, userId: number): Promise<Member> {
  await tx.query('select from instances where id = $1 for no key update', [instanceId]);
  const [member] = await tx.query<Member>(
    `select ${memberColumns} from memberships m join users u on u.id = m.user_id
     where m.instance_id = $1 and m.user_id = $2`,
    [instanceId, userId],
  );
  if (!member) throw new Problem('member_not_found');
  return member;
}

async function requireAnotherOwner(tx: Queryable, instanceId: number, userId: number): Promise<void> {
  const others = await tx.query(
    `select from memberships where instance_id = $1 and user_id <> $2 and role = 'owner' limit 1`,
    [instanceId, userId],
  );
  if (others.length === 0) throw new Problem('member_is_last_owner');
}

interface Act extends OfMember {
  action: 'role_changed' | 'removed';
  details: Record<string, unknown>;
}

async function audit(tx: Queryable, instanceId: number, act: Act): Promise<void> {
  await recordAudit(tx, {
    instance_id: instanceId,
    actor: act.actor,
    action: `member.${act.action}`,
    object: { kind: 'user', id: String(act.user_id) },
    details: act.details,
  });
}
