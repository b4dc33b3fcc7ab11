export const messages = {
  title: 'Choose a new password',
  about: 'Every browser that is signed in with the old one is signed out.',
  password: 'New password',
  password_help: 'At least 12 characters. Several words are good.',
  submit: 'Change password',
  done: 'Your password is changed',
  done_about: 'Sign in with it. If your account has a second factor, you need its code too.',
  over: 'This link is over',
  over_about: 'It was used, is older than an hour, or is not complete. Ask for a new one.',
  sign_in: 'Sign in',
  again: 'Send another link',
};
