/** Where a program connects to, and as whom. */
export interface Connection {
  host: string;
  /** True: TLS from the start. False: STARTTLS. */
  implicit_tls: boolean;
  port: number;
  username: string;
  sender: string;
}

const nodemailer = ({ host, port, implicit_tls, username, sender }: Connection): string => `\
import nodemailer from 'nodemailer';

const transport = nodemailer.createTransport({
  host: '${host}',
  port: ${port},
  ${implicit_tls ? 'secure: true' : 'requireTLS: true'},
  auth: { user: '${username}', pass: process.env.SMTP_PASSWORD },
});

await transport.sendMail({
  from: '${sender}',
  to: 'delivered@sandbox.test',
  subject: 'Hello',
  text: 'It works.',
});`;

const django = ({ host, port, implicit_tls, username, sender }: Connection): string => `\
# settings.py
import os

EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
EMAIL_HOST = "${host}"
EMAIL_PORT = ${port}
${implicit_tls ? 'EMAIL_USE_SSL = True' : 'EMAIL_USE_TLS = True'}
EMAIL_HOST_USER = "${username}"
EMAIL_HOST_PASSWORD = os.environ["SMTP_PASSWORD"]
DEFAULT_FROM_EMAIL = "${sender}"`;

const laravel = ({ host, port, implicit_tls, username, sender }: Connection): string => `\
# .env
MAIL_MAILER=smtp
MAIL_SCHEME=${implicit_tls ? 'smtps' : 'smtp'}
MAIL_HOST=${host}
MAIL_PORT=${port}
MAIL_USERNAME=${username}
MAIL_PASSWORD=your-password
MAIL_FROM_ADDRESS=${sender}
MAIL_FROM_NAME="\${APP_NAME}"`;

const rails = ({ host, port, implicit_tls, username, sender }: Connection): string => `\
# config/environments/production.rb
config.action_mailer.delivery_method = :smtp
config.action_mailer.smtp_settings = {
  address: "${host}",
  port: ${port},
  user_name: "${username}",
  password: ENV.fetch("SMTP_PASSWORD"),
  authentication: :plain,
  ${implicit_tls ? 'tls: true' : 'enable_starttls: true'}
}
config.action_mailer.default_options = { from: "${sender}" }`;

const swaks = ({ host, port, implicit_tls, username, sender }: Connection): string => `\
swaks --server ${host} --port ${port} ${implicit_tls ? '--tls-on-connect' : '--tls'} \\
  --auth PLAIN --auth-user ${username} --auth-password "$SMTP_PASSWORD" \\
  --from ${sender} --to delivered@sandbox.test \\
  --header 'Subject: Hello' --body 'It works.'`;

/** Settings to copy. The password is read from the environment where the framework allows. */
export const frameworks = [
  { name: 'nodemailer', label: 'Nodemailer', settings: nodemailer },
  { name: 'django', label: 'Django', settings: django },
  { name: 'laravel', label: 'Laravel', settings: laravel },
  { name: 'rails', label: 'Rails', settings: rails },
  { name: 'swaks', label: 'swaks', settings: swaks },
];
