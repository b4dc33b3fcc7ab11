/** Those of their types that there is something of ours for, with their numbers. */
export const bounceTypes = {
  HardBounce: [
    1,
    'Hard bounce',
    'The server was unable to deliver your message (ex: unknown user, mailbox not found).',
  ],
  DnsError: [256, 'DNS error', 'A temporary DNS error, or a domain that takes no mail.'],
  SpamComplaint: [100_001, 'Spam complaint', 'The subscriber explicitly marked this message as spam.'],
  SoftBounce: [
    4096,
    'Soft bounce',
    'Unable to temporarily deliver message (i.e. mailbox full, account disabled, exceeds quota, out of disk space).',
  ],
  Blocked: [100_006, 'ISP block', 'Blocked from this ISP due to content or blacklisting.'],
  TemplateRenderingFailed: [
    100_010,
    'Template rendering failed',
    'An error occurred while attempting to render your template.',
  ],
} as const satisfies Record<string, [code: number, name: string, description: string]>;
export type BounceType = keyof typeof bounceTypes;

const withoutMailHost: ReadonlySet<string> = new Set([
  'address_literal',
  'bad_domain',
  'domain_not_found',
  'no_mail_host',
  'mx_without_address',
  'mx_not_public',
]);

export function bounceTypeOf({
  event,
  type,
  reason,
}: {
  event: string;
  type: string | null;
  reason: string | null;
}): BounceType {
  if (event === 'complained') return 'SpamComplaint';
  if (reason === 'template_failed') return 'TemplateRenderingFailed';
  if (reason !== null && (withoutMailHost.has(reason) || reason.startsWith('dns_'))) return 'DnsError';
  if (type === 'hard') return 'HardBounce';
  return type === 'block' ? 'Blocked' : 'SoftBounce';
}
