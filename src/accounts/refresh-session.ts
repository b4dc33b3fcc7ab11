import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { RootSecret } from '../base/secrets.ts';
import { auditOf } from '../audit/index.ts';
import { continueSession, endSession, type OpenSession } from './sessions.ts';

const audit = auditOf('user');

export interface SessionUse {
  /** From the cookie. */
  token: string | undefined;
  address: string;
}

interface Context {
  db: Database;
  secret: RootSecret;
  clock: Clock;
}

/** Rotates the refresh token. Throws `unauthorized` for a token that is not valid any more. */
export async function refreshSession(context: Context, { token, address }: SessionUse): Promise<OpenSession> {
  const { db, secret, clock } = context;
  if (token === undefined) throw new Problem('unauthorized');
  const use = { now: clock.now(), key: secret.deriveKey('panel-refresh') };
  const outcome = await db.transaction(async (tx) => {
    const continuation = await continueSession(tx, token, use);
    if (continuation.kind === 'reused') {
      const id = String(continuation.session.user_id);
      await audit(tx, null, {
        action: 'session_revoked',
        id,
        actor: { kind: 'user', address },
        details: { reason: 'refresh_token_reused' },
      });
    }
    return continuation;
  });
  // After the commit: the revocation must not be rolled back.
  if (outcome.kind !== 'continued') throw new Problem('unauthorized');
  return outcome.session;
}

/** Idempotent. All nodes refuse the access tokens of the session from now on. */
export async function signOut({ db, clock }: Context, { token, address }: SessionUse): Promise<void> {
  if (token === undefined) return;
  await db.transaction(async (tx) => {
    const ended = await endSession(tx, token, clock.now());
    if (!ended) return;
    const id = String(ended.user_id);
    await audit(tx, null, { action: 'signed_out', id, actor: { kind: 'user', id, address } });
  });
}
