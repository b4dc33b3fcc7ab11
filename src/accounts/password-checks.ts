import { randomBytes } from 'node:crypto';
import { cachedFor } from '../base/cached-for.ts';
import type { Clock } from '../base/clock.ts';
import type { Database, Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { RootSecret } from '../base/secrets.ts';
import { accountEmail, storedEmails } from './account-email.ts';
import { createLoginThrottle, type Attempt, type Refusal } from './login-throttle.ts';
import { createHashingQueue } from './hashing-queue.ts';
import { hasSecondFactor } from '../instances/index.ts';
import { hashPassword, passwordMatches } from './passwords.ts';

export interface LoginCredentials {
  email: string;
  password: string;
  address: string;
}

type Origin = Pick<LoginCredentials, 'email' | 'address'>;

export interface Account {
  id: number;
  has_second_factor: boolean;
  /** Of the second factors: an authenticator app. */
  has_app: boolean;
  password_hash: string;
}

/** `account` is undefined when no account has the address. */
interface PasswordCheck {
  attempt: Attempt;
  account: Account | undefined;
  is_genuine: boolean;
}

export interface PasswordChecks {
  /** Throws `rate_limit_exceeded` or, under load, `service_unavailable`. */
  check(credentials: LoginCredentials): Promise<PasswordCheck>;
  /** After a successful check. */
  reset(tx: Queryable, check: PasswordCheck): Promise<void>;
  /** Takes back a check whose account wants a second factor that was not given. */
  takeBack(tx: Queryable, check: PasswordCheck): Promise<void>;
  /** After the password was changed by who can read the mail of the account: failures at the old one do not count. */
  forget(tx: Queryable, origin: Origin): Promise<void>;
  /** Counts a second factor before it is looked at. Throws `rate_limit_exceeded`. */
  countCode(userId: number): Promise<void>;
  /** Counts a try that names no account against its network. Throws `rate_limit_exceeded`. */
  countVisit(address: string): Promise<{ takeBack: () => Promise<void> }>;
  /** After a second factor that was right. */
  resetCode(tx: Queryable, userId: number): Promise<void>;
  hash(password: string): Promise<string>;
}

interface ChecksContext {
  db: Database;
  secret: RootSecret;
  clock: Clock;
  /** Called for the first refused attempt of each block. */
  on_block: (blocked: { account: Account | undefined; address: string; refusal: Refusal }) => Promise<void>;
}

/**
 * Verifies passwords under the throttle. An unknown address takes the same statements, argon2 work, counts and
 * answers as a wrong password.
 */
export function createPasswordChecks(context: ChecksContext): PasswordChecks {
  const { db, on_block } = context;
  const throttle = createLoginThrottle(context);
  const hashing = createHashingQueue();
  const decoy = cachedFor(Infinity, async () => await hashPassword(randomBytes(16).toString('hex')));

  async function refuseBlocked(attempt: Attempt, { email, address }: Origin): Promise<void> {
    const refusal = await throttle.findRefusal(attempt);
    if (!refusal) return;
    if (refusal.is_first) await on_block({ account: await findAccount(db, email), address, refusal });
    throw tooMany(refusal);
  }

  return {
    async check(credentials) {
      const { password, address } = credentials;
      const email = accountEmail(credentials.email);
      const attempt = throttle.attempt(email, address);
      await refuseBlocked(attempt, { email, address });
      return await hashing.run(async () => {
        const late = await throttle.count(attempt);
        if (late) throw tooMany(late);
        const account = await findAccount(db, email);
        const decoyHash = await decoy();
        const matches = await passwordMatches(password, account?.password_hash ?? decoyHash);
        return { attempt, account, is_genuine: account !== undefined && matches };
      });
    },
    reset: async (tx, { attempt }) => await throttle.reset(tx, attempt),
    takeBack: async (tx, { attempt }) => await throttle.takeBack(tx, attempt),
    forget: async (tx, { email, address }) =>
      await throttle.forget(tx, throttle.attempt(accountEmail(email), address)),
    async countCode(userId) {
      const late = await throttle.count([throttle.attemptCode(userId)]);
      if (late) throw tooMany(late);
    },
    async countVisit(address) {
      const attempt = throttle.attemptVisit(address);
      const late = await throttle.count(attempt);
      if (late) throw tooMany(late);
      return {
        takeBack: async () => await db.transaction(async (tx) => await throttle.takeBack(tx, attempt)),
      };
    },
    resetCode: async (tx, userId) => await throttle.resetCode(tx, userId),
    hash: async (password) => await hashing.run(async () => await hashPassword(password)),
  };
}

function tooMany({ retry_after_seconds }: { retry_after_seconds: number }): Problem {
  return new Problem('rate_limit_exceeded', { retry_after_seconds });
}

async function findAccount(db: Queryable, email: string): Promise<Account | undefined> {
  const [account] = await db.query<Account>(
    `select u.id, u.password_hash, u.two_factor_enabled_at is not null as has_app,
       ${hasSecondFactor('u')} as has_second_factor
     from users u where u.email = any($1) order by u.id`,
    [storedEmails(email)],
  );
  return account;
}
