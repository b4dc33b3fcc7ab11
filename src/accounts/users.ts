import { roles, type Role } from '../base/http/access.ts';
import type { Queryable } from '../base/db/database.ts';
import { selectPage, type PageOf, type PageRequest } from '../base/http/pagination.ts';
import { Problem, validationProblem, type Violation } from '../base/errors/problem.ts';
import { type Actor, auditOf, recordAudit } from '../audit/index.ts';
import { accountEmail, storedEmails } from './account-email.ts';
import { hashPassword } from './passwords.ts';
import { disableTwoFactor } from './second-factor.ts';
import { hasSecondFactor } from '../instances/index.ts';
import { endSessionsOf } from './sessions.ts';
import { storePassword } from './store-password.ts';

const audit = auditOf('user');

export interface NewUser {
  email: string;
  password: string;
  role: string;
}

export interface UserRecord {
  id: number;
  email: string;
  role: Role;
}

/** Adds a member to an instance. An existing account keeps its password. */
export async function createMember(
  tx: Queryable,
  instanceId: number,
  { user, actor }: { user: NewUser; actor: Actor },
): Promise<UserRecord> {
  const email = accountEmail(user.email);
  const violations = validateUser({ ...user, email });
  if (violations.length > 0) throw validationProblem(violations);
  const password_hash = await hashPassword(user.password);
  const id = await ensureUser(tx, email, password_hash);
  await tx.query('insert into memberships (instance_id, user_id, role) values ($1, $2, $3)', [
    instanceId,
    id,
    user.role,
  ]);
  await recordAudit(tx, {
    instance_id: instanceId,
    actor,
    action: 'member.added',
    object: { kind: 'user', id: String(id) },
    details: { email, role: user.role },
  });
  return { id, email, role: user.role as Role };
}

/** Makes a user who has an account a member. Throws `user_already_member`. */
export async function addMembership(
  tx: Queryable,
  instanceId: number,
  { user_id, role, actor }: { user_id: number; role: Role; actor: Actor },
): Promise<void> {
  await tx.query('insert into memberships (instance_id, user_id, role) values ($1, $2, $3)', [
    instanceId,
    user_id,
    role,
  ]);
  await recordAudit(tx, {
    instance_id: instanceId,
    actor,
    action: 'member.added',
    object: { kind: 'user', id: String(user_id) },
    details: { role },
  });
}

/** Operators of the installation: the operator's operations are theirs, whatever instances they are a member of. */
export async function setOperator(
  tx: Queryable,
  email: string,
  { is_operator, actor }: { is_operator: boolean; actor: Actor },
): Promise<void> {
  const [row] = await tx.query<{ id: number }>(
    'update users set is_operator = $2, updated_at = now() where email = any($1) returning id',
    [storedEmails(email), is_operator],
  );
  if (!row) throw new Problem('user_not_found');
  const action = is_operator ? 'made_operator' : 'unmade_operator';
  await audit(tx, null, { action, id: row.id, actor });
}

/** For a person who lost the app, the passkeys and the recovery codes: the operator has made sure who asks. */
export async function removeSecondFactor(
  tx: Queryable,
  email: string,
  { now, actor }: { now: Date; actor: Actor },
): Promise<void> {
  const [user] = await tx.query<{ id: number }>(
    'select id from users where email = any($1) order by id for no key update',
    [storedEmails(email)],
  );
  if (!user) throw new Problem('user_not_found');
  await tx.query('delete from passkeys where user_id = $1', [user.id]);
  await disableTwoFactor(tx, user.id);
  await endSessionsOf(tx, user.id, now);
  await audit(tx, null, { action: 'two_factor_removed', id: user.id, actor });
}

/** For a person who cannot get a mail with a link: the operator has made sure who asks. */
export async function setPassword(
  tx: Queryable,
  email: string,
  { password, now, actor }: { password: string; now: Date; actor: Actor },
): Promise<void> {
  const violations = validatePassword(password);
  if (violations.length > 0) throw validationProblem(violations);
  const password_hash = await hashPassword(password);
  const [user] = await tx.query<{ id: number }>(
    'select id from users where email = any($1) order by id for no key update',
    [storedEmails(email)],
  );
  if (!user) throw new Problem('user_not_found');
  await storePassword(tx, user.id, { password_hash, now });
  await audit(tx, null, { action: 'password_set', id: user.id, actor });
}

export interface ListedUser {
  id: number;
  email: string;
  name: string;
  is_operator: boolean;
  has_second_factor: boolean;
  memberships: { instance: string; role: Role }[];
}

/** Everybody who can sign in, or the members of one instance. */
export async function listUsers(
  db: Queryable,
  instanceId: number | null,
  request: PageRequest,
): Promise<PageOf<ListedUser>> {
  return await selectPage<ListedUser>(
    db,
    {
      columns: `u.id, u.email, u.name, u.is_operator, ${hasSecondFactor('u')} as has_second_factor,
        (select coalesce(json_agg(json_build_object('instance', i.slug, 'role', m.role) order by i.slug), '[]')
         from memberships m join instances i on i.id = m.instance_id where m.user_id = u.id) as memberships`,
      source: `from users u where $1::bigint is null
        or exists (select from memberships m where m.user_id = u.id and m.instance_id = $1)`,
      order_by: 'u.email',
      values: [instanceId],
    },
    request,
  );
}

async function ensureUser(tx: Queryable, email: string, password_hash: string): Promise<number> {
  const [existing] = await tx.query<{ id: number }>(
    'select id from users where email = any($1) order by id',
    [storedEmails(email)],
  );
  if (existing) return existing.id;
  const [created] = await tx.query<{ id: number }>(
    `insert into users (email, password_hash) values ($1, $2)
     on conflict (email) do update set updated_at = users.updated_at returning id`,
    [email, password_hash],
  );
  return (created as { id: number }).id;
}

function validateUser({ email, password, role }: NewUser): Violation[] {
  const violations: Violation[] = [];
  if (email.length > 254 || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) {
    violations.push({
      pointer: '/email',
      code: 'value_error.email',
      message: `'${email}' is not an email address`,
    });
  }
  violations.push(...validatePassword(password));
  if (!(roles as readonly string[]).includes(role)) {
    const message = `'${role}' is not a role. Roles are ${roles.join(', ')}`;
    violations.push({ pointer: '/role', code: 'enum', message, params: { expected: [...roles] } });
  }
  return violations;
}

function validatePassword(password: string): Violation[] {
  if (password.length >= 12 && password.length <= 1024) return [];
  const message = 'A password has at least 12 characters';
  return [{ pointer: '/password', code: 'string_too_short', message, params: { min_length: 12 } }];
}
