import { createHmac } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Database, Queryable, Statement } from '../base/db/database.ts';
import type { RootSecret } from '../base/secrets.ts';
import { networkOf } from '../protocol/address/source-network.ts';
import {
  blockRange,
  countFailure,
  secondsUntilFree,
  type FailureCount,
  type LimitKind,
} from './login-limits.ts';

/** The keys of one attempt, in locking order. */
export type Attempt = readonly [email: string, network: string, pair: string];

export interface Refusal {
  retry_after_seconds: number;
  /** First refusal of the current block. */
  is_first: boolean;
}

export interface LoginThrottle {
  attempt(email: string, address: string): Attempt;
  /** Of who names no account. */
  attemptVisit(address: string): readonly string[];
  /** Of a second factor. */
  attemptCode(userId: number): string;
  /** Whether the attempt must wait. One read, so that refused floods stay cheap. */
  findRefusal(attempt: Attempt): Promise<Refusal | undefined>;
  /**
   * Counts the attempt as failed before the password is verified, so that concurrent attempts cannot exceed the
   * limit. Returns the wait when it is over the limit.
   */
  count(attempt: readonly string[]): Promise<{ retry_after_seconds: number } | undefined>;
  /** After a success: takes the attempt back and resets the failures of the pair. */
  reset(tx: Queryable, attempt: Attempt): Promise<void>;
  /** Takes back an attempt that neither succeeded nor failed. Failures before it stay counted. */
  takeBack(tx: Queryable, attempt: readonly string[]): Promise<void>;
  /** Forgets the failures of the account and of the pair. Those of the network stay counted. */
  forget(tx: Queryable, attempt: Attempt): Promise<void>;
  resetCode(tx: Queryable, userId: number): Promise<void>;
}

interface Block {
  key: string;
  blocked_until: Date;
  is_noted: boolean;
}

const findBlocks: Statement = {
  name: 'accounts.find_login_blocks',
  text: 'select key, blocked_until, is_noted from login_attempts where key = any($1) and blocked_until > $2 and blocked_until <= $3',
};

/** Throttles password guessing over all nodes; the counts are rows. */
export function createLoginThrottle(context: {
  db: Database;
  secret: RootSecret;
  clock: Clock;
}): LoginThrottle {
  const { db, clock } = context;
  const hashKey = context.secret.deriveKey('login-throttle');
  const keyOf = (kind: LimitKind, text: string): string =>
    `${kind}:${createHmac('sha256', hashKey).update(`${kind} ${text}`).digest('base64url')}`;

  return {
    attempt(email, address) {
      const network = networkOf(address);
      return [keyOf('email', email), keyOf('network', network), keyOf('pair', `${network} ${email}`)];
    },
    attemptVisit: (address) => [keyOf('network', networkOf(address))],
    attemptCode: (userId) => keyOf('code', String(userId)),
    async findRefusal(attempt) {
      const now = clock.now();
      const blocks = await db.query<Block>(findBlocks, [attempt, ...blockRange(now)]);
      if (blocks.length === 0) return undefined;
      const unmarked = blocks.filter(({ is_noted }) => !is_noted).map(({ key }) => key);
      const is_first = unmarked.length > 0 && (await markBlocks(db, unmarked));
      return { retry_after_seconds: secondsUntilFree(blocks, now), is_first };
    },
    async count(attempt) {
      const now = clock.now();
      return await db.transaction(async (tx) => await countAttempt(tx, attempt, now));
    },
    async reset(tx, attempt) {
      const [email, network, pair] = attempt;
      await tx.query('select from login_attempts where key = any($1) order by key for update', [attempt]);
      await tx.query(
        `update login_attempts set failures = greatest(failures - 1, 0), blocked_until = null
         where key = any($1)`,
        [[email, network]],
      );
      await tx.query('delete from login_attempts where key = $1', [pair]);
    },
    async takeBack(tx, attempt) {
      await tx.query('select from login_attempts where key = any($1) order by key for update', [attempt]);
      await tx.query(
        `update login_attempts set failures = greatest(failures - 1, 0), blocked_until = null
         where key = any($1)`,
        [attempt],
      );
    },
    async forget(tx, [email, , pair]) {
      await tx.query('select from login_attempts where key = any($1) order by key for update', [
        [email, pair],
      ]);
      await tx.query('delete from login_attempts where key = any($1)', [[email, pair]]);
    },
    async resetCode(tx, userId) {
      await tx.query('delete from login_attempts where key = $1', [keyOf('code', String(userId))]);
    },
  };
}

async function countAttempt(
  tx: Queryable,
  attempt: readonly string[],
  now: Date,
): Promise<{ retry_after_seconds: number } | undefined> {
  // A no-op update that locks the rows and returns their latest state.
  const rows = await tx.query<FailureCount & { key: string }>(
    `insert into login_attempts (key, failures, resets_at) select key, 0, $2 from unnest($1::text[]) as key
     on conflict (key) do update set key = excluded.key returning key, failures, resets_at, blocked_until`,
    [attempt, now],
  );
  const [after, until] = blockRange(now);
  const blocks = rows.filter(
    ({ blocked_until }) => blocked_until !== null && blocked_until > after && blocked_until <= until,
  );
  if (blocks.length > 0) return { retry_after_seconds: secondsUntilFree(blocks, now) };
  const counts = rows.map((row) => ({ key: row.key, ...countFailure(kindOf(row.key), row, now) }));
  await tx.query(
    `update login_attempts a
     set failures = n.failures, resets_at = n.resets_at, blocked_until = n.blocked_until, is_noted = false
     from unnest($1::text[], $2::integer[], $3::timestamptz[], $4::timestamptz[])
       as n (key, failures, resets_at, blocked_until)
     where a.key = n.key`,
    [
      counts.map(({ key }) => key),
      counts.map(({ failures }) => failures),
      counts.map(({ resets_at }) => resets_at),
      counts.map(({ blocked_until }) => blocked_until),
    ],
  );
  await purge(tx, now);
  return undefined;
}

function kindOf(key: string): LimitKind {
  return key.slice(0, key.indexOf(':')) as LimitKind;
}

/** An attempt adds at most three rows and removes up to twenty, so expired rows do not accumulate. */
async function purge(tx: Queryable, now: Date): Promise<void> {
  await tx.query(
    `delete from login_attempts where key in (
       select key from login_attempts where resets_at <= $1 order by resets_at limit 20 for update skip locked
     )`,
    [now],
  );
}

/** True for the first caller that marks one of these blocks. */
async function markBlocks(db: Queryable, keys: string[]): Promise<boolean> {
  const noted = await db.query(
    `update login_attempts set is_noted = true where key in (
       select key from login_attempts where key = any($1) and not is_noted order by key for update
     ) returning key`,
    [keys],
  );
  return noted.length > 0;
}
