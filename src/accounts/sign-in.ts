import type { Clock } from '../base/clock.ts';
import type { Database, Queryable, Transaction } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import type { RootSecret } from '../base/secrets.ts';
import { recordAudit } from '../audit/index.ts';
import {
  createPasswordChecks,
  type Account,
  type LoginCredentials,
  type PasswordChecks,
} from './password-checks.ts';
import type { PasskeyAssertion } from './passkeys/passkey-schemas.ts';
import { Passkeys } from './passkeys/passkeys.ts';
import { relyingParty } from './passkeys/relying-party.ts';
import { takeSecondFactor } from './second-factor.ts';
import { hasSecondFactor } from '../instances/index.ts';
import { purgeOldSessions, startSession, type OpenSession } from './sessions.ts';
import { storePassword } from './store-password.ts';

export interface SignInContext {
  db: Database;
  secret: RootSecret;
  clock: Clock;
  checks: PasswordChecks;
  passkeys: Passkeys;
}

export interface SignInRequest extends LoginCredentials {
  /** The second factor, where the account has one: one of these. */
  code: string | undefined;
  passkey?: PasskeyAssertion | undefined;
  user_agent: string | undefined;
}

export interface PasswordChange {
  user_id: number;
  current_password: string;
  new_password: string;
  address: string;
  user_agent: string | undefined;
}

export function createSignInContext(context: {
  db: Database;
  secret: RootSecret;
  clock: Clock;
  base_url: string;
}): SignInContext {
  const { db, secret, clock, base_url } = context;
  const checks = createPasswordChecks({
    ...context,
    on_block: async ({ account, address, refusal: { retry_after_seconds } }) =>
      await recordFailure(db, { account, address, details: { is_throttled: true, retry_after_seconds } }),
  });
  return { db, secret, clock, checks, passkeys: new Passkeys(secret, relyingParty(base_url)) };
}

/** Throws `unauthorized`, `second_factor_required`, `rate_limit_exceeded` or, under load, `service_unavailable`. */
export async function signIn(
  context: SignInContext,
  given: SignInRequest,
  /** In the transaction of the session. */
  within?: (tx: Transaction, userId: number) => Promise<void>,
): Promise<OpenSession> {
  const { db, clock, checks } = context;
  const { address, code, passkey } = given;
  const check = await checks.check(given);
  const { account } = check;
  if (!account || !check.is_genuine) {
    await recordFailure(db, { account, address, details: { is_throttled: false } });
    throw new Problem('unauthorized');
  }
  if (account.has_second_factor) {
    if (code === undefined && passkey === undefined) {
      await db.transaction(async (tx) => await checks.takeBack(tx, check));
      throw new Problem('second_factor_required');
    }
    await checks.countCode(account.id);
  }
  await purgeOldSessions(db, clock.now());
  const opened = await db.transaction(async (tx) => {
    const now = clock.now();
    await requireUnchanged(tx, account);
    if (account.has_second_factor) {
      if (!(await takeFactor(context, tx, { user_id: account.id, code, passkey, now }))) return undefined;
      await checks.resetCode(tx, account.id);
    }
    await checks.reset(tx, check);
    await within?.(tx, account.id);
    await recordAct(tx, account.id, { action: 'user.signed_in', address });
    return await startSession(tx, account.id, { ...given, now });
  });
  if (opened) return opened;
  await recordFailure(db, { account, address, details: { is_throttled: false, factor: 'second' } });
  throw new Problem('unauthorized');
}

/** Ends all sessions of the user and opens a new one. Wrong current passwords count as failed sign-ins. */
export async function changePassword(context: SignInContext, change: PasswordChange): Promise<OpenSession> {
  const { db, clock, checks } = context;
  const { user_id, address } = change;
  const proof = { user_id, password: change.current_password, address, pointer: '/current_password' };
  const { account, check } = await requirePassword(context, proof);
  const password_hash = await checks.hash(change.new_password);
  return await db.transaction(async (tx) => {
    await requireUnchanged(tx, account);
    await storePassword(tx, user_id, { password_hash, now: clock.now() });
    await checks.reset(tx, check);
    await recordAct(tx, user_id, { action: 'user.password_changed', address });
    return await startSession(tx, user_id, { ...change, now: clock.now() });
  });
}

interface GivenFactor {
  user_id: number;
  code: string | undefined;
  passkey: PasskeyAssertion | undefined;
  now: Date;
}

/** The second factor, in the transaction of the session. A passkey beside a password need not verify its owner again. */
export async function takeFactor(
  { secret, passkeys }: SignInContext,
  tx: Queryable,
  { user_id, code, passkey, now }: GivenFactor,
): Promise<boolean> {
  if (passkey === undefined) return await takeSecondFactor(tx, user_id, { code: code ?? '', secret, now });
  const taken = await passkeys.take(tx, { assertion: passkey, must_verify: false, user_id, now });
  return taken === user_id;
}

/** Refuses where the password changed, or a second factor was enabled, while both were being verified. */
export async function requireUnchanged(
  tx: Queryable,
  { id, password_hash, has_second_factor }: Account,
): Promise<void> {
  const found = await tx.query(
    `select from users u where u.id = $1 and u.password_hash = $2 and ${hasSecondFactor('u')} = $3
     for no key update`,
    [id, password_hash, has_second_factor],
  );
  if (found.length === 0) throw new Problem('unauthorized');
}

interface PasswordProof {
  user_id: number;
  password: string;
  address: string;
  /** Of the password in the body. */
  pointer: string;
}

/** Actions that need more than a session. Wrong passwords count as failed sign-ins. */
export async function requirePassword(
  { db, checks }: SignInContext,
  { user_id, password, address, pointer }: PasswordProof,
): Promise<{ account: Account; check: Awaited<ReturnType<PasswordChecks['check']>> }> {
  const [user] = await db.query<{ email: string }>('select email from users where id = $1', [user_id]);
  if (!user) throw new Problem('unauthorized');
  const check = await checks.check({ email: user.email, password, address });
  if (check.account && check.is_genuine) return { account: check.account, check };
  await recordAct(db, user_id, { action: 'user.password_change_failed', address });
  throw validationProblem([
    { pointer, code: 'value_error.wrong_password', message: 'This is not the password' },
  ]);
}

/** The audit log names the account, never the input: people type passwords into the wrong field. */
export async function recordFailure(
  db: Queryable,
  failure: { account: Pick<Account, 'id'> | undefined; address: string; details: Record<string, unknown> },
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

export async function recordAct(
  db: Queryable,
  userId: number,
  { action, address, details }: { action: string; address: string; details?: Record<string, unknown> },
): Promise<void> {
  const id = String(userId);
  await recordAudit(db, {
    // An account belongs to the installation, not to an instance.
    instance_id: null,
    actor: { kind: 'user', id, address },
    action,
    object: { kind: 'user', id },
    ...(details ? { details } : {}),
  });
}
