import type { Queryable } from '../base/db/database.ts';
import { Problem, validationProblem } from '../base/errors/problem.ts';
import { escapeHtml } from '../base/http/html.ts';
import type { PlatformMail } from '../base/platform-mail.ts';
import { type Actor, auditOf } from '../audit/index.ts';
import { limitPlatformMail, type PlatformMailLimits } from '../limits/index.ts';
import { canonicalAddress } from '../protocol/address/canonical-address.ts';
import type { Domain } from './domain-schemas.ts';
import { getDomain } from './domains.ts';
import type { DnsRecord } from './verification/dns-records.ts';

const audit = auditOf('domain');

interface DnsConfiguration {
  id: number;
  to: string;
  platform_domain: string;
  mail_limits: PlatformMailLimits;
  actor: Actor;
}

/** Audits and counts the mail; the caller sends it after the commit. */
export async function writeDnsConfiguration(
  tx: Queryable,
  instanceId: number,
  { id, to, platform_domain, mail_limits, actor }: DnsConfiguration,
): Promise<PlatformMail> {
  const domain = await getDomain(tx, instanceId, { id, platform_domain });
  const mail = dnsConfigurationMail(domain, { instance_id: instanceId, to });
  await audit(tx, instanceId, { action: 'dns_records_sent', id, actor, details: { email: mail.to } });
  await limitPlatformMail(tx, mail_limits, {
    kind: 'platform',
    instance_id: instanceId,
    recipient: mail.to,
    address: actor.address,
  });
  return mail;
}

/** The records as text to copy and as a table. */
function dnsConfigurationMail(
  domain: Domain,
  { instance_id, to }: { instance_id: number; to: string },
): PlatformMail {
  if (domain.is_sandbox) throw new Problem('domain_is_sandbox');
  const { ownership_cname, mx, spf, dkim, dmarc } = domain.dns_records;
  const records = [mx, spf, ...dkim, dmarc, ownership_cname] as DnsRecord[];
  const intro = `To send mail as ${domain.domain}, publish these DNS records. The MX must be the only one of ${domain.domain}; the DKIM records must be CNAMEs.`;
  return {
    kind: 'dns-records',
    written_for: instance_id,
    to: requireAddress(to),
    subject: `DNS records for ${domain.domain}`,
    text: [intro, '', ...records.map(asLine), ''].join('\n'),
    html: `<p>${escapeHtml(intro)}</p>
<table border="1" cellpadding="6" cellspacing="0">
<tr><th>Type</th><th>Host</th><th>Value</th><th>Priority</th></tr>
${records.map(asRow).join('\n')}
</table>`,
  };
}

function requireAddress(text: string): string {
  const address = canonicalAddress(text)?.address;
  if (address !== undefined) return address;
  throw validationProblem([
    { pointer: '/email', code: 'value_error.email', message: 'This is not an email address' },
  ]);
}

function asLine({ type, host, value, priority }: DnsRecord): string {
  return `${host}.  ${type}  ${priority === null ? '' : `${priority} `}${type === 'TXT' ? `"${value}"` : `${value}.`}`;
}

function asRow({ type, host, value, priority }: DnsRecord): string {
  const cells = [type, host, value, priority === null ? '' : String(priority)];
  return `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`;
}
