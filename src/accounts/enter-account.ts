import type { Transaction } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import type { PasskeyAssertion } from './passkeys/passkey-schemas.ts';
import { hasSecondFactor } from '../instances/index.ts';
import { purgeOldSessions, startSession, type OpenSession } from './sessions.ts';
import { recordAct, recordFailure, takeFactor, type SignInContext } from './sign-in.ts';

interface Entrance {
  user_id: number;
  /** How it was proved who it is, without a password. */
  method: 'single_sign_on';
  code?: string | undefined;
  passkey?: PasskeyAssertion | undefined;
  address: string;
  user_agent: string | undefined;
  /** In the transaction of the session: what the proof is used up by. */
  within: (tx: Transaction, now: Date) => Promise<void>;
}

/** A session for who was recognised without a password. The second factor of the account is asked for all the same. */
export async function enterAccount(context: SignInContext, entrance: Entrance): Promise<OpenSession> {
  const { db, clock, checks } = context;
  const { user_id, method, code, passkey, address, within } = entrance;
  const [user] = await db.query<{ has_second_factor: boolean }>(
    `select ${hasSecondFactor('u')} as has_second_factor from users u where u.id = $1`,
    [user_id],
  );
  if (!user) throw new Problem('unauthorized');
  const { has_second_factor } = user;
  if (has_second_factor) {
    if (code === undefined && passkey === undefined) throw new Problem('second_factor_required');
    await checks.countCode(user_id);
  }
  await purgeOldSessions(db, clock.now());
  const opened = await db.transaction(async (tx) => {
    const now = clock.now();
    const same = await tx.query(
      `select from users u where u.id = $1 and ${hasSecondFactor('u')} = $2 for no key update`,
      [user_id, has_second_factor],
    );
    if (same.length === 0) throw new Problem('unauthorized');
    if (has_second_factor) {
      if (!(await takeFactor(context, tx, { user_id, code, passkey, now }))) return undefined;
      await checks.resetCode(tx, user_id);
    }
    await within(tx, now);
    await recordAct(tx, user_id, { action: 'user.signed_in', address, details: { method } });
    return await startSession(tx, user_id, { ...entrance, now });
  });
  if (opened) return opened;
  await recordFailure(db, {
    account: { id: user_id },
    address,
    details: { is_throttled: false, factor: 'second' },
  });
  throw new Problem('unauthorized');
}
