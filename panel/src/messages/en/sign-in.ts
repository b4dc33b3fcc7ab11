export const messages = {
  title: 'Sign in',
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  wrong: 'Email or password are wrong.',
  wait: (seconds: number) => `Too many attempts. Try again in ${seconds} s.`,
  wrong_with_code: 'Email, password or code are wrong.',
  code: 'Code',
  code_help: 'The six digits of your authenticator app, or a recovery code.',
  lost_app: 'No app and no codes? An operator can reset the second factor.',
  forgotten: 'Forgot your password?',
  first: 'The first start printed the owner and the password.',
  or: 'or',
  by: (name: string) => `Continue with ${name}`,
  not_signed_in: 'You are not signed in',
  back_to_sign_in: 'Back to sign-in',
  link_title: 'Link your account',
  link_about: 'An account with this email exists. Enter its password once to sign in this way from now on.',
  wrong_password: 'The password is wrong.',
  wrong_code: 'The code is wrong.',
  refusals: {
    single_sign_on_disabled: 'Sign-in by a provider is switched off. Use your email and password.',
    single_sign_on_failed: 'The sign-in failed or took too long. Begin it again.',
    single_sign_on_unavailable:
      'The provider cannot be reached right now. Try again later, or use your email and password.',
    single_sign_on_email_unverified:
      'The provider does not confirm your email address. Confirm it there and begin again.',
    single_sign_on_no_account:
      'There is no account with your email address. Ask an owner of the instance for an invitation.',
  },
};
