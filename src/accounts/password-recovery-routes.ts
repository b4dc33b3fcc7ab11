import { operation, type Operation } from '../base/http/operation.ts';
import { ForgottenPassword, PasswordReset } from './account-schemas.ts';
import { createPasswordRecovery, type RecoveryContext } from './password-recovery.ts';

const tag = 'Panel access';
const access = { kind: 'open' } as const;
const max_body_bytes = 16 * 1024;

export function passwordRecoveryRoutes(context: RecoveryContext): Operation[] {
  const recovery = createPasswordRecovery(context);
  return [
    operation({
      id: 'panel_forgotten_password',
      method: 'POST',
      path: '/v1/private/auth/forgotten-password',
      tag,
      summary: 'Ask for a link to choose a new password',
      description:
        'The answer is the same whether or not the address has an account. The link works for one hour and once; one is sent each half hour at most.',
      access,
      body: ForgottenPassword,
      body_example: { email: 'ana@example.com' },
      max_body_bytes,
      success: { status: 204, description: 'If there is an account, a mail is on its way.' },
      errors: ['rate_limit_exceeded'],
      handle: async ({ body: { email }, address }) => await recovery.request({ email, address }),
    }),
    operation({
      id: 'panel_reset_password',
      method: 'POST',
      path: '/v1/private/auth/reset-password',
      tag,
      summary: 'Choose a new password with a link',
      description:
        'Ends every session of the user; then sign in. A second factor stays and is asked for then.',
      access,
      body: PasswordReset,
      body_example: {
        token: 'c29tZSB0aGlydHktdHdvIGJ5dGVzIG9mIHRva2VuISE',
        new_password: 'a longer password',
      },
      max_body_bytes,
      success: { status: 204, description: 'The password is changed.' },
      errors: ['password_reset_not_found'],
      handle: async ({ body, address }) => await recovery.reset({ ...body, address }),
    }),
  ];
}
