import type { Database, Queryable } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import type { Role } from '../base/http/access.ts';
import { hashToken } from '../base/secrets.ts';
import { recordAudit } from '../audit/index.ts';
import { storedEmails } from './account-email.ts';
import { invitableRoles } from './team.ts';
import type { Acceptance, OpenInvitation } from './team-schemas.ts';

interface InvitationRow {
  id: number;
  instance_id: number;
  email: string;
  role: Role;
  slug: string;
  name: string;
  is_enabled: boolean;
  invited_by: number | null;
  user_id: number | null;
}

/** Throws `invitation_not_found` for one that is used, revoked, expired, unknown, or whose sender may no longer send it. */
export async function findInvitation(db: Queryable, token: string, now: Date): Promise<OpenInvitation> {
  return shown(await getOpen(db, token, now));
}

interface AcceptContext {
  db: Database;
  hash: (password: string) => Promise<string>;
}

/**
 * Makes the holder of the token a member. The token was mailed, so it proves the address. An existing account keeps
 * its password.
 */
export async function acceptInvitation(
  { db, hash }: AcceptContext,
  { token, name, password }: Acceptance,
  { now, address }: { now: Date; address: string },
): Promise<OpenInvitation> {
  const found = await getOpen(db, token, now);
  if (!found.is_enabled) throw new Problem('instance_disabled');
  if (found.user_id === null && password === undefined) {
    const message = 'A new account needs a password';
    throw validationProblem([{ pointer: '/password', code: 'missing', message }]);
  }
  // Outside the transaction: hashing is slow by design.
  const password_hash = found.user_id === null ? await hash(password ?? '') : undefined;
  return await db.transaction(async (tx) => {
    // Locked before the invitation, as a demotion locks them. One that is under way is waited for.
    await requireSender(tx, found, 'for share');
    const used = await tx.query(
      `update invitations set accepted_at = $2
       where id = $1 and accepted_at is null and revoked_at is null and expires_at > $2 returning id`,
      [found.id, now],
    );
    if (used.length === 0) throw new Problem('invitation_not_found');
    const userId = await ensureAccount(tx, found, { name: name ?? '', password_hash });
    await tx.query('insert into memberships (instance_id, user_id, role) values ($1, $2, $3)', [
      found.instance_id,
      userId,
      found.role,
    ]);
    await recordAccepted(tx, found, { user_id: userId, address });
    return shown(found);
  });
}

const openTo = `from invitations v join instances i on i.id = v.instance_id
  join memberships s on s.instance_id = v.instance_id and s.user_id = v.invited_by
  where v.email = any($1) and v.accepted_at is null and v.revoked_at is null and v.expires_at > $2 and i.is_enabled`;

/** Of those whose sender may still send them. */
export async function hasOpenInvitation(db: Queryable, email: string, now: Date): Promise<boolean> {
  const found = await db.query<{ role: Role; sender: Role }>(`select v.role, s.role as sender ${openTo}`, [
    storedEmails(email),
    now,
  ]);
  return found.some(({ role, sender }) => invitableRoles(sender).includes(role));
}

/** All open invitations to the address of a new account, which a provider proved. Returns how many. */
export async function redeemInvitations(
  tx: Queryable,
  { user_id, email, now, address }: { user_id: number; email: string; now: Date; address: string },
): Promise<number> {
  const open = await tx.query<Joined & { sender: Role }>(
    `select v.id, v.instance_id, v.email, v.role, s.role as sender ${openTo} order by v.id for update of v for share of s`,
    [storedEmails(email), now],
  );
  const valid = open.filter(({ role, sender }) => invitableRoles(sender).includes(role));
  for (const found of valid) {
    await tx.query('update invitations set accepted_at = $2 where id = $1', [found.id, now]);
    await tx.query('insert into memberships (instance_id, user_id, role) values ($1, $2, $3)', [
      found.instance_id,
      user_id,
      found.role,
    ]);
    await recordAccepted(tx, found, { user_id, address });
  }
  return valid.length;
}

type Joined = Pick<InvitationRow, 'id' | 'instance_id' | 'email' | 'role'>;

async function recordAccepted(
  tx: Queryable,
  { id, instance_id, email, role }: Joined,
  { user_id, address }: { user_id: number; address: string },
): Promise<void> {
  await recordAudit(tx, {
    instance_id,
    actor: { kind: 'user', id: String(user_id), address },
    action: 'invitation.accepted',
    object: { kind: 'invitation', id: String(id) },
    details: { email, role },
  });
}

async function getOpen(db: Queryable, token: string, now: Date): Promise<InvitationRow> {
  const [row] = await db.query<Omit<InvitationRow, 'user_id'> & Record<string, unknown>>(
    `select v.id, v.instance_id, v.email, v.role, v.invited_by, i.slug, i.name, i.is_enabled
     from invitations v join instances i on i.id = v.instance_id
     where v.token_hash = $1 and v.accepted_at is null and v.revoked_at is null and v.expires_at > $2`,
    [hashToken(token), now],
  );
  if (!row) throw new Problem('invitation_not_found');
  await requireSender(db, row);
  const [user] = await db.query<{ id: number }>('select id from users where email = any($1) order by id', [
    storedEmails(row.email),
  ]);
  return { ...row, user_id: user?.id ?? null };
}

/** Who sent it must still be a member who may send it. */
async function requireSender(
  db: Queryable,
  { instance_id, invited_by, role }: Pick<InvitationRow, 'instance_id' | 'invited_by' | 'role'>,
  lock: 'for share' | '' = '',
): Promise<void> {
  const [sender] = await db.query<{ role: Role }>(
    `select role from memberships where instance_id = $1 and user_id = $2 ${lock}`,
    [instance_id, invited_by],
  );
  if (!sender || !invitableRoles(sender.role).includes(role)) throw new Problem('invitation_not_found');
}

/** An account that was created meanwhile keeps its own password. */
async function ensureAccount(
  tx: Queryable,
  { email, user_id }: InvitationRow,
  { name, password_hash }: { name: string; password_hash: string | undefined },
): Promise<number> {
  if (user_id !== null) return user_id;
  const [row] = await tx.query<{ id: number }>(
    `insert into users (email, name, password_hash) values ($1, $2, $3)
     on conflict (email) do update set updated_at = users.updated_at returning id`,
    [email, name.trim(), password_hash],
  );
  return (row as { id: number }).id;
}

function shown({ email, role, slug, name, user_id }: InvitationRow): OpenInvitation {
  return { email, role, instance: { slug, name }, has_account: user_id !== null };
}
