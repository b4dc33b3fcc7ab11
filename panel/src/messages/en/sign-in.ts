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
};
