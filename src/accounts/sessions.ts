import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Queryable } from '../base/db/database.ts';
import { hashToken, newToken } from '../base/secrets.ts';
import { storableAddress } from '../audit/index.ts';

const second = 1_000;
const day = 24 * 60 * 60 * second;

const lifetimeMs = 30 * day;
/** A session that is not continued for so long has ended. */
export const idle_ms = 7 * day;
/** Two tabs of one browser may send the same token concurrently. */
const graceMs = 10 * second;
/** A panel that stays open rotates once per access token: 2,880 times in the lifetime of a session. */
const rememberedTokens = 3_000;

const maxUserAgent = 512;

export interface OpenSession {
  id: string;
  user_id: number;
  expires_at: Date;
  /** Undefined when the caller already has a newer one. */
  refresh_token: string | undefined;
}

export type Continuation =
  | { kind: 'continued'; session: OpenSession }
  /** The token was rotated before, so it leaked. The session is revoked. */
  | { kind: 'reused'; session: { id: string; user_id: number } }
  | { kind: 'refused' };

interface SessionRow {
  id: string;
  user_id: number;
  generation: number;
  last_used_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
}

interface TokenRow {
  generation: number;
  rotated_at: Date | null;
  successor_nonce: Buffer | null;
}

interface SessionStart {
  now: Date;
  address: string;
  user_agent: string | undefined;
}

export async function startSession(
  tx: Queryable,
  userId: number,
  { now, address, user_agent }: SessionStart,
): Promise<OpenSession> {
  const session = { id: randomUUID(), user_id: userId, expires_at: new Date(now.getTime() + lifetimeMs) };
  const refresh_token = newToken();
  await tx.query(
    `insert into sessions (id, user_id, created_at, last_used_at, expires_at, address, user_agent)
     values ($1, $2, $3, $3, $4, $5, $6)`,
    [
      session.id,
      userId,
      now,
      session.expires_at,
      storableAddress(address),
      user_agent?.slice(0, maxUserAgent) ?? null,
    ],
  );
  await insertToken(tx, session.id, { token: refresh_token, generation: 0 });
  return { ...session, refresh_token };
}

/** Exchanges a refresh token for its successor. The caller commits in any case, since it may be a revocation. */
export async function continueSession(
  tx: Queryable,
  token: string,
  { now, key }: { now: Date; key: Buffer },
): Promise<Continuation> {
  const hash = hashToken(token);
  // Locks the session first; the token is read under the lock.
  const [session] = await tx.query<SessionRow>(
    `select id, user_id, generation, last_used_at, expires_at, revoked_at from sessions
     where id = (select session_id from refresh_tokens where hash = $1) for no key update`,
    [hash],
  );
  const [used] = await tx.query<TokenRow>(
    'select generation, rotated_at, successor_nonce from refresh_tokens where hash = $1',
    [hash],
  );
  if (!session || !used || isOver(session, now)) return { kind: 'refused' };
  if (used.rotated_at === null || used.successor_nonce === null) {
    const refresh_token = await rotate(tx, session, { token, now, key });
    return { kind: 'continued', session: { ...session, refresh_token } };
  }
  if (now.getTime() - used.rotated_at.getTime() <= graceMs) {
    // Both tabs get the same successor, whichever cookie the browser keeps. If the successor was used too, the
    // browser already has a newer cookie.
    const isCurrent = used.generation + 1 === session.generation;
    const refresh_token = isCurrent ? successorOf(token, used.successor_nonce, key) : undefined;
    return { kind: 'continued', session: { ...session, refresh_token } };
  }
  await tx.query('update sessions set revoked_at = $2 where id = $1', [session.id, now]);
  return { kind: 'reused', session };
}

/** Ends the session of any token of its family. Undefined without a session. */
export async function endSession(
  tx: Queryable,
  token: string,
  now: Date,
): Promise<{ id: string; user_id: number } | undefined> {
  const [ended] = await tx.query<{ id: string; user_id: number }>(
    `update sessions set revoked_at = $2
     where id = (select session_id from refresh_tokens where hash = $1) and revoked_at is null
     returning id, user_id`,
    [hashToken(token), now],
  );
  return ended;
}

export async function endSessionsOf(tx: Queryable, userId: number, now: Date): Promise<void> {
  await tx.query('update sessions set revoked_at = $2 where user_id = $1 and revoked_at is null', [
    userId,
    now,
  ]);
}

/** Removes a few expired sessions at each sign-in, which keeps up with new ones. */
export async function purgeOldSessions(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `delete from sessions where id in (
       select id from sessions where expires_at <= $1 order by expires_at limit 5 for update skip locked
     )`,
    [now],
  );
}

/** Remaining lifetime of the refresh token. */
export function secondsLeft(expires_at: Date, now: Date): number {
  return Math.floor(Math.min(expires_at.getTime() - now.getTime(), idle_ms) / second);
}

function isOver({ revoked_at, expires_at, last_used_at }: SessionRow, now: Date): boolean {
  return revoked_at !== null || expires_at <= now || last_used_at.getTime() + idle_ms <= now.getTime();
}

async function rotate(
  tx: Queryable,
  { id, generation }: SessionRow,
  { token, now, key }: { token: string; now: Date; key: Buffer },
): Promise<string> {
  const nonce = randomBytes(32);
  const successor = successorOf(token, nonce, key);
  await tx.query('update refresh_tokens set rotated_at = $2, successor_nonce = $3 where hash = $1', [
    hashToken(token),
    now,
    nonce,
  ]);
  await tx.query('update sessions set generation = generation + 1, last_used_at = $2 where id = $1', [
    id,
    now,
  ]);
  await insertToken(tx, id, { token: successor, generation: generation + 1 });
  await tx.query('delete from refresh_tokens where session_id = $1 and generation <= $2', [
    id,
    generation - rememberedTokens,
  ]);
  return successor;
}

/**
 * Derived from the row's nonce, the root secret and the old token: unpredictable, yet reproducible during the grace
 * period although only its hash is stored.
 */
function successorOf(token: string, nonce: Buffer, key: Buffer): string {
  return createHmac('sha256', key).update(nonce).update(token).digest('base64url');
}

async function insertToken(
  tx: Queryable,
  sessionId: string,
  { token, generation }: { token: string; generation: number },
): Promise<void> {
  await tx.query('insert into refresh_tokens (hash, session_id, generation) values ($1, $2, $3)', [
    hashToken(token),
    sessionId,
    generation,
  ]);
}
