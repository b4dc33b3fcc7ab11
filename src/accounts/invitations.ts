import { notBlocked } from '../base/db/blocked-contacts.ts';
import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { hashToken, newToken } from '../base/secrets.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { limitPlatformMail, type PlatformMailLimits } from '../limits/index.ts';
import { storedEmails } from './account-email.ts';
import { requireOwnerFor } from './team.ts';
import type { Invitation, NewInvitation } from './team-schemas.ts';

const audit = auditOf('invitation');

const dayMs = 24 * 3_600_000;
const lifetimeMs = 7 * dayMs;
/** Bounds the mail that an instance can make the platform send. */
const maxPerDay = 50;

const columns = 'id, email, role, created_at, expires_at';
const open = 'accepted_at is null and revoked_at is null';

interface Creation {
  wanted: NewInvitation;
  actor: Actor;
  now: Date;
  mail_limits: PlatformMailLimits;
}

/** The token goes into the mail and nowhere else. */
export async function createInvitation(
  tx: Queryable,
  instanceId: number,
  { wanted, actor, now, mail_limits }: Creation,
): Promise<{ invitation: Invitation; token: string }> {
  const email = canonicalAddress(wanted.email)?.address.toLowerCase();
  if (email === undefined) {
    const message = 'This is not an email address';
    throw validationProblem([{ pointer: '/email', code: 'value_error.email', message }]);
  }
  await requireOwnerFor(tx, instanceId, { roles: [wanted.role], actor });
  await requireQuota(tx, instanceId, now);
  await requireStranger(tx, instanceId, email);
  await tx.query(`update invitations set revoked_at = $3 where instance_id = $1 and email = $2 and ${open}`, [
    instanceId,
    email,
    now,
  ]);
  const token = newToken();
  const [row] = await tx.query<Invitation>(
    `insert into invitations (instance_id, email, role, token_hash, invited_by, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7) returning ${columns}`,
    [
      instanceId,
      email,
      wanted.role,
      hashToken(token),
      actor.kind === 'user' ? actor.id : null,
      now,
      new Date(now.getTime() + lifetimeMs),
    ],
  );
  const invitation = row as Invitation;
  const details = { email, role: wanted.role };
  await audit(tx, instanceId, { action: 'created', id: invitation.id, actor, details });
  const { address } = actor;
  await limitPlatformMail(tx, mail_limits, {
    kind: 'platform',
    instance_id: instanceId,
    recipient: email,
    address,
  });
  return { invitation, token };
}

export async function listInvitations(
  db: Queryable,
  instanceId: number,
  { request, now }: { request: PageRequest; now: Date },
): Promise<PageOf<Invitation>> {
  return await selectPage<Invitation>(
    db,
    {
      columns,
      source: `from invitations where instance_id = $1 and expires_at > $2 and ${open}
        and ${notBlocked('email', '$1')}`,
      order_by: 'id',
      values: [instanceId, now],
    },
    request,
  );
}

export async function revokeInvitation(
  tx: Queryable,
  instanceId: number,
  { id, actor, now }: { id: number; actor: Actor; now: Date },
): Promise<void> {
  const [row] = await tx.query<{ email: string }>(
    `update invitations set revoked_at = $3 where instance_id = $1 and id = $2 and ${open} returning email`,
    [instanceId, id, now],
  );
  if (!row) throw new Problem('invitation_not_found');
  await audit(tx, instanceId, { action: 'revoked', id, actor, details: { email: row.email } });
}

/** Locks the instance, so that concurrent invitations are counted. */
async function requireQuota(tx: Queryable, instanceId: number, now: Date): Promise<void> {
  await tx.query('select from instances where id = $1 for no key update', [instanceId]);
  const [row] = await tx.query<{ sent: number }>(
    'select count(*) as sent from invitations where instance_id = $1 and created_at > $2',
    [instanceId, new Date(now.getTime() - dayMs)],
  );
  if ((row?.sent ?? 0) < maxPerDay) return;
  const detail = `An instance sends at most ${maxPerDay} invitations a day.`;
  throw new Problem('rate_limit_exceeded', { detail, retry_after_seconds: 3_600 });
}

async function requireStranger(tx: Queryable, instanceId: number, email: string): Promise<void> {
  const found = await tx.query(
    'select from memberships m join users u on u.id = m.user_id where m.instance_id = $1 and u.email = any($2)',
    [instanceId, storedEmails(email)],
  );
  if (found.length > 0) throw new Problem('user_already_member');
}
