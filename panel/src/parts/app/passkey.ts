import { call } from '../../api/call.ts';
import type { PasskeyAssertion, PasskeyRegistration } from '../../api/operations.ts';

/** The person closed the dialog of the browser, or it took too long: nothing went wrong. */
export class PasskeyCancelled extends Error {}

/** Whether this browser has passkeys at all. */
export function hasPasskeys(): boolean {
  return typeof window.PublicKeyCredential === 'function';
}

/** The code for it is loaded when it is used. */
export async function askForPasskey(): Promise<PasskeyAssertion> {
  const [{ startAuthentication }, { options }] = await Promise.all([
    import('@simplewebauthn/browser'),
    call('panel_begin_passkey_sign_in', {}),
  ]);
  const answer = await startAuthentication({ optionsJSON: options as never }).catch(cancelled);
  return answer as unknown as PasskeyAssertion;
}

export async function makePasskey(options: Record<string, unknown>): Promise<PasskeyRegistration> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const answer = await startRegistration({ optionsJSON: options as never }).catch(cancelled);
  return answer as unknown as PasskeyRegistration;
}

function cancelled(error: unknown): never {
  const { name } = error as Error;
  if (['NotAllowedError', 'AbortError'].includes(name)) throw new PasskeyCancelled();
  throw error;
}
