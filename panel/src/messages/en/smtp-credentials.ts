export const messages = {
  title: 'SMTP credentials',
  about: 'For applications and devices that send by SMTP. Give each one its own credential.',
  add: 'Create credential',
  name: 'Name',
  name_help: 'The program that will use it, such as “shop”.',
  username: 'User name',
  password: 'Password',
  state: 'State',
  states: { active: 'Active', revoked: 'Revoked' },
  created: 'Created',
  revoked: 'Revoked',
  secret_title: 'Your SMTP credential',
  revoke: 'Revoke credential',
  revoke_about: (name: string) =>
    `Sign-ins with “${name}” are refused from now on (535). Accepted mail is still delivered.`,
  is_revoked: 'The credential is revoked.',
  empty: 'No SMTP credentials yet',
  empty_about:
    'Set Chasqui as the mail server of your application. Its mail is processed like a send over HTTP. The password is shown once, when you create the credential.',
  connect: 'Connect a program',
  connect_about:
    'The header From must be one of your senders. The one shown here writes only to the sandbox.',
  framework: 'Framework',
  security: 'Encryption',
  implicit: 'TLS',
  host: 'Host',
  port: 'Port',
  your_username: 'your-user-name',
  certificate:
    'This service has a self-signed certificate until an operator sets another one. Configure clients to accept it.',
};
