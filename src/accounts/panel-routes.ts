import type { Clock } from '../base/clock.ts';
import type { Database } from '../base/db/database.ts';
import { Problem } from '../base/errors/problem.ts';
import { operation, Reply, type CallContext, type Operation } from '../base/http/operation.ts';
import type { RootSecret } from '../base/secrets.ts';
import { clearedRefreshCookies, readRefreshCookie } from './refresh-cookie.ts';
import { refreshSession, signOut, type SessionUse } from './refresh-session.ts';
import { Login, PanelSession, PasswordChange, sessionExample } from './session-schemas.ts';
import type { SessionAnswer } from './session-answer.ts';
import { changePassword, signIn, type SignInContext } from './sign-in.ts';

export interface PanelAccessContext {
  db: Database;
  secret: RootSecret;
  clock: Clock;
  /** With https the cookie is `Secure`. */
  base_url: string;
  signing: SignInContext;
  answer: SessionAnswer;
}

const tag = 'Panel access';
const session = {
  status: 200,
  description:
    'The session, with the refresh token in the cookie `chasqui_refresh`, over https `__Host-chasqui_refresh`.',
  schema: PanelSession,
  example: sessionExample,
} as const;

/** Sign-in, refresh and sign-out. */
export function panelAccessRoutes(context: PanelAccessContext): Operation[] {
  return [...cookieRoutes(context), ...passwordRoutes(context)];
}

function cookieRoutes(context: PanelAccessContext): Operation[] {
  const { base_url, answer } = context;
  return [
    operation({
      id: 'panel_refresh_session',
      method: 'POST',
      path: '/v1/private/auth/refresh',
      tag,
      summary: 'Get a new access token',
      description:
        'Takes the refresh cookie and sets its successor. A cookie used twice, more than ten seconds apart, ends the session. Needs the header `X-Requested-With: chasqui-panel`.',
      access: { kind: 'open' },
      success: session,
      errors: ['unauthorized', 'forbidden'],
      handle: async (call) => await answer(await refreshSession(context, cookieOf(context, call))),
    }),
    operation({
      id: 'panel_sign_out',
      method: 'POST',
      path: '/v1/private/auth/logout',
      tag,
      summary: 'Sign out',
      description:
        'Ends the session of the refresh cookie, its access tokens included. Needs the header `X-Requested-With: chasqui-panel`.',
      access: { kind: 'open' },
      success: { status: 204, description: 'Signed out; the cookie is cleared.' },
      errors: ['forbidden'],
      handle: async (call) => {
        await signOut(context, cookieOf(context, call));
        return new Reply(undefined, { 'set-cookie': clearedRefreshCookies(base_url) });
      },
    }),
  ];
}

function passwordRoutes(context: PanelAccessContext): Operation[] {
  const { signing, answer } = context;
  return [
    operation({
      id: 'panel_sign_in',
      method: 'POST',
      path: '/v1/private/auth/login',
      tag,
      summary: 'Sign in with email and password',
      description:
        'If the account has a second factor, a correct password without a code gets `second_factor_required`: send the same again with `code`, or with the answer of a `passkey`. Failed sign-ins are slowed down; see Retry-After.',
      access: { kind: 'open' },
      body: Login,
      body_example: { email: 'ana@example.com', password: 'a long password' },
      max_body_bytes: 16 * 1024,
      success: session,
      errors: ['unauthorized', 'second_factor_required', 'rate_limit_exceeded'],
      handle: async (call) => {
        const { email, password, code, passkey } = call.body;
        const { address } = call;
        const user_agent = call.header('user-agent');
        return await answer(await signIn(signing, { email, password, code, passkey, address, user_agent }));
      },
    }),
    operation({
      id: 'panel_change_password',
      method: 'POST',
      path: '/v1/private/auth/password',
      tag,
      summary: 'Change the own password',
      description: 'Ends every session of the user and answers with a new one.',
      access: { kind: 'account' },
      body: PasswordChange,
      body_example: { current_password: 'a long password', new_password: 'a longer password' },
      max_body_bytes: 16 * 1024,
      success: session,
      errors: ['rate_limit_exceeded'],
      handle: async (call) => {
        const { caller, body, address } = call;
        const change = { ...body, user_id: caller.actor.id, address, user_agent: call.header('user-agent') };
        return await answer(await changePassword(signing, change));
      },
    }),
  ];
}

/**
 * Browsers attach the cookie to cross-site requests of the same site. They cannot attach this header without a
 * preflight (Fetch §3.3.2), which this service does not allow.
 */
function cookieOf({ base_url }: PanelAccessContext, call: CallContext): SessionUse {
  if (call.header('x-requested-with') !== 'chasqui-panel') throw new Problem('forbidden');
  return { token: readRefreshCookie(base_url, call.header('cookie')), address: call.address };
}
