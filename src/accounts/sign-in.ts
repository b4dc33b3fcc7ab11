import type { Clock } from '../base/clock.ts';
import type { Database, Queryable } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import type { RootSecret } from '../base/secrets.ts';
import { recordAudit } from '../audit/index.ts';
import {
  createPasswordChecks,
  type Account,
  type LoginCredentials,
  type PasswordChecks,
} from './password-checks.ts';
import { endSessionsOf, purgeOldSessions, startSession, type OpenSession } from './sessions.ts';

export interface SignInContext {
  db: Database;
  clock: Clock;
  checks: PasswordChecks;
}

export interface PasswordChange {
  user_id: number;
  current_password: string;
  new_password: string;
  address: string;
}

export function createSignInContext(context: {
  db: Database;
  secret: RootSecret;
  clock: Clock;
}): SignInContext {
  const { db, clock } = context;
  const checks = createPasswordChecks({
    ...context,
    on_block: async ({ account, address, refusal: { retry_after_seconds } }) =>
      await recordFailure(db, { account, address, details: { is_throttled: true, retry_after_seconds } }),
  });
  return { db, clock, checks };
}

/** Throws `unauthorized`, `rate_limit_exceeded` or, under load, `service_unavailable`. */
export async function signIn(context: SignInContext, given: LoginCredentials): Promise<OpenSession> {
  const { db, clock, checks } = context;
  const { address } = given;
  const check = await checks.check({ ...given, email: given.email.trim().toLowerCase() });
  const { account } = check;
  if (!account || !check.is_genuine) {
    await recordFailure(db, { account, address, details: { is_throttled: false } });
    throw new Problem('unauthorized');
  }
  await purgeOldSessions(db, clock.now());
  return await db.transaction(async (tx) => {
    await requireUnchanged(tx, account);
    await checks.reset(tx, check);
    await recordAct(tx, account.id, { action: 'user.signed_in', address });
    return await startSession(tx, account.id, clock.now());
  });
}

/** Ends all sessions of the user and opens a new one. Wrong current passwords count as failed sign-ins. */
export async function changePassword(context: SignInContext, change: PasswordChange): Promise<OpenSession> {
  const { db, clock, checks } = context;
  const { user_id, address } = change;
  const [user] = await db.query<{ email: string }>('select email from users where id = $1', [user_id]);
  if (!user) throw new Problem('unauthorized');
  const check = await checks.check({ email: user.email, password: change.current_password, address });
  const { account } = check;
  if (!account || !check.is_genuine) {
    await recordAct(db, user_id, { action: 'user.password_change_failed', address });
    throw wrongPassword();
  }
  const password_hash = await checks.hash(change.new_password);
  return await db.transaction(async (tx) => {
    await requireUnchanged(tx, account);
    await tx.query('update users set password_hash = $2, updated_at = now() where id = $1', [
      user_id,
      password_hash,
    ]);
    await endSessionsOf(tx, user_id, clock.now());
    await checks.reset(tx, check);
    await recordAct(tx, user_id, { action: 'user.password_changed', address });
    return await startSession(tx, user_id, clock.now());
  });
}

/** If the password changed during verification, all sessions were ended: do not open one. */
async function requireUnchanged(tx: Queryable, { id, password_hash }: Account): Promise<void> {
  const found = await tx.query('select from users where id = $1 and password_hash = $2 for no key update', [
    id,
    password_hash,
  ]);
  if (found.length === 0) throw new Problem('unauthorized');
}

function wrongPassword(): Problem {
  return validationProblem([
    { pointer: '/current_password', code: 'value_error.wrong_password', message: 'This is not the password' },
  ]);
}

/** The audit log names the account, never the input: people type passwords into the wrong field. */
async function recordFailure(
  db: Queryable,
  failure: { account: Account | undefined; address: string; details: Record<string, unknown> },
): Promise<void> {
  const { account, address, details } = failure;
  await recordAudit(db, {
    instance_id: null,
    // Not authenticated.
    actor: { kind: 'user', address },
    action: 'user.sign_in_failed',
    object: { kind: 'user', id: account && String(account.id) },
    details: { is_known: account !== undefined, ...details },
  });
}

async function recordAct(
  db: Queryable,
  userId: number,
  { action, address }: { action: string; address: string },
): Promise<void> {
  const id = String(userId);
  await recordAudit(db, {
    // An account belongs to the installation, not to an instance.
    instance_id: null,
    actor: { kind: 'user', id, address },
    action,
    object: { kind: 'user', id },
  });
}
