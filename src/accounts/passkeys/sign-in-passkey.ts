import { Problem } from '../../base/errors/problem.ts';
import { purgeOldSessions, startSession, type OpenSession } from '../sessions.ts';
import { recordAct, recordFailure, type SignInContext } from '../sign-in.ts';
import type { PasskeyAssertion } from './passkey-schemas.ts';

/** The authenticator has verified its owner, so it counts as both factors. */
export async function signInWithPasskey(
  context: SignInContext,
  given: { assertion: PasskeyAssertion; address: string; user_agent: string | undefined },
): Promise<OpenSession> {
  const { db, clock, checks, passkeys } = context;
  const { assertion, address } = given;
  const attempt = await checks.countVisit(address);
  await purgeOldSessions(db, clock.now());
  const opened = await db.transaction(async (tx) => {
    const now = clock.now();
    const userId = await passkeys.take(tx, { assertion, must_verify: true, now });
    if (userId === undefined) return undefined;
    await recordAct(tx, userId, { action: 'user.signed_in', address, details: { method: 'passkey' } });
    return await startSession(tx, userId, { ...given, now });
  });
  if (!opened) {
    await recordFailure(db, {
      account: undefined,
      address,
      details: { is_throttled: false, factor: 'passkey' },
    });
    throw new Problem('unauthorized');
  }
  await attempt.takeBack();
  return opened;
}
