export const uses = ['chasqui', 'resend', 'postmark', 'sendgrid', 'smtp'] as const;
export type Use = (typeof uses)[number];

/** Lines to copy, by what they are for. The key stays out of them, and so out of files and of the history of a shell. */
export function linesFor(use: Use, { origin, slug }: { origin: string; slug: string }): [string, string][] {
  const host = new URL(origin).host;
  switch (use) {
    case 'chasqui':
      return [['curl', firstMail(origin, slug)]];
    case 'resend':
      return [
        ['Node.js, PHP, Rust', variable('RESEND_API_KEY', `RESEND_BASE_URL=${origin}`)],
        ['Go, Ruby', variable('RESEND_API_KEY', `RESEND_BASE_URL=${origin}/`)],
        ['Python', variable('RESEND_API_KEY', `RESEND_API_URL=${origin}`)],
        [
          'Django (anymail)',
          `ANYMAIL = {"RESEND_API_KEY": os.environ["CHASQUI_API_KEY"], "RESEND_API_URL": "${origin}/"}`,
        ],
        ['Laravel, Symfony', `MAILER_DSN=resend+api://$CHASQUI_API_KEY@${host}`],
      ];
    case 'postmark':
      return [
        [
          'Node.js',
          `new ServerClient(process.env.CHASQUI_API_KEY, { requestHost: '${host}'${insecure(origin)} })`,
        ],
        [
          'Rails',
          `config.action_mailer.postmark_settings = { api_token: ENV['CHASQUI_API_KEY'], host: '${host}' }`,
        ],
        [
          'Django (anymail)',
          `ANYMAIL = {"POSTMARK_SERVER_TOKEN": os.environ["CHASQUI_API_KEY"], "POSTMARK_API_URL": "${origin}/"}`,
        ],
        ['Laravel, Symfony', `MAILER_DSN=postmark+api://$CHASQUI_API_KEY@${host}`],
      ];
    case 'sendgrid':
      return [
        [
          'Node.js',
          `sendgrid.setApiKey(process.env.CHASQUI_API_KEY);\nsendgrid.client.setDefaultRequest('baseUrl', '${origin}');`,
        ],
        ['Python', `SendGridAPIClient(os.environ["CHASQUI_API_KEY"], host="${origin}")`],
        [
          'Django (anymail)',
          `ANYMAIL = {"SENDGRID_API_KEY": os.environ["CHASQUI_API_KEY"], "SENDGRID_API_URL": "${origin}/v3/"}`,
        ],
        ['Laravel, Symfony', `MAILER_DSN=sendgrid+api://$CHASQUI_API_KEY@${host}`],
      ];
    case 'smtp':
    default:
      return [];
  }
}

function variable(key: string, address: string): string {
  return `${key}=$CHASQUI_API_KEY\n${address}`;
}

function insecure(origin: string): string {
  return origin.startsWith('https:') ? '' : ', useHttps: false';
}

function firstMail(origin: string, slug: string): string {
  const body = JSON.stringify({
    sender_email: `test@${slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Hello',
    html: '<p>It works.</p>',
  });
  return [
    `curl ${origin}/v1/mails/send \\`,
    '  -H "Authorization: Bearer $CHASQUI_API_KEY" \\',
    `  -H 'X-Instance-Slug: ${slug}' -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n');
}
