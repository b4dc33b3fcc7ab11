import { Type } from 'typebox';
import { Problem } from '../../base/errors/problem.ts';
import { operation, Reply, type CallContext, type Operation } from '../../base/http/operation.ts';
import { Id } from '../../base/http/schemas.ts';
import { recordAct } from '../sign-in.ts';
import type { SessionAnswer } from '../session-answer.ts';
import { listIdentities, unlinkIdentity } from './identities.ts';
import { SealedCookie } from './sealed-cookie.ts';
import {
  AccountIdentity,
  accountIdentityExample,
  SignInMethods,
  signInMethodsExample,
  SingleSignOnCompletion,
  SingleSignOnResult,
  singleSignOnResultExample,
  SingleSignOnReturn,
  SingleSignOnStart,
  singleSignOnStartExample,
  type SingleSignOnResult as Result,
} from './single-sign-on-schemas.ts';
import {
  beginSingleSignOn,
  completeSingleSignOn,
  finishSingleSignOn,
  type SingleSignOnContext,
} from './single-sign-on.ts';

interface Context extends SingleSignOnContext {
  base_url: string;
  answer: SessionAnswer;
}

const tag = 'Panel access';
const path = '/v1/private/auth/single-sign-on' as const;
const open = { kind: 'open' } as const;
const max_body_bytes = 16 * 1024;
const refusals = [
  'single_sign_on_disabled',
  'single_sign_on_failed',
  'single_sign_on_unavailable',
  'forbidden',
] as const;
const result = {
  status: 200,
  description: 'The session, or what the account asks for first.',
  schema: SingleSignOnResult,
  example: singleSignOnResultExample,
} as const;

/** Sign-in by the OpenID Connect provider of the operator. */
export function singleSignOnRoutes(context: Context): Operation[] {
  return [methodsRoute(context), ...signInRoutes(context), ...identityRoutes(context)];
}

function methodsRoute({ provider, passkeys }: Context): Operation {
  return operation({
    id: 'panel_list_sign_in_methods',
    method: 'GET',
    path: '/v1/private/auth/methods',
    tag,
    summary: 'How people can sign in',
    description: 'Beside email and password, which always work.',
    access: open,
    success: { status: 200, description: 'The ways.', schema: SignInMethods, example: signInMethodsExample },
    errors: [],
    handle: async () => ({
      single_sign_on: provider ? { name: provider.settings.name } : null,
      passkeys: passkeys.party !== undefined,
    }),
  });
}

function signInRoutes(context: Context): Operation[] {
  const { secret, base_url, clock, answer } = context;
  const cookie = new SealedCookie(secret, base_url);
  const pendingOf = (call: CallContext) => {
    requirePanel(call);
    return cookie.read(call.header('cookie'), clock.now());
  };
  const visitorOf = (call: CallContext) => ({ address: call.address, user_agent: call.header('user-agent') });
  return [
    operation({
      id: 'panel_begin_single_sign_on',
      method: 'POST',
      path,
      tag,
      summary: 'Begin to sign in by the provider',
      description:
        'Gives the address of the provider for the browser. A sealed cookie ties the answer to this browser for ten minutes. Needs the header `X-Requested-With: chasqui-panel`.',
      access: open,
      success: {
        status: 200,
        description: 'Where to go.',
        schema: SingleSignOnStart,
        example: singleSignOnStartExample,
      },
      errors: ['single_sign_on_disabled', 'single_sign_on_unavailable', 'forbidden'],
      handle: async (call) => {
        requirePanel(call);
        const { url, pending } = await beginSingleSignOn(context);
        return new Reply({ url }, { 'set-cookie': cookie.write(pending, clock.now()) });
      },
    }),
    operation({
      id: 'panel_finish_single_sign_on',
      method: 'POST',
      path: `${path}/finish`,
      tag,
      summary: 'Finish a sign-in by the provider',
      description:
        'Takes what the provider added to the address `/panel/single-sign-on`. A person who is linked to an account is signed in. Else the verified email decides: an account that has it asks for its password once; without one, an invitation or the setting `CHASQUI_OIDC_CREATE_ACCOUNTS` makes it.',
      access: open,
      body: SingleSignOnReturn,
      body_example: { query: 'code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj' },
      max_body_bytes,
      success: result,
      errors: [
        ...refusals,
        'single_sign_on_email_unverified',
        'single_sign_on_no_account',
        'rate_limit_exceeded',
      ],
      handle: async (call) => {
        const pending = pendingOf(call);
        const { query } = call.body;
        const entered = await finishSingleSignOn(context, { query, pending, visitor: visitorOf(call) });
        if (entered.kind === 'signed_in') return await signedIn(entered.session);
        const { step, email } = entered.pending;
        const asked: Result = { next: step, email, session: null };
        return new Reply(asked, { 'set-cookie': cookie.write(entered.pending, clock.now()) });
      },
    }),
    operation({
      id: 'panel_complete_single_sign_on',
      method: 'POST',
      path: `${path}/complete`,
      tag,
      summary: 'Complete a sign-in by the provider',
      description: 'With the password of the account, which links it, or with its second factor.',
      access: open,
      body: SingleSignOnCompletion,
      body_example: { password: 'a long password' },
      max_body_bytes,
      success: result,
      errors: [...refusals, 'unauthorized', 'second_factor_required', 'rate_limit_exceeded'],
      handle: async (call) => {
        const pending = pendingOf(call);
        const given = { pending, given: call.body, visitor: visitorOf(call) };
        return await signedIn(await completeSingleSignOn(context, given));
      },
    }),
  ];

  async function signedIn(session: Parameters<SessionAnswer>[0]): Promise<Reply<Result>> {
    const { body, headers } = await answer(session);
    const cookies = [headers['set-cookie'] ?? []].flat();
    return new Reply<Result>(
      { next: 'signed_in', email: null, session: body },
      { 'set-cookie': [...cookies, cookie.clear()] },
    );
  }
}

function identityRoutes({ db }: Context): Operation[] {
  const about = 'Account';
  const place = '/v1/private/account/identities' as const;
  const access = { kind: 'account' } as const;
  return [
    operation({
      id: 'panel_list_identities',
      method: 'GET',
      path: place,
      tag: about,
      summary: 'List the linked sign-ins',
      description: 'By which provider the user can sign in.',
      access,
      success: {
        status: 200,
        description: 'The links.',
        schema: Type.Object({ data: Type.Array(AccountIdentity) }),
        example: { data: [accountIdentityExample] },
      },
      errors: [],
      handle: async ({ caller }) => ({ data: await listIdentities(db, caller.actor.id) }),
    }),
    operation({
      id: 'panel_unlink_identity',
      method: 'DELETE',
      path: `${place}/{id}`,
      tag: about,
      summary: 'Unlink a sign-in',
      description: 'Refused while the account has no password: choose one by mail first.',
      access,
      params: Type.Object({ id: Id('Identifier of the link.') }),
      success: { status: 204, description: 'Unlinked.' },
      errors: ['identity_not_found', 'identity_is_only_sign_in'],
      handle: async ({ caller: { actor }, params: { id }, address }) => {
        await db.transaction(async (tx) => {
          await unlinkIdentity(tx, actor.id, id);
          await recordAct(tx, actor.id, { action: 'user.identity_unlinked', address });
        });
      },
    }),
  ];
}

/** Other sites cannot send this header (Fetch §3.3.2). */
function requirePanel(call: CallContext): void {
  if (call.header('x-requested-with') !== 'chasqui-panel') throw new Problem('forbidden');
}
