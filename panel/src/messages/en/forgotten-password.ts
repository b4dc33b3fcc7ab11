export const messages = {
  title: 'Forgot your password?',
  about: 'We send you a link to choose a new one. It works once, within an hour.',
  email: 'Email',
  submit: 'Send link',
  sent: 'Check your mailbox',
  sent_about: (email: string) =>
    `If ${email} has an account, a link is on its way. We send at most one every half hour. Check your spam folder too.`,
  sign_in: 'Back to sign-in',
};
