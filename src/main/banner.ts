import type { DemoCredentials } from './provision.ts';
import type { RoleName } from './roles.ts';
import type { Service } from './service.ts';
import type { ShownDemo } from './shown-demo.ts';

/** What a person who just started the service needs next. The key and the password are shown this once. */
export function banner({ addresses, description }: Service, demo: ShownDemo | undefined): string {
  const base_url = addresses.base_url ?? '';
  const lines = ['', '  Chasqui is running', ''];
  if (base_url) lines.push(`  API        ${base_url}`, `  Reference  ${base_url}/docs`);
  if (addresses.https) lines.push(`  HTTPS      ${addresses.https}`);
  if (addresses.panel) lines.push(`  Panel      ${addresses.panel}`);
  if (addresses.submission) {
    const { starttls, tls } = addresses.submission;
    lines.push(`  SMTP       ${starttls} (STARTTLS), ${tls} (TLS)`);
  }
  if (addresses.inbound) lines.push(`  Inbound    ${addresses.inbound}, for bounces and reports (SMTP)`);
  if (addresses.dns) lines.push(`  DNS        ${addresses.dns}, for the zone of the platform`);
  lines.push(`  Metrics    ${addresses.metrics}/metrics`, `  Data       ${description}`, '');
  if (demo)
    lines.push(...('api_key' in demo ? firstSteps(addresses, demo) : [`  ${firstStartLine(demo)}`, '']));
  return `${lines.join('\n')}\n`;
}

/** What runs where, in one line for logs. */
export function statusLine({ addresses, description }: Service, roles: readonly RoleName[]): string {
  const { base_url, https, submission, inbound, dns, metrics } = addresses;
  const where: Partial<Record<RoleName, string | undefined>> = {
    api: base_url && [base_url, ...(https ? [`https ${https}`] : [])].join(' and '),
    web: base_url,
    submission: submission && `${submission.starttls} and ${submission.tls}`,
    inbound,
    dns,
  };
  const parts = roles.map((role) => (where[role] ? `${role} on ${where[role]}` : role));
  return `running ${parts.join(', ')}; metrics on ${metrics}/metrics; ${description}`;
}

/** Where there is no terminal to show them on. */
export function firstStartLine({ slug, credentials_file }: Exclude<ShownDemo, DemoCredentials>): string {
  const make = `npx chasqui api-key create --instance ${slug} --name first --scopes all`;
  const key =
    credentials_file === undefined
      ? `make a key for it: ${make}`
      : `its API key and its owner's password are in ${credentials_file}`;
  return `this first start made an instance ${slug} to try things with; ${key}`;
}

function firstSteps({ base_url = '', panel }: Service['addresses'], demo: DemoCredentials): string[] {
  const mail = {
    sender_email: `test@${demo.slug}.sandbox.test`,
    to: [{ email: 'delivered@sandbox.test' }],
    subject: 'Hello',
    html: '<p>It works.</p>',
  };
  return [
    '  This first start made an instance to try things with. Keep these, they are not shown again:',
    '',
    `    instance   ${demo.slug}`,
    `    API key    ${demo.api_key}`,
    `    owner      ${demo.email}`,
    `    password   ${demo.password}`,
    '',
    ...(panel ? [`  Sign in at ${panel} as the owner.`] : []),
    '  Send a first mail, which stays in the sandbox:',
    '',
    `    curl ${base_url}/v1/mails/send \\`,
    `      -H 'Authorization: Bearer ${demo.api_key}' \\`,
    `      -H 'X-Instance-Slug: ${demo.slug}' \\`,
    "      -H 'Content-Type: application/json' \\",
    `      -d '${JSON.stringify(mail)}'`,
    '',
  ];
}
