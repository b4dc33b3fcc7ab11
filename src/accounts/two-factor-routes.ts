import type { Queryable } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { operation, type Operation } from '../base/http/operation.ts';
import {
  CodeProof,
  FullProof,
  PasswordProof,
  RecoveryCodes,
  recoveryCodesExample,
  TwoFactorSetup,
  twoFactorSetupExample,
} from './account-schemas.ts';
import {
  beginTwoFactor,
  confirmTwoFactor,
  disableTwoFactor,
  replaceRecoveryCodes,
  takeSecondFactor,
  wrongCode,
} from './second-factor.ts';
import { endOtherSessions } from './account-sessions.ts';
import { recordAct, requirePassword, requireUnchanged, type SignInContext } from './sign-in.ts';

const tag = 'Account';
const path = '/v1/private/account/two-factor' as const;
const access = { kind: 'account' } as const;
const max_body_bytes = 16 * 1024;
const codes = {
  status: 200,
  description: 'The recovery codes, shown once.',
  schema: RecoveryCodes,
  example: recoveryCodesExample,
} as const;
const proof = { password: 'a long password', code: '287082' };

/** The second factor of an account: an authenticator app (RFC 6238), and codes for when it is lost. */
export function twoFactorRoutes(context: SignInContext): Operation[] {
  return [...enablingRoutes(context), ...changingRoutes(context)];
}

function enablingRoutes(context: SignInContext): Operation[] {
  const { db, secret, clock, checks } = context;
  return [
    operation({
      id: 'panel_begin_two_factor',
      method: 'POST',
      path,
      tag,
      summary: 'Begin to use a second factor',
      description:
        'Gives a secret for an authenticator app. Nothing changes until a code of it is confirmed.',
      access,
      body: PasswordProof,
      body_example: { password: proof.password },
      max_body_bytes,
      success: {
        status: 200,
        description: 'The secret.',
        schema: TwoFactorSetup,
        example: twoFactorSetupExample,
      },
      errors: ['two_factor_already_enabled'],
      handle: async ({ caller: { actor }, body, address }) => {
        const given = { user_id: actor.id, ...body, address, pointer: '/password' };
        const { check } = await requirePassword(context, given);
        return await db.transaction(async (tx) => {
          await checks.reset(tx, check);
          return await beginTwoFactor(tx, actor.id, secret);
        });
      },
    }),
    operation({
      id: 'panel_confirm_two_factor',
      method: 'POST',
      path: `${path}/confirm`,
      tag,
      summary: 'Confirm the second factor with a code',
      description:
        'From now on a sign-in asks for a code. Ends all other sessions, which were opened without one. Wrong codes are slowed down.',
      access,
      body: CodeProof,
      body_example: { code: proof.code },
      max_body_bytes,
      success: codes,
      errors: ['two_factor_already_enabled', 'two_factor_not_enabled', 'rate_limit_exceeded'],
      handle: async ({ caller: { actor }, body: { code }, address }) => {
        await checks.countCode(actor.id);
        return await db.transaction(async (tx) => {
          const now = clock.now();
          const recovery_codes = await confirmTwoFactor(tx, actor.id, { code, secret, now });
          await checks.resetCode(tx, actor.id);
          await endOtherSessions(tx, actor.id, { current: actor.session_id, now });
          await recordAct(tx, actor.id, { action: 'user.two_factor_enabled', address });
          return { recovery_codes };
        });
      },
    }),
  ];
}

function changingRoutes(context: SignInContext): Operation[] {
  const { db, secret, clock, checks } = context;

  /** Both factors, before `change` is done in the same transaction. */
  async function withBothFactors<T>(
    {
      user_id,
      password,
      code,
      address,
    }: { user_id: number; password: string; code: string; address: string },
    change: (tx: Queryable) => Promise<T>,
  ): Promise<T> {
    const { account, check } = await requirePassword(context, {
      user_id,
      password,
      address,
      pointer: '/password',
    });
    if (!account.has_app) throw new Problem('two_factor_not_enabled');
    await checks.countCode(user_id);
    return await db.transaction(async (tx) => {
      await requireUnchanged(tx, account);
      if (!(await takeSecondFactor(tx, user_id, { code, secret, now: clock.now() }))) throw wrongCode();
      await checks.resetCode(tx, user_id);
      await checks.reset(tx, check);
      return await change(tx);
    });
  }

  return [
    operation({
      id: 'panel_disable_two_factor',
      method: 'POST',
      path: `${path}/disable`,
      tag,
      summary: 'Stop using a second factor',
      description: 'Needs the password and a code. The recovery codes are gone too.',
      access,
      body: FullProof,
      body_example: proof,
      max_body_bytes,
      success: { status: 204, description: 'Disabled.' },
      errors: ['two_factor_not_enabled', 'rate_limit_exceeded'],
      handle: async ({ caller: { actor }, body, address }) => {
        await withBothFactors({ user_id: actor.id, ...body, address }, async (tx) => {
          await disableTwoFactor(tx, actor.id);
          await recordAct(tx, actor.id, { action: 'user.two_factor_disabled', address });
        });
      },
    }),
    operation({
      id: 'panel_replace_recovery_codes',
      method: 'POST',
      path: `${path}/recovery-codes`,
      tag,
      summary: 'Get new recovery codes',
      description: 'Needs the password and a code. The old ones stop working.',
      access,
      body: FullProof,
      body_example: proof,
      max_body_bytes,
      success: codes,
      errors: ['two_factor_not_enabled', 'rate_limit_exceeded'],
      handle: async ({ caller: { actor }, body, address }) =>
        await withBothFactors({ user_id: actor.id, ...body, address }, async (tx) => {
          await recordAct(tx, actor.id, { action: 'user.recovery_codes_replaced', address });
          return { recovery_codes: await replaceRecoveryCodes(tx, actor.id) };
        }),
    }),
  ];
}
