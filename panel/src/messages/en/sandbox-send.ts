export const messages = {
  send: 'Send a sandbox mail',
  sent: (to: string) => `A mail to ${to} is on its way.`,
  subject: 'Hello from the panel',
  text: 'It works.',
};
