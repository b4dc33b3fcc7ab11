import { Type } from 'typebox';
import { operation, type Operation } from '../../base/http/operation.ts';
import { Id } from '../../base/http/schemas.ts';
import { endOtherSessions } from '../account-sessions.ts';
import type { SessionAnswer } from '../session-answer.ts';
import { PanelSession, sessionExample } from '../session-schemas.ts';
import { recordAct, type SignInContext } from '../sign-in.ts';
import { requireOwnProof } from './own-proof.ts';
import {
  AddedPasskey,
  assertionExample,
  creationOptionsExample,
  NewPasskey,
  Passkey,
  PasskeyAssertion,
  PasskeyChanges,
  passkeyExample,
  PasskeyOptions,
  PasskeyProof,
  requestOptionsExample,
} from './passkey-schemas.ts';
import { listPasskeys, removePasskey, renamePasskey, requirePasskey } from './passkeys.ts';
import { signInWithPasskey } from './sign-in-passkey.ts';

type Context = SignInContext & { answer: SessionAnswer };

const max_body_bytes = 64 * 1024;
const params = Type.Object({ id: Id('Identifier of the passkey.') });
const proofExample = { password: 'a long password' };
const registrationExample = {
  id: 'kWJ0AAAA',
  rawId: 'kWJ0AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'eyJ0AAAA', attestationObject: 'o2NmAAAA', transports: ['internal'] },
  clientExtensionResults: {},
};

/** Keys of authenticators: in phones, computers and security keys (WebAuthn). */
export function passkeyRoutes(context: Context): Operation[] {
  return [...signInRoutes(context), ...addingRoutes(context), ...changingRoutes(context)];
}

function signInRoutes(context: Context): Operation[] {
  const { clock, passkeys, answer } = context;
  const tag = 'Panel access';
  const path = '/v1/private/auth/passkey' as const;
  const access = { kind: 'open' } as const;
  return [
    operation({
      id: 'panel_begin_passkey_sign_in',
      method: 'POST',
      path: `${path}/begin`,
      tag,
      summary: 'Begin to sign in with a passkey',
      description:
        'Gives a challenge, the same way to everybody: the authenticator knows the account. Its answer also stands in for the code of `panel_sign_in`.',
      access,
      success: {
        status: 200,
        description: 'For the browser.',
        schema: PasskeyOptions,
        example: requestOptionsExample,
      },
      errors: ['passkeys_unavailable'],
      handle: async () => ({ options: passkeys.requestOptions(clock.now()) }),
    }),
    operation({
      id: 'panel_sign_in_with_passkey',
      method: 'POST',
      path,
      tag,
      summary: 'Sign in with a passkey',
      description:
        'The authenticator has verified its owner, so it counts as both factors. A challenge counts once and for five minutes.',
      access,
      body: PasskeyAssertion,
      body_example: assertionExample,
      max_body_bytes,
      success: { status: 200, description: 'The session.', schema: PanelSession, example: sessionExample },
      errors: ['unauthorized', 'rate_limit_exceeded'],
      handle: async (call) => {
        const { body: assertion, address } = call;
        const given = { assertion, address, user_agent: call.header('user-agent') };
        return await answer(await signInWithPasskey(context, given));
      },
    }),
  ];
}

const tag = 'Account';
const path = '/v1/private/account/passkeys' as const;
const access = { kind: 'account' } as const;

function addingRoutes(context: Context): Operation[] {
  const { db, clock, passkeys } = context;
  return [
    operation({
      id: 'panel_begin_passkey',
      method: 'POST',
      path: `${path}/begin`,
      tag,
      summary: 'Begin to add a passkey',
      description: 'Needs the password, and a code where the account uses an authenticator app.',
      access,
      body: PasskeyProof,
      body_example: proofExample,
      max_body_bytes,
      success: {
        status: 200,
        description: 'For the browser.',
        schema: PasskeyOptions,
        example: creationOptionsExample,
      },
      errors: [
        'passkeys_unavailable',
        'passkey_limit_reached',
        'recent_sign_in_required',
        'rate_limit_exceeded',
      ],
      handle: async ({ caller: { actor }, body: proof, address }) => {
        await requireOwnProof(context, actor, { proof, address });
        const wanted = { user_id: actor.id, session_id: actor.session_id, now: clock.now() };
        return { options: await passkeys.creationOptions(db, wanted) };
      },
    }),
    operation({
      id: 'panel_add_passkey',
      method: 'POST',
      path,
      tag,
      summary: 'Add a passkey',
      description:
        'From now on it signs in, and a sign-in with the password asks for a second factor: this key, another one, or a recovery code. Ends all other sessions if it is the first second factor.',
      access,
      body: NewPasskey,
      body_example: { name: 'Phone', credential: registrationExample },
      max_body_bytes,
      success: {
        status: 201,
        description: 'The passkey.',
        schema: AddedPasskey,
        example: { passkey: passkeyExample, recovery_codes: ['abcd-efgh-ijkl-mnop'] },
      },
      errors: ['passkeys_unavailable', 'passkey_limit_reached'],
      handle: async ({ caller: { actor }, body: { name, credential }, address }) =>
        await db.transaction(async (tx) => {
          const now = clock.now();
          const { id: user_id, session_id } = actor;
          const added = await passkeys.add(tx, {
            user_id,
            session_id,
            name: name.trim() || '–',
            credential,
            now,
          });
          if (added.recovery_codes) await endOtherSessions(tx, user_id, { current: session_id, now });
          await recordAct(tx, user_id, { action: 'user.passkey_added', address, details: { name } });
          return added;
        }),
    }),
  ];
}

function changingRoutes(context: Context): Operation[] {
  const { db } = context;
  const success = {
    status: 200,
    description: 'The passkey.',
    schema: Passkey,
    example: passkeyExample,
  } as const;
  return [
    operation({
      id: 'panel_list_passkeys',
      method: 'GET',
      path,
      tag,
      summary: 'List the own passkeys',
      description: 'In the order in which they were added.',
      access,
      success: {
        status: 200,
        description: 'The passkeys.',
        schema: Type.Object({ data: Type.Array(Passkey) }),
        example: { data: [passkeyExample] },
      },
      errors: [],
      handle: async ({ caller }) => ({ data: await listPasskeys(db, caller.actor.id) }),
    }),
    operation({
      id: 'panel_rename_passkey',
      method: 'PATCH',
      path: `${path}/{id}`,
      tag,
      summary: 'Rename a passkey',
      description: 'The name is the user’s own.',
      access,
      params,
      body: PasskeyChanges,
      body_example: { name: 'Old phone' },
      max_body_bytes,
      success,
      errors: ['passkey_not_found'],
      handle: async ({ caller: { actor }, params: { id }, body: { name } }) =>
        await renamePasskey(db, actor.id, { id, name: name.trim() || '–' }),
    }),
    operation({
      id: 'panel_remove_passkey',
      method: 'POST',
      path: `${path}/{id}/remove`,
      tag,
      summary: 'Remove a passkey',
      description:
        'Needs the password, and a code where the account uses an authenticator app. With the last second factor the recovery codes go too.',
      access,
      params,
      body: PasskeyProof,
      body_example: proofExample,
      max_body_bytes,
      success: { status: 204, description: 'Removed.' },
      errors: ['passkey_not_found', 'recent_sign_in_required', 'rate_limit_exceeded'],
      handle: async ({ caller: { actor }, params: { id }, body: proof, address }) => {
        await requirePasskey(db, actor.id, id);
        await requireOwnProof(context, actor, { proof, address });
        await db.transaction(async (tx) => {
          await removePasskey(tx, actor.id, id);
          await recordAct(tx, actor.id, { action: 'user.passkey_removed', address });
        });
      },
    }),
  ];
}
