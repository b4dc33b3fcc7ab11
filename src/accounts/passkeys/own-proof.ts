import { Problem, validationProblem } from '../../base/errors/problem.ts';
import type { SignedInUser } from '../../base/http/access.ts';
import { takeSecondFactor, wrongCode } from '../second-factor.ts';
import { requirePassword, type SignInContext } from '../sign-in.ts';
import type { PasskeyProof } from './passkey-schemas.ts';

const recentMs = 15 * 60_000;

interface Standing {
  has_password: boolean;
  has_app: boolean;
  signed_in_at: Date;
}

/** More than a session: the password, or for an account without one a recent sign-in; and a code where an app is used. */
export async function requireOwnProof(
  context: SignInContext,
  actor: SignedInUser,
  { proof, address }: { proof: PasskeyProof; address: string },
): Promise<void> {
  const { db, clock, checks, secret } = context;
  const [standing] = await db.query<Standing & Record<string, unknown>>(
    `select u.has_password, u.two_factor_enabled_at is not null as has_app, s.created_at as signed_in_at
     from sessions s join users u on u.id = s.user_id where s.id = $1 and u.id = $2`,
    [actor.session_id, actor.id],
  );
  if (!standing) throw new Problem('unauthorized');
  const now = clock.now();
  if (standing.has_password) {
    const { password } = proof;
    if (password === undefined) throw missing('/password', 'The password of the account is required');
    const given = { user_id: actor.id, password, address, pointer: '/password' };
    const { check } = await requirePassword(context, given);
    await db.transaction(async (tx) => await checks.reset(tx, check));
  } else if (now.getTime() - standing.signed_in_at.getTime() > recentMs) {
    throw new Problem('recent_sign_in_required');
  }
  if (!standing.has_app) return;
  const { code } = proof;
  if (code === undefined) throw missing('/code', 'A code of the authenticator app is required');
  await checks.countCode(actor.id);
  await db.transaction(async (tx) => {
    if (!(await takeSecondFactor(tx, actor.id, { code, secret, now }))) throw wrongCode();
    await checks.resetCode(tx, actor.id);
  });
}

function missing(pointer: string, message: string): Problem {
  return validationProblem([{ pointer, code: 'missing', message }]);
}
