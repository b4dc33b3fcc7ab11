export const messages = {
  title: 'Choose a new password',
  about: 'All other browsers are signed out.',
  password: 'New password',
  password_help: 'At least 12 characters. Several words work well.',
  submit: 'Change password',
  done: 'Your password is changed',
  done_about: 'Sign in with it. If your account has a second factor, you need its code too.',
  over: 'This link has expired',
  over_about: 'It was already used, is older than an hour, or is incomplete. Request a new one.',
  sign_in: 'Sign in',
  again: 'Send another link',
};
