import { Type } from 'typebox';
import { operation, type Operation } from '../base/http/operation.ts';

interface SmtpSettingsContext {
  base_url: string;
  ports: { starttls: number; tls: number };
}

const SmtpSettings = Type.Object(
  {
    host: Type.String({ description: 'Host that mail programs connect to.' }),
    starttls_port: Type.Integer({ description: 'Port on which TLS begins with STARTTLS.' }),
    tls_port: Type.Integer({ description: 'Port with TLS from the start.' }),
  },
  { $id: 'SmtpSettings' },
);

/** What a program needs beside a credential to send over SMTP. */
export function smtpSettingsRoutes({ base_url, ports }: SmtpSettingsContext): Operation[] {
  return [
    operation({
      id: 'get_smtp_settings',
      method: 'GET',
      path: '/v1/smtp-settings',
      tag: 'Credentials',
      summary: 'Read where SMTP submission listens',
      description: 'Host and ports for mail programs, as they are reached from outside.',
      access: { kind: 'api_key', scope: 'mail:send' },
      success: {
        status: 200,
        description: 'The settings.',
        schema: SmtpSettings,
        example: { host: 'mail.example.com', starttls_port: 587, tls_port: 465 },
      },
      errors: [],
      handle: async () => ({
        host: new URL(base_url).hostname.replaceAll(/[[\]]/g, ''),
        starttls_port: ports.starttls,
        tls_port: ports.tls,
      }),
    }),
  ];
}
