export const messages = {
  title: 'Forgot your password?',
  about: 'We send a link to choose a new one. It holds for an hour and for one use.',
  email: 'Email',
  submit: 'Send link',
  sent: 'Look into your mailbox',
  sent_about: (email: string) =>
    `If ${email} has an account, a link is on its way. One is sent each half hour at most; look among the spam too.`,
  sign_in: 'Back to sign-in',
};
